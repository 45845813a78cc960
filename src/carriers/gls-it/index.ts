import { defineCarrier } from '../adapter.ts';
import { codeTable } from '../tracking.ts';
import { cancelShipment, checkAddress, createShipment, track } from './client.ts';
import { transmitShipments } from './close.ts';
import { findByReference } from './find.ts';
import { HELD } from './held.ts';
import { fetchAllLabels } from './labels.ts';
import { verifyAccount } from './list.ts';
import { checkDraft, MAX_PARCEL_GRAMS, MAX_PARCELS } from './mapping.ts';
import { RELEASE_ACTIONS, releaseHeld } from './releases.ts';
import { Account } from './schema.ts';
import { SERVICES } from './services.ts';
import { meaningOf } from './tracking-codes.ts';
import { PROVIDER } from './wire.ts';

export const glsIt = defineCarrier<Account>({
  id: 'gls-it',
  label: PROVIDER,
  logoUrl: '/logos/gls-it.svg',
  services: SERVICES,
  account: Account,
  limits: { maxParcels: MAX_PARCELS, maxWeightGrams: MAX_PARCEL_GRAMS },
  // GLS lets a call run for 600 s, so a call without an answer may still book that late. A third is added as margin.
  settlingMs: 800_000,
  supportsCod: true,
  supportsInsurance: true,
  customerCode: (account) => account.codiceClienteGls,
  // GLS's public page, in the form that public clients link to (read on 2026-11-22).
  trackingUrl: (trackingNumber) =>
    `https://www.gls-italy.com/?option=com_gls&view=track_e_trace&mode=search&numero_spedizione=${encodeURIComponent(trackingNumber)}&tipo_codice=nazionale`,
  // Two letters of the depot, then nine digits.
  carrierReferenceOf: (trackingNumber) => trackingNumber.slice(-9),
  held: HELD,
  heldActions: RELEASE_ACTIONS,
  check: checkDraft,
  verifyAccount,
  createShipment,
  findByReference,
  fetchLabels: fetchAllLabels,
  transmitShipments,
  cancelShipment,
  checksStreets: true,
  checkAddress,
  track,
  trackingCodes: codeTable(2, ({ code }) => meaningOf(code)),
  releaseHeld,
});
