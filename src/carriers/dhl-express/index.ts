import { defineCarrier } from '../adapter.ts';
import { codeTable } from '../tracking.ts';
import { checkAddress } from './addresses.ts';
import { checkDraft } from './check.ts';
import { createShipment, findByReference } from './client.ts';
import { MAX } from './limits.ts';
import { bookPickup, cancelPickup } from './pickups.ts';
import { rates, verifyAccount } from './rates.ts';
import { PROVIDER } from './refusals.ts';
import { Account } from './schema.ts';
import { PRODUCTS, VALUE_ADDED } from './services.ts';
import { track } from './tracking.ts';
import { meaningOf } from './tracking-codes.ts';

/** Creating transmits, and DHL takes nothing back: there is neither `transmitShipments` nor `cancelShipment`. */
export const dhlExpress = defineCarrier<Account>({
  id: 'dhl-express',
  label: PROVIDER,
  logoUrl: '/logos/dhl-express.svg',
  services: [...PRODUCTS, ...VALUE_ADDED],
  account: Account,
  limits: { maxParcels: MAX.parcels, maxWeightGrams: MAX.shipmentGrams },
  // How soon tracking knows a new shipment was not found; an hour is long for a machine and short for a courier.
  settlingMs: 3_600_000,
  supportsCod: false,
  supportsInsurance: true,
  customerCode: (account) => account.accountNumber,
  trackingUrl: (trackingNumber) =>
    `https://www.dhl.com/it-it/home/tracking/tracking-express.html?submit=1&tracking-id=${encodeURIComponent(trackingNumber)}`,
  check: checkDraft,
  verifyAccount,
  createShipment,
  findByReference,
  rates,
  bookPickup,
  cancelPickup,
  checkAddress,
  track,
  trackingCodes: codeTable(1, ({ code }) => meaningOf(code)),
});
