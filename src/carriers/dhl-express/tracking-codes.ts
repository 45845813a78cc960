import type { HeldReason } from '../../domain/held-reasons.ts';
import type { TrackingStatus } from '../../domain/tracking-status.ts';

export interface CodeMeaning {
  status: TrackingStatus;
  /** DHL says that it will be late. */
  delayed?: true;
  heldReason?: HeldReason;
  announcesHeld?: { inDays: number | null };
}

const late: CodeMeaning = { status: 'in_transit', delayed: true };
const on = (status: TrackingStatus, heldReason?: HeldReason): CodeMeaning => ({
  status,
  ...(heldReason ? { heldReason } : {}),
});
/** DHL waits for an answer before it holds the parcel or sends it back. */
const soon = (heldReason: HeldReason): CodeMeaning => ({
  ...on('attempt_failed', heldReason),
  announcesHeld: { inDays: null },
});

/**
 * DHL Express event code to our status: the codes of DHL's public status list (rows "express" with two letters). Codes
 * that the tracking sample of the MyDHL API 3.1.1 description marks as visible to customers are there too. Both were
 * read on 2026-11-21.
 * Codes that DHL keeps for itself are left out, since no customer gets them.
 * These are `BL, CI, CU, DI, DM, DP, ES, HI, HN, HO`
 * and `IA, IR, LV, NA, RW, SI, ST, TD, TI, TT, UV`.
 */
export const TRACKING_CODES: Readonly<Record<string, CodeMeaning>> = {
  DUMMY_PU: on('awaiting_pickup'), // shipment information received
  SA: on('awaiting_pickup'), // shipment acceptance
  PU: on('picked_up'),
  PL: on('in_transit'), // processed at location
  DF: on('in_transit'), // departed facility
  AF: on('in_transit'), // arrived at facility
  AR: on('in_transit'), // arrived at delivery facility
  TR: on('in_transit'), // record of transfer
  FD: on('in_transit'), // forward destination
  TP: on('in_transit'), // forwarded to a third party, who delivers it: DHL says nothing more
  AD: on('in_transit'), // agreed delivery
  SM: on('in_transit'), // scheduled for movement
  SC: on('in_transit'), // service changed
  RR: on('in_transit'), // response received
  MC: late, // miscode
  MS: late, // mis-sort
  MD: late, // missed delivery cycle
  // customs: two of them are delays in DHL's own words
  IC: on('in_transit'), // in clearance processing
  CR: on('in_transit'), // clearance release
  BN: on('in_transit'), // customer's broker notified
  BR: on('in_transit'), // released to the broker
  CD: late, // controllable clearance delay
  UD: late, // uncontrollable clearance delay
  // at the door
  WC: on('out_for_delivery'), // with delivering courier
  OK: on('delivered'),
  PD: on('in_transit'), // partial delivery
  // Delivered, but a person must see it: `delivered` would be final and end the tracking in silence.
  DD: on('exception'), // delivered damaged
  CC: on('available_for_pickup'), // awaiting collection by the consignee
  NH: on('attempt_failed', 'absent'), // not home
  CA: on('attempt_failed', 'closed'), // closed on arrival
  ND: on('attempt_failed'), // not delivered
  BA: soon('address_wrong'), // bad address
  CM: soon('other_address'), // customer moved
  RD: soon('refused'), // refused delivery
  // waiting
  OH: on('held'), // on hold
  HP: on('held', 'charges_unpaid'), // held for payment
  PY: on('held', 'charges_unpaid'), // payment, since 4 June 2024
  SS: on('held', 'stopped'), // shipment stopped
  CS: on('exception'), // closed shipment
  // the end, otherwise
  RT: on('returned'), // returned to consignor
  DS: on('destroyed'), // destroyed / disposal
};

export function meaningOf(code: string): CodeMeaning | undefined {
  return Object.hasOwn(TRACKING_CODES, code) ? TRACKING_CODES[code] : undefined;
}
