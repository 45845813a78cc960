/**
 * A shop's knowledge of the shipments of an order. `told`: it took the numbers. `read_back`: it showed them when it was
 * read later. `missing`: it lacks the number of a transmitted shipment. `told_another`: it has another number.
 */
export const CONFIRMATION_STATES = ['told', 'read_back', 'missing', 'told_another'] as const;
export type ConfirmationState = (typeof CONFIRMATION_STATES)[number];
