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

/** All allowed changes of a shipment's status on our side. */
export const SHIPMENT_TRANSITIONS: Transitions<ProcessStatus> = {
  queued: ['submitting', 'cancelled'],
  // Back to queued: the carrier certainly never saw it.
  submitting: ['created', 'queued', 'rejected', 'unknown_outcome'],
  // To itself: each look-up claims the row again.
  unknown_outcome: ['unknown_outcome', 'created', 'queued', 'rejected', 'cancelled'],
  // Straight to transmitted where the carrier needs no confirmation.
  created: ['transmitting', 'transmitted', 'cancelling'],
  // Back to created: the carrier refused or never saw the confirmation; confirming again is harmless.
  transmitting: ['transmitted', 'created'],
  transmitted: ['cancelling'],
  // Back to the status before: the carrier did not cancel.
  cancelling: ['cancelling', 'cancelled', 'created', 'transmitted'],
  rejected: [],
  cancelled: [],
};

export function processStatusesBefore(to: ProcessStatus): ProcessStatus[] {
  return statusesBefore(SHIPMENT_TRANSITIONS, to);
}

/** Returns the order's status for a carrier's status; null: no change yet. */
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
