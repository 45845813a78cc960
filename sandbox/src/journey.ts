const HOUR_MS = 3_600_000;

/** Hours after the start, and what happens then. */
export type Journey<Code extends string = string> = Readonly<Record<number, Code>>;

/** Returns the journey of the first word that `text` contains, in capitals or not. */
export function endingFor<Code extends string>(
  text: string,
  endings: Readonly<Record<string, Journey<Code>>>,
): Journey<Code> | undefined {
  const capitals = text.toUpperCase();
  return Object.entries(endings).find(([word]) => capitals.includes(word))?.[1];
}

/** Returns what has happened by `until`, oldest first. */
export function happened<Code extends string>(
  journey: Journey<Code>,
  startMs: number,
  until: Date,
): { at: Date; code: Code }[] {
  return Object.entries(journey)
    .map(([hours, code]) => ({ at: new Date(startMs + Number(hours) * HOUR_MS), code }))
    .filter(({ at }) => at <= until);
}
