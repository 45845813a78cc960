export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** Milliseconds. Clocks change only at full quarters of an hour, so one look-up holds for all of it. */
const SAME_OFFSET_MS = 15 * 60_000;
const MAX_OFFSETS = 10_000;
const offsets = new Map<string, Map<number, number>>();

/**
 * Returns the milliseconds that a time zone is ahead of UTC. Cached: the look-up takes longer than the rest of a
 * tracking answer.
 */
function offsetMs(at: number, timeZone: string): number {
  const known = offsets.get(timeZone) ?? new Map<number, number>();
  offsets.set(timeZone, known);
  const quarter = Math.floor(at / SAME_OFFSET_MS);
  let offset = known.get(quarter);
  if (offset === undefined) {
    const start = quarter * SAME_OFFSET_MS;
    offset = Date.parse(`${formatterOf(timeZone).format(start).replace(' ', 'T')}Z`) - start;
    if (known.size >= MAX_OFFSETS) known.clear();
    known.set(quarter, offset);
  }
  return offset;
}

/** Returns an instant as `YYYY-MM-DD` and `HH:mm` on the wall clock of a time zone. */
export function wallClock(at: Date, timeZone: string): { date: string; time: string } {
  const shown = new Date(at.getTime() + offsetMs(at.getTime(), timeZone)).toISOString();
  return { date: shown.slice(0, 10), time: shown.slice(11, 16) };
}

/**
 * Returns the `YYYY-MM-DD` that is `days` after an instant, on the calendar of a time zone. A day there may have 23 or
 * 25 hours.
 */
export function dayAfter(at: Date, days: number, timeZone: string): string {
  const midnight = Date.parse(`${wallClock(at, timeZone).date}T00:00:00Z`);
  return new Date(midnight + days * 86_400_000).toISOString().slice(0, 10);
}

/**
 * Returns the instant of a wall-clock `YYYY-MM-DD` and `HH:mm` in a time zone. A time that a clock change repeats means
 * the first one; a time that it skips moves forward by the gap.
 */
export function instantOf(date: string, time: string, timeZone: string): Date {
  const wanted = Date.parse(`${date}T${time}:00Z`);
  let guess = wanted;
  for (let round = 0; round < 2; round++) {
    const shown = formatterOf(timeZone).format(new Date(guess)).replace(' ', 'T');
    guess += wanted - Date.parse(`${shown}Z`);
  }
  return new Date(guess);
}

/** Returns true when a `YYYY-MM-DD` is a day of the calendar. */
export function isCalendarDay(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().slice(0, 10) === date;
}

/**
 * Parses `H:mm` or `HH.mm` and carries minutes above 59 over: 06:63 is 07:03, and 23:75 is on the next day. Null: no
 * time.
 */
export function carriedTime(date: string, time: string): { date: string; time: string } | null {
  const [, hours, minutes] = /^(\d{1,2})\D(\d{2})/.exec(time.trim()) ?? [];
  if (hours === undefined || Number(hours) > 24 || !isCalendarDay(date)) return null;
  const shown = new Date(
    Date.parse(`${date}T00:00:00Z`) + (Number(hours) * 60 + Number(minutes)) * 60_000,
  ).toISOString();
  return { date: shown.slice(0, 10), time: shown.slice(11, 16) };
}
