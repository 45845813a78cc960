import { defineCarrier } from '../adapter.ts';
import { codeTable } from '../tracking.ts';
import { checkDraft } from './check.ts';
import { createShipment, verifyAccount } from './client.ts';
import { PROVIDER } from './codes.ts';
import { listHeld, RELEASE_ACTIONS, releaseHeld } from './deposits.ts';
import { HELD } from './held.ts';
import { MAX } from './limits.ts';
import { findPickupPoints } from './pickup-points.ts';
import { bookPickup } from './pickups.ts';
import { Account } from './schema.ts';
import { ACCESSORIES, PRODUCTS } from './services.ts';
import { track } from './tracking.ts';
import { statusOf } from './tracking-codes.ts';

/** Poste has no look-up by reference, no cancellation and no confirmation: a lost answer to a waybill needs a person. */
export const posteIt = defineCarrier<Account>({
  id: 'poste-it',
  label: PROVIDER,
  logoUrl: '/logos/poste-it.svg',
  services: [...PRODUCTS, ...ACCESSORIES],
  account: Account,
  limits: { maxParcels: MAX.parcels, maxWeightGrams: MAX.parcelGrams },
  // Nothing can be looked up, so nothing is waited for.
  settlingMs: 0,
  supportsCod: true,
  supportsInsurance: true,
  customerCode: (account) => account.costCenterCode,
  // Poste's public page, in the form that public clients link to (read on 2026-11-22).
  trackingUrl: (trackingNumber) =>
    `https://www.poste.it/cerca/index.html#/risultati-spedizioni/${encodeURIComponent(trackingNumber)}`,
  check: checkDraft,
  verifyAccount,
  createShipment,
  track,
  trackingCodes: codeTable(2, ({ code, note }) => ({
    status: statusOf({ status: code, phase: note.split(', ')[0] ?? '' }),
  })),
  bookPickup,
  findPickupPoints,
  listHeld,
  held: HELD,
  heldActions: RELEASE_ACTIONS,
  releaseHeld,
});
