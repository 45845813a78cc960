import type { TrackingStatus } from './tracking-status.ts';

/** The facts that set the pause until the next poll of a parcel. */
export interface PollFacts {
  /** Null: the carrier has reported nothing yet. */
  status: TrackingStatus | null;
  /** Since the last event, or since the booking when there was none. */
  silentMs: number;
  /** The pause in ordinary circumstances. */
  baseMs: number;
  /** Polling ends after this much silence. */
  expireMs: number;
}

/** The pause of a status, as a share of the ordinary one: out for delivery changes within the hour. */
const PACE: Record<TrackingStatus, number> = {
  awaiting_pickup: 4,
  picked_up: 2,
  in_transit: 2,
  out_for_delivery: 0.5,
  attempt_failed: 1,
  exception: 1,
  held: 2,
  available_for_pickup: 2,
  returning: 4,
  delivered: 0,
  returned: 0,
  lost: 0,
  destroyed: 0,
};
const NOTHING_SAID = 4;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Silence of this length makes the pause longer by this factor. */
const SILENCE = [
  { fromMs: 7 * DAY_MS, factor: 6 },
  { fromMs: 3 * DAY_MS, factor: 2 },
];

/**
 * Returns the milliseconds until the next poll of a parcel, at most a day; null: polling is over, or the parcel
 * `expired`.
 */
export function nextPollMs({ status, silentMs, baseMs, expireMs }: PollFacts): number | null {
  const pace = status === null ? NOTHING_SAID : PACE[status];
  if (pace === 0 || silentMs > expireMs) return null;
  const factor = SILENCE.find(({ fromMs }) => silentMs >= fromMs)?.factor ?? 1;
  return Math.min(baseMs * pace * factor, Math.max(DAY_MS, baseMs));
}
