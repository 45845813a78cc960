import { z } from 'zod';

const id = z.number().int().positive();
/** Follows one request through jobs, logs and exchanges. */
const requestId = z.string().default('');

/** Every job: its name is the verb, its payload ids only. Yesterday's payloads must still parse. */
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
  held: z.object({ contractId: id, requestId }),
  track: z.object({ shipmentIds: z.array(id).min(1), requestId }),
  send: z.object({ itemId: id, requestId }),
  import: z.object({ connectionId: id, requestId }),
  'import-order': z.object({ connectionId: id, externalId: z.string().min(1), requestId }),
  deliver: z.object({ endpointId: id, requestId }),
} as const;

export type JobName = keyof typeof JOBS;
export type JobPayload<Name extends JobName> = z.infer<(typeof JOBS)[Name]>;

/** One job to add. `id` is deterministic: while a job with that id exists, adding it again changes nothing. */
export type JobRequest = {
  [Name in JobName]: { name: Name; id: string; payload: z.input<(typeof JOBS)[Name]>; delayMs?: number };
}[JobName];

/** One booking per generation: a booking that starts anew gets a new job. */
export function bookJobId(shipmentId: number, generation: number): string {
  return `book-${shipmentId}-${generation}`;
}

/** One look-up per lost attempt, whoever asks for it. */
export function reconcileJobId(shipmentId: number, attemptId: number): string {
  return `reconcile-${shipmentId}-${attemptId}`;
}

/** One per shipment: once its labels are there, nobody asks again. */
export function labelsJobId(shipmentId: number): string {
  return `labels-${shipmentId}`;
}

/** One run per fencing number of the endpoint. */
export function deliverJobId(endpointId: number, attempt: number): string {
  return `deliver-${endpointId}-${attempt}`;
}

/** Jobs that the schedule repeats by itself. */
export function isPolling(name: JobName): boolean {
  return name === 'track' || name === 'held' || name === 'import';
}

/** Work a person waits for. */
export function carrierQueue(carrierId: string): string {
  return `carrier-${carrierId}`;
}

/** Polling, kept apart so that it never delays a person. */
export function trackingQueue(carrierId: string): string {
  return `tracking-${carrierId}`;
}

export function marketplaceQueue(marketplaceId: string): string {
  return `marketplace-${marketplaceId}`;
}

/** Events on their way to clients, apart from everything that ships. */
export const EVENTS_QUEUE = 'events';
