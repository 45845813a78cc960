import { defineCarrier } from '../adapter.ts';
import { codeTable } from '../tracking.ts';
import { findPickupPoints } from './access-points.ts';
import { checkDraft } from './check.ts';
import { cancelShipment, createShipment } from './client.ts';
import { findByReference } from './find.ts';
import { fetchLabels } from './labels.ts';
import { MAX } from './limits.ts';
import { bookPickup, cancelPickup } from './pickups.ts';
import { rates, verifyAccount } from './rates.ts';
import { PROVIDER } from './refusals.ts';
import { Account } from './schema.ts';
import { SERVICES } from './services.ts';
import { track } from './tracking.ts';
import { meaningOf } from './tracking-codes.ts';

/** Creating transmits: there is no `transmitShipments`. */
export const ups = defineCarrier<Account>({
  id: 'ups',
  label: PROVIDER,
  logoUrl: '/logos/ups.svg',
  services: SERVICES,
  account: Account,
  limits: { maxParcels: MAX.parcels, maxWeightGrams: MAX.parcelGrams },
  // How soon tracking and label recovery know a new shipment was not found; an hour is long for a machine.
  settlingMs: 3_600_000,
  supportsCod: true,
  supportsInsurance: true,
  ordersReturns: true,
  customerCode: (account) => account.shipperNumber,
  trackingUrl: (trackingNumber) => `https://www.ups.com/track?loc=it_IT&tracknum=${encodeURIComponent(trackingNumber)}`,
  check: checkDraft,
  verifyAccount,
  createShipment,
  findByReference,
  fetchLabels,
  cancelShipment,
  rates,
  bookPickup,
  cancelPickup,
  findPickupPoints,
  track,
  trackingCodes: codeTable(2, meaningOf),
});
