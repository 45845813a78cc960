import { statusesBefore, type Transitions } from './machine.ts';
import type { OrderStatus } from './order-status.ts';
import type { TrackingStatus } from './tracking-status.ts';

export const PROCESS_STATUSES = [
  'queued',
  'submitting',
  'created',
  'transmitting',
  'transmitted',
  'rejected',
  'unknown_outcome',
  'cancelling',
  'cancelled',
] as const;
export type ProcessStatus = (typeof PROCESS_STATUSES)[number];

/** The one table of what may happen to a shipment on our side. */
export const SHIPMENT_TRANSITIONS: Transitions<ProcessStatus> = {
  queued: ['submitting', 'cancelled'],
  // Back to queued: the carrier surely never saw it.
  submitting: ['created', 'queued', 'rejected', 'unknown_outcome'],
  // To itself: each look takes the row anew.
  unknown_outcome: ['unknown_outcome', 'created', 'queued', 'rejected', 'cancelled'],
  // Straight to transmitted where the carrier needs no confirmation.
  created: ['transmitting', 'transmitted', 'cancelling'],
  // Back to created: the carrier refused or never saw the confirmation; confirming again is harmless.
  transmitting: ['transmitted', 'created'],
  transmitted: ['cancelling'],
  // Back to what it was: the carrier did not cancel.
  cancelling: ['cancelling', 'cancelled', 'created', 'transmitted'],
  rejected: [],
  cancelled: [],
};

export function processStatusesBefore(to: ProcessStatus): ProcessStatus[] {
  return statusesBefore(SHIPMENT_TRANSITIONS, to);
}

/** What the carrier's status means for the order; null: nothing yet. */
export function orderStatusOf(status: TrackingStatus): OrderStatus | null {
  switch (status) {
    case 'awaiting_pickup':
      return null;
    case 'held':
      return 'held';
    case 'delivered':
      return 'delivered';
    case 'returned':
    case 'destroyed':
      return 'returned';
    default:
      return 'shipped';
  }
}
