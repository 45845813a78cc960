import { instantOf, wallClock } from '../../lib/clock.ts';
import type { OrderWindow } from '../adapter.ts';

const MINUTE_MS = 60_000;

/**
 * Returns the window on the shop's wall clock as a filter, in whole minutes around it. The beginning counts, the
 * end does not. When the clock is turned back inside the window, the hour that comes twice is asked for whole.
 */
export function wallWindow({ modifiedAfter, modifiedBefore }: OrderWindow, timeZone: string): string {
  const end = new Date(Math.ceil(modifiedBefore.getTime() / MINUTE_MS) * MINUTE_MS);
  const turnedBack = Math.max(0, aheadOfUtc(modifiedAfter, timeZone) - aheadOfUtc(end, timeZone));
  const from = wall(new Date(wallMs(modifiedAfter, timeZone) - turnedBack));
  return `[${from},${wall(new Date(wallMs(end, timeZone) + turnedBack))}]`;
}

/** Reads a date of the shop; null for none, such as `0000-00-00 00:00:00`. */
export function shopInstant(text: string, timeZone: string): Date | null {
  const [, date = '', time = '', seconds = ''] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d):(\d\d)$/.exec(text) ?? [];
  if (Number.isNaN(Date.parse(`${date}T${time}:${seconds}Z`))) return null;
  return new Date(instantOf(date, time, timeZone).getTime() + Number(seconds) * 1000);
}

/** Whole minutes. */
function wallMs(at: Date, timeZone: string): number {
  const { date, time } = wallClock(at, timeZone);
  return Date.parse(`${date}T${time}:00Z`);
}

function aheadOfUtc(at: Date, timeZone: string): number {
  return wallMs(at, timeZone) - Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
}

function wall(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ');
}
