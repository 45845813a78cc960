import type { HeldAction } from './held-actions.ts';
import { type EventStatus, isFinal, type TrackingStatus } from './tracking-status.ts';

/** Derived from the case's dates, so that the two cannot disagree. */
export const HELD_STATUSES = ['warning', 'open', 'decided', 'closed'] as const;
export type HeldStatus = (typeof HELD_STATUSES)[number];

export function heldStatusOf(facts: {
  openedAt: Date | null;
  decidedAt: Date | null;
  closedAt: Date | null;
}): HeldStatus {
  if (facts.closedAt !== null) return 'closed';
  if (facts.decidedAt !== null) return 'decided';
  return facts.openedAt === null ? 'warning' : 'open';
}

/** The effect of an event on a parcel's stay: it announces a giacenza, opens one, or ends it. */
export type HeldStep = 'warn' | 'open' | 'close';

/** Statuses that leave the parcel where it is. */
const STAYS: readonly EventStatus[] = ['attempt_failed', 'exception', 'awaiting_pickup', 'unrecognised'];

/** Returns null when the event has no effect on it. A delay only explains why the parcel does not move. */
export function heldStepOf(event: {
  status: EventStatus;
  delayed?: boolean;
  announcesHeld?: { inDays: number | null };
}): HeldStep | null {
  if (event.status === 'held') return 'open';
  if (event.announcesHeld && !isOver(event.status)) return 'warn';
  return STAYS.includes(event.status) || event.delayed ? null : 'close';
}

/** On its way back, or at an end: no giacenza follows, whatever else the code says. */
function isOver(status: EventStatus): boolean {
  return status !== 'unrecognised' && (status === 'returning' || isFinal(status));
}

const BACK: readonly TrackingStatus[] = ['returning', 'returned'];
const TO_RECIPIENT: readonly TrackingStatus[] = ['out_for_delivery', 'available_for_pickup', 'delivered'];

/**
 * Returns whether the carrier carried out the decision, by the status that ended the stay. A parcel on its way
 * confirms any decision but destruction, because its destination is unknown.
 */
export function isConfirmedBy(action: HeldAction, ending: TrackingStatus): boolean {
  if (action === 'DESTROY') return ending === 'destroyed';
  if (ending === 'in_transit' || ending === 'picked_up') return true;
  return (action === 'RETURN_TO_SENDER' ? BACK : TO_RECIPIENT).includes(ending);
}
