import type { HeldPolicy } from '../../domain/held-policy.ts';

/**
 * Poste's list names the last day of each parcel, which goes first. Ten working days is the term of Poste's pages for
 * consumers, for parcels that wait at an office (read on 2026-11-21). The customer's contract says what Poste does
 * then; the price of a decision was not found.
 */
export const HELD: HeldPolicy = {
  portalActions: null,
  billed: {},
  term: { days: 10, of: 'working' },
  byDefault: null,
  portalSteps: null,
};
