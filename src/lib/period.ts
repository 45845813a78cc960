import { instantOf, wallClock } from './clock.ts';

/** A period of time; null: open at that end. */
export interface Period {
  from: Date | null;
  /** Exclusive. */
  until: Date | null;
}

const DAY_LENGTH = 10;
const DAY_MS = 86_400_000;

/**
 * Converts two bounds, each a day `YYYY-MM-DD` in the time zone or an ISO instant, to a period. Both bounds are
 * included.
 */
export function periodOf(from: string | undefined, to: string | undefined, timeZone: string): Period {
  return {
    from: from === undefined ? null : instantAt(from, timeZone),
    until: to === undefined ? null : endOf(to, timeZone),
  };
}

function instantAt(text: string, timeZone: string): Date {
  return text.length === DAY_LENGTH ? instantOf(text, '00:00', timeZone) : new Date(text);
}

function endOf(text: string, timeZone: string): Date {
  if (text.length > DAY_LENGTH) return new Date(new Date(text).getTime() + 1);
  const next = new Date(Date.parse(`${text}T00:00:00Z`) + DAY_MS).toISOString();
  return instantOf(next.slice(0, DAY_LENGTH), '00:00', timeZone);
}

/** The present day of a wall clock, from its midnight to the next. */
export interface Today {
  /** YYYY-MM-DD. */
  day: string;
  from: Date;
  /** Exclusive. */
  until: Date;
}

export function todayOf(now: Date, timeZone: string): Today {
  const day = wallClock(now, timeZone).date;
  return { day, from: instantAt(day, timeZone), until: endOf(day, timeZone) };
}
