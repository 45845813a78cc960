import type { HeldPolicy } from '../../domain/held-policy.ts';

/**
 * Poste's list names the last day of each parcel, which goes first; ten working days is what Poste's pages for consumers say of parcels
 * that wait at an office (read on 2026-11-21). What it then does is agreed with the customer, and what a decision costs was not found.
 */
export const HELD: HeldPolicy = {
  portalActions: null,
  billed: {},
  term: { days: 10, of: 'working' },
  byDefault: null,
  portalSteps: null,
};
