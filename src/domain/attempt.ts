/** One try of a write at a partner. `resolve` is the decision of a person about a shipment. */
export const ATTEMPT_OPERATIONS = ['create', 'transmit', 'cancel', 'release', 'send', 'resolve'] as const;
export type AttemptOperation = (typeof ATTEMPT_OPERATIONS)[number];

export const ATTEMPT_OUTCOMES = ['running', 'succeeded', 'failed', 'unknown'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** Code of an attempt that a look-up did not find. This is a conclusion: the carrier's own late answer corrects it. */
export const NEVER_SEEN = 'never-seen';
/** Code of an attempt whose answer was lost before the partner said that it was not done. This is a conclusion too. */
export const RULED_OUT = 'ruled-out';
/** Outcomes that the partner's own late answer corrects. */
export const CONCLUSIONS: readonly string[] = [NEVER_SEEN, RULED_OUT];
