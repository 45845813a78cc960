import { defineCarrier } from '../adapter.ts';
import { codeTable } from '../tracking.ts';
import { cancelPickup, cancelShipment } from './cancellations.ts';
import { checkDraft } from './check.ts';
import { createShipment, fetchLabels, findByReference } from './client.ts';
import { findPickupPoints } from './pickup-points.ts';
import { bookPickup } from './pickups.ts';
import { PROVIDER } from './refusals.ts';
import { Account } from './schema.ts';
import { MAX_GRAMS, MAX_PARCELS, SIZES } from './services.ts';
import { verifyAccount } from './shipment-list.ts';
import { track } from './tracking.ts';
import { meaningOf } from './tracking-codes.ts';

/** InPost confirms by itself, so there is no `transmitShipments`. */
export const inpostIt = defineCarrier<Account>({
  id: 'inpost-it',
  label: PROVIDER,
  logoUrl: '/logos/inpost-it.svg',
  services: SIZES.map(({ code, name }) => ({ code, name })),
  account: Account,
  limits: { maxParcels: MAX_PARCELS, maxWeightGrams: MAX_GRAMS },
  // InPost states nothing. Booking goes on after the answer, but the order is in the list from the beginning.
  settlingMs: 300_000,
  supportsCod: true,
  supportsInsurance: false,
  customerCode: (account) => account.organizationId,
  trackingUrl: (trackingNumber) => `https://inpost.it/trova-il-tuo-pacco?number=${encodeURIComponent(trackingNumber)}`,
  // ShipX names shipments by an id of its own, which a label does not show: it is looked up when it is needed.
  carrierReferenceOf: () => '',
  check: checkDraft,
  verifyAccount,
  createShipment,
  findByReference,
  fetchLabels,
  cancelShipment,
  bookPickup,
  cancelPickup,
  findPickupPoints,
  track,
  trackingCodes: codeTable(1, ({ code }) => meaningOf(code)),
});
