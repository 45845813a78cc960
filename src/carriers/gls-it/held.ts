import type { HeldPolicy } from '../../domain/held-policy.ts';

/**
 * The rules of GLS Italy's public pages on giacenza, read on 2026-11-21. Releases of type 1, 2 and 3 are charged, 4 and
 * 7 are not. After ten days without instructions the parcel is returned or destroyed. Whether those are working days is
 * not said: calendar days are the safe reading. The actions of its portal were not found.
 */
export const HELD: HeldPolicy = {
  portalActions: null,
  billed: {
    REDISPATCH_SAME_ADDRESS: true,
    REDISPATCH_NEW_ADDRESS: true,
    RETURN_TO_SENDER: true,
    DESTROY: false,
    PICKUP_AT_DEPOT: false,
  },
  term: { days: 10, of: 'calendar' },
  byDefault: 'return_or_destroy',
  portalSteps: null,
};
