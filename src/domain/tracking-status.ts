/**
 * Statuses of a parcel by rank. A higher rank wins, a lower one is stored and changes nothing. Ranks 2 and 3 move
 * freely between each other, since a parcel that was out for delivery does go back to the depot.
 */
export const TRACKING_STATUSES = {
  awaiting_pickup: 0,
  picked_up: 1,
  in_transit: 2,
  out_for_delivery: 3,
  available_for_pickup: 3,
  attempt_failed: 3,
  held: 3,
  exception: 3,
  returning: 4,
  delivered: 9,
  returned: 9,
  lost: 9,
  destroyed: 9,
} as const;

export type TrackingStatus = keyof typeof TRACKING_STATUSES;

/** The statuses that an adapter may report; `unrecognised` keeps the raw code and never moves a shipment. */
export type EventStatus = TrackingStatus | 'unrecognised';

/** Context of an event beyond its code: a parcel on its way back, one parcel of several, an entry in a list. */
export const EVENT_CONTEXTS = ['', 'return', 'part', 'list'] as const;
export type EventContext = (typeof EVENT_CONTEXTS)[number];

/**
 * Returns the meaning of an event in its context: delivered on the way back is returned, and one of several parcels is
 * no end.
 */
export function statusInContext(status: EventStatus, context: EventContext): EventStatus {
  if (status === 'unrecognised') return status;
  if (context === 'part') return isFinal(status) ? 'in_transit' : status;
  if (context !== 'return' || status === 'lost' || status === 'destroyed') return status;
  return status === 'delivered' || status === 'returned' ? 'returned' : 'returning';
}

export const FINAL_RANK = 9;
const FREE_RANKS = new Set([2, 3]);

export function isFinal(status: TrackingStatus | null): boolean {
  return status !== null && TRACKING_STATUSES[status] === FINAL_RANK;
}

/** Returns the status after an event: never backwards, never out of a final one. */
export function nextTrackingStatus(current: TrackingStatus | null, event: EventStatus): TrackingStatus | null {
  if (event === 'unrecognised') return current;
  if (current === null) return event;
  const from = TRACKING_STATUSES[current];
  const to = TRACKING_STATUSES[event];
  if (from === FINAL_RANK) return current;
  if (to > from || (FREE_RANKS.has(from) && FREE_RANKS.has(to))) return event;
  return current;
}

/** The known state of a parcel. */
export interface TrackingState {
  status: TrackingStatus | null;
  /** Milliseconds; 0: no event yet. */
  lastEventAt: number;
  isDelayed: boolean;
}

/**
 * Returns the state after further events, in any order: late ones count only where they raise the rank. `counted` are
 * those that set the status at their time.
 */
export function afterEvents<Event extends { at: Date; status: EventStatus; delayed?: boolean }>(
  state: TrackingState,
  events: readonly Event[],
): TrackingState & { counted: Event[] } {
  let { status, lastEventAt, isDelayed } = state;
  const counted: Event[] = [];
  for (const event of events.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const isLate = event.at.getTime() < lastEventAt;
    const next = nextTrackingStatus(status, event.status);
    const raisesRank = next !== null && (status === null || TRACKING_STATUSES[next] > TRACKING_STATUSES[status]);
    if (!isLate || raisesRank) {
      status = next;
      if (next === event.status) counted.push(event);
      if (event.status !== 'unrecognised') isDelayed = event.delayed ?? false;
    }
    lastEventAt = Math.max(lastEventAt, event.at.getTime());
  }
  return { status, lastEventAt, isDelayed, counted };
}
