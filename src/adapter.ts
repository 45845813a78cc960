/**
 * `smista/adapter`: the public interface for carrier and marketplace adapters, inside this repository or outside of it.
 *
 * `@stability stable`: changes only with a new major version; new optional members may come with any release.
 * `@stability experimental`: may change with any release, and the changelog says so.
 */

/** The zod of this smista, which reads account schemas. @stability stable */
export { z } from 'zod';
/** The carrier interface, with the types of its requests and answers. @stability stable */
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
/** Converts text to what carriers accept. @stability experimental */
export { composedText, latin1Text, latinText, linesOf, phoneDigits, shorten } from './carriers/text.ts';
/** Builds the value of `trackingCodes` from a table. @stability stable */
export { codeTable } from './carriers/tracking.ts';
/** The decisions that a sender can make about a held parcel. @stability stable */
export type { HeldAction } from './domain/held-actions.ts';
/** How a carrier treats held parcels. @stability stable */
export type { HeldPolicy } from './domain/held-policy.ts';
/** @stability stable */
export type { HeldReason } from './domain/held-reasons.ts';
/** The closed list of error codes for marketplaces. @stability stable */
export { MARKETPLACE_ERRORS, type MarketplaceErrorType } from './domain/marketplace-error.ts';
/** The statuses of a parcel and of a tracking event. @stability stable */
export type { EventStatus, TrackingStatus } from './domain/tracking-status.ts';
/** The only error that an adapter throws. @stability stable */
export { type FailureKind, IntegrationError } from './lib/errors.ts';
/** The client behind `context.http`. @stability stable */
export type { Effect, Http, HttpRequest, HttpResponse } from './lib/http.ts';
/** Parses JSON; returns undefined for any other text. @stability stable */
export { parseJson } from './lib/parse-json.ts';
/** Reads a list element by element: a malformed element loses only itself. @stability stable */
export { readEach, warnOf } from './lib/read-each.ts';
/** Calls with a token, and fetches a new one when the partner refuses it. @stability stable */
export { isUnauthorised, withToken } from './lib/with-token.ts';
/** The marketplace interface, with the types of its requests and answers. @stability stable */
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
  type PartsTold,
  type ShipmentConfirmation,
  type TrackedParcel,
  type WebhookDelivery,
  type WebhookHint,
} from './marketplaces/adapter.ts';
/** Adds decimal amounts. @stability experimental */
export { gross, money } from './marketplaces/amounts.ts';
/** Reads a page of orders: an unreadable order does not stop the others. @stability stable */
export { importEach } from './marketplaces/import-each.ts';
/** Schemas for shops that omit fields or change their types. @stability experimental */
export { Amount, Flag, List, lenientObject, Prose, Text } from './marketplaces/lenient.ts';
