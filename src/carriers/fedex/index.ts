import { defineCarrier } from '../adapter.ts';
import { codeTable } from '../tracking.ts';
import { checkDraft } from './check.ts';
import { cancelShipment, createShipment } from './client.ts';
import { findByReference } from './find.ts';
import { MAX } from './limits.ts';
import { rates, verifyAccount } from './rates.ts';
import { PROVIDER } from './refusals.ts';
import { Account } from './schema.ts';
import { SERVICES } from './services.ts';
import { MAX_NUMBERS, track, trackMany } from './tracking.ts';
import { meaningOf } from './tracking-codes.ts';

/** Creating transmits: there is no `transmitShipments`. A label is given out once: there is no `fetchLabels`. */
export const fedex = defineCarrier<Account>({
  id: 'fedex',
  label: PROVIDER,
  logoUrl: '/logos/fedex.svg',
  services: SERVICES,
  account: Account,
  limits: { maxParcels: MAX.parcels, maxWeightGrams: MAX.parcelGrams },
  // The limit of one project, as published; the projects for shipping and for tracking have it each.
  rateLimit: { max: 1400, durationMs: 10_000 },
  pollBudget: { capacity: 200, perSecond: 100 },
  // How soon tracking knows a new shipment was not found; an hour is long for a machine.
  settlingMs: 3_600_000,
  supportsCod: false,
  supportsInsurance: true,
  ordersReturns: true,
  customerCode: (account) => account.accountNumber,
  trackingUrl: (trackingNumber) => `https://www.fedex.com/fedextrack/?trknbr=${encodeURIComponent(trackingNumber)}`,
  check: checkDraft,
  verifyAccount,
  createShipment,
  findByReference,
  cancelShipment,
  rates,
  track,
  trackMany: { max: MAX_NUMBERS, track: trackMany },
  trackingCodes: codeTable(2, ({ code }) => meaningOf(code)),
});
