/** One try of a write at a partner. `resolve` is the decision of a person about a shipment. */
export const ATTEMPT_OPERATIONS = ['create', 'transmit', 'cancel', 'release', 'send', 'resolve'] as const;
export type AttemptOperation = (typeof ATTEMPT_OPERATIONS)[number];

export const ATTEMPT_OUTCOMES = ['running', 'succeeded', 'failed', 'unknown'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
