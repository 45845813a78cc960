/** Reasons why an order holds the data of its person, the first that applies. */
export const ERASURE_HOLDS = {
  'order-open': 'The order is not over',
  'on-its-way': 'A parcel of the order is on its way, or its label may still be booked or cancelled',
  'parcel-held': 'A parcel of the order is held by its carrier',
  'return-open': 'A return of the order is on its way',
  'correction-open': 'A correction or cancellation of the order waits for its carrier',
  'work-open': 'An operation of the order is still in progress',
  'attention-open': 'A shipment of the order needs a decision by a person',
  'documents-away': 'The bucket of its documents is unavailable',
} as const;
export type ErasureHold = keyof typeof ERASURE_HOLDS;
