import { defineCarrier } from '../adapter.ts';
import { codeTable } from '../tracking.ts';
import { checkDraft } from './check.ts';
import {
  cancelShipment,
  checkAddress,
  createShipment,
  transmitShipments,
  verifyAccount,
  withdrawByReference,
} from './client.ts';
import { PROVIDER } from './codes.ts';
import { findByReference } from './find.ts';
import { HELD } from './held.ts';
import { MAX_GRAMS, MAX_PARCELS } from './limits.ts';
import { findPickupPoints } from './pickup-points.ts';
import { Account } from './schema.ts';
import { SERVICES } from './services.ts';
import { track } from './tracking.ts';

import { DELIVERY_DATE, meaningOf } from './tracking-codes.ts';
import { trackingUrl } from './tracking-url.ts';

export const brt = defineCarrier<Account>({
  id: 'brt',
  label: PROVIDER,
  logoUrl: '/logos/brt.svg',
  services: SERVICES,
  account: Account,
  limits: { maxParcels: MAX_PARCELS, maxWeightGrams: MAX_GRAMS },
  // 18,000 requests per hour to the SOAP services, the only figure that was found.
  rateLimit: { max: 5, durationMs: 1000 },
  pollBudget: { capacity: 60, perSecond: 4 }, // a fifth is left to people who wait
  // BRT states nothing; its tracking is another system than the one that sells labels.
  settlingMs: 900_000,
  supportsCod: true,
  supportsInsurance: true,
  customerCode: (account) => account.senderCustomerCode,
  trackingUrl,
  // The second reference of a label that a person brings is not known: the first one names the shipment.
  carrierReferenceOf: () => '',
  check: checkDraft,
  verifyAccount,
  createShipment,
  findByReference,
  transmitShipments,
  cancelShipment,
  withdrawByReference,
  checkAddress,
  track,
  trackingCodes: codeTable(
    1,
    ({ code }) => meaningOf(code) ?? (code === DELIVERY_DATE ? { status: 'delivered' } : undefined),
  ),
  findPickupPoints,
  held: HELD,
});
