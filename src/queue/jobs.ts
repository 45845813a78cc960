import { z } from 'zod';

const id = z.number().int().positive();
/** Correlates one request across jobs, logs and exchanges. */
const requestId = z.string().default('');

/** Every job: its name is a verb, its payload holds ids only. Payloads of the release before must still parse. */
export const JOBS = {
  book: z.object({ shipmentId: id, requestId }),
  reconcile: z.object({ shipmentId: id, requestId }),
  labels: z.object({ shipmentId: id, requestId }),
  transmit: z.object({ shipmentIds: z.array(id).min(1), requestId }),
  cancel: z.object({ itemId: id, requestId }),
  release: z.object({ itemId: id, requestId }),
  'check-address': z.object({ itemId: id, requestId }),
  'pickup-points': z.object({ itemId: id, requestId }),
  'live-rates': z.object({ itemId: id, requestId }),
  'book-pickup': z.object({ itemId: id, requestId }),
  'cancel-pickup': z.object({ itemId: id, requestId }),
  poll: z.object({ itemId: id, requestId }),
  correct: z.object({ itemId: id, requestId }),
  held: z.object({ contractId: id, requestId }),
  track: z.object({ shipmentIds: z.array(id).min(1), requestId }),
  send: z.object({ itemId: id, requestId }),
  import: z.object({ connectionId: id, requestId }),
  'import-order': z.object({ connectionId: id, externalId: z.string().min(1), requestId }),
  verify: z.object({ itemId: id, requestId }),
  'import-now': z.object({ itemId: id, requestId }),
  'test-endpoint': z.object({ itemId: id, requestId }),
  'verify-contract': z.object({ itemId: id, requestId }),
  print: z.object({ itemId: id, requestId }),
  deliver: z.object({ endpointId: id, requestId }),
} as const;

export type JobName = keyof typeof JOBS;
export type JobPayload<Name extends JobName> = z.infer<(typeof JOBS)[Name]>;

/**
 * One job to add. `id` is deterministic: adding it again is a no-op while a job with that id exists. The company is the one
 * whose turn it takes; deliveries of events take none.
 */
export type JobRequest = {
  [Name in JobName]: {
    name: Name;
    id: string;
    payload: z.input<(typeof JOBS)[Name]>;
    delayMs?: number;
  } & (Name extends 'deliver' ? unknown : { companyId: number });
}[JobName];

/** Returns one id per generation, so a booking that starts again gets a new job. */
export function bookJobId(shipmentId: number, generation: number): string {
  return `book-${shipmentId}-${generation}`;
}

/** Returns one id per lost attempt, however many callers ask. */
export function reconcileJobId(shipmentId: number, attemptId: number): string {
  return `reconcile-${shipmentId}-${attemptId}`;
}

/** Returns one id per shipment: once its labels are there, no other job is needed. */
export function labelsJobId(shipmentId: number): string {
  return `labels-${shipmentId}`;
}

/** Returns one id per fencing number of the endpoint. */
export function deliverJobId(endpointId: number, fence: number): string {
  return `deliver-${endpointId}-${fence}`;
}

/**
 * Returns the id of a first print. Passed on by another item, the id names both: the queue may still have the job that found the
 * printer busy.
 */
export function printJobId(itemId: number, afterItemId?: number): string {
  return afterItemId === undefined ? `print-${itemId}` : `print-${itemId}-after-${afterItemId}`;
}

/** Returns true for jobs that the schedule repeats. */
export function isPolling(name: JobName): boolean {
  return name === 'track' || name === 'held' || name === 'import';
}

/** Returns the queue for work that a person waits for. */
export function carrierQueue(carrierId: string): string {
  return `carrier-${carrierId}`;
}

/** Returns the queue for polls, kept apart so that they never delay a person. */
export function trackingQueue(carrierId: string): string {
  return `tracking-${carrierId}`;
}

export function marketplaceQueue(marketplaceId: string): string {
  return `marketplace-${marketplaceId}`;
}

/** Events for clients, kept apart from all shipping work. */
export const EVENTS_QUEUE = 'events';

/** Labels for printers, kept apart from carriers and events. */
export const PRINTERS_QUEUE = 'printers';
