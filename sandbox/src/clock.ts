export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns `YYYY-MM-DD` and `HH:mm` of an instant on the wall clock of a time zone. */
export function wallClock(at: Date, timeZone: string): { date: string; time: string } {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    // Swedish writes dates as ISO 8601 does.
    formatter = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
    formatters.set(timeZone, formatter);
  }
  const [date = '', time = ''] = formatter.format(at).split(' ');
  return { date, time };
}
