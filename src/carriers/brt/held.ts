import type { HeldPolicy } from '../../domain/held-policy.ts';

/**
 * BRT offers no release by its interfaces (none was found by 2026-11-21): its portal does. How long it waits, what it does then and what a
 * decision costs depends on the contract and was not found.
 */
export const HELD: HeldPolicy = {
  portalActions: [
    'REDISPATCH_SAME_ADDRESS',
    'REDISPATCH_NEW_ADDRESS',
    'RETURN_TO_SENDER',
    'DESTROY',
    'PICKUP_AT_DEPOT',
  ],
  billed: {},
  term: null,
  byDefault: null,
  portalSteps: [
    "Sign in to BRT's customer portal (vas.brt.it).",
    'Look for the shipment by its tracking number or reference.',
    'Choose there what becomes of the parcel.',
    'Say here that it is done, with the same action.',
  ],
};
