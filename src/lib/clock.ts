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

/** `YYYY-MM-DD` and `HH:mm` of an instant on the wall clock of a time zone. */
export function wallClock(at: Date, timeZone: string): { date: string; time: string } {
  const [date = '', time = ''] = formatterOf(timeZone).format(at).split(' ');
  return { date, time: time.slice(0, 5) };
}

/**
 * The instant of a wall-clock `YYYY-MM-DD` and `HH:mm` in a time zone. In the hour that a clock change repeats, the first
 * one is meant; a time that the change skips is moved forward by the gap.
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
