/**
 * `smista/adapter`: what a carrier or marketplace is written with, inside this repository or outside of it.
 *
 * `@stability stable`: changes only with a new major version; new optional members may come with any release.
 * `@stability experimental`: may change with any release, and the changelog says so.
 */

/** The zod of this smista: the account schema is read with it. @stability stable */
export { z } from 'zod';
/** A carrier and everything it is told and answers. @stability stable */
export {
  type AddressCheck,
  type AddressQuestion,
  type BookedPickup,
  type BookedShipment,
  type Carrier,
  type CarrierContext,
  type CarrierEvent,
  type CarrierSpec,
  type CheckedAddress,
  defineCarrier,
  type FoundShipment,
  type HeldParcel,
  type LabelFile,
  type LiveRate,
  NOTHING_SAID,
  type Party,
  type PickupPoint,
  type PickupPointQuestion,
  type PickupRequest,
  type ReleaseRequest,
  type ReleaseResult,
  type ShipmentDraft,
  type ShipmentHandle,
  type TrackingReport,
  type TransmitResult,
} from './carriers/adapter.ts';
/** Text as carriers take it. @stability experimental */
export { composedText, latin1Text, latinText, linesOf, phoneDigits, shorten } from './carriers/text.ts';
/** A table of tracking codes for `trackingCodes`. @stability stable */
export { codeTable } from './carriers/tracking.ts';
/** What may be decided about a held parcel, and how a carrier treats one. @stability stable */
export type { HeldAction } from './domain/held-actions.ts';
/** @stability stable */
export type { HeldPolicy } from './domain/held-policy.ts';
/** @stability stable */
export type { HeldReason } from './domain/held-reasons.ts';
/** The closed list of `code`s that a marketplace's errors have. @stability stable */
export { MARKETPLACE_ERRORS, type MarketplaceErrorType } from './domain/marketplace-error.ts';
/** Where a parcel is. @stability stable */
export type { EventStatus, TrackingStatus } from './domain/tracking-status.ts';
/** The only error that an adapter throws. @stability stable */
export { type FailureKind, IntegrationError } from './lib/errors.ts';
/** The client behind `context.http`. @stability stable */
export type { Effect, Http, HttpRequest, HttpResponse } from './lib/http.ts';
/** Undefined for a text that is not JSON. @stability stable */
export { parseJson } from './lib/parse-json.ts';
/** Lists of which one odd element loses only itself. @stability stable */
export { readEach, warnOf } from './lib/read-each.ts';
/** Calls with a token that is fetched anew once it is refused. @stability stable */
export { isUnauthorised, withToken } from './lib/with-token.ts';
/** A marketplace and everything it is told and answers. @stability stable */
export {
  type ConfirmedShipment,
  defineMarketplace,
  type ImportedAddress,
  type ImportedLine,
  type ImportedOrder,
  type Marketplace,
  type MarketplaceContext,
  type MarketplaceSpec,
  type OrderPage,
  type OrderWindow,
  type ShipmentConfirmation,
  type WebhookDelivery,
  type WebhookHint,
} from './marketplaces/adapter.ts';
/** Sums of decimal amounts. @stability experimental */
export { gross, money } from './marketplaces/amounts.ts';
/** A page of orders, of which one unreadable order stops none of the others. @stability stable */
export { importEach } from './marketplaces/import-each.ts';
/** Schemas for shops that leave fields out or change their types. @stability experimental */
export { Amount, Flag, List, lenientObject, Prose, Text } from './marketplaces/lenient.ts';
