import { instantOf, wallClock } from '../../lib/clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** DHL advises against the very moment of the request, which is past when it arrives. */
const LEAD_MS = HOUR_MS / 2;

export interface Hours {
  handoverTime: string;
  timeZone: string;
}

/** Returns the handover of the next working day, Monday to Friday. Holidays are not known here. */
export function nextHandover(now: Date, { handoverTime, timeZone }: Hours): Date {
  const earliest = now.getTime() + LEAD_MS;
  // From noon to noon, so that a clock change skips no day.
  const noon = instantOf(wallClock(now, timeZone).date, '12:00', timeZone).getTime();
  for (let days = 0; ; days++) {
    const { date } = wallClock(new Date(noon + days * DAY_MS), timeZone);
    const handover = instantOf(date, handoverTime, timeZone);
    const weekday = new Date(`${date}T12:00:00Z`).getUTCDay();
    if (handover.getTime() >= earliest && weekday >= 1 && weekday <= 5) return handover;
  }
}

/** Writes `2026-11-23T17:00:00 GMT+01:00`: the wall clock of the sender with its distance from Greenwich. */
export function dhlTime(at: Date, timeZone: string): string {
  const { date, time } = wallClock(at, timeZone);
  const minutes = Math.round((Date.parse(`${date}T${time}:00Z`) - Math.floor(at.getTime() / 60_000) * 60_000) / 60_000);
  const distance = Math.abs(minutes);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${date}T${time}:00 GMT${minutes < 0 ? '-' : '+'}${pad(Math.floor(distance / 60))}:${pad(distance % 60)}`;
}
