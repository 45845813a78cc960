import type { z } from 'zod';
import type { HeldAction } from '../domain/held-actions.ts';
import type { HeldPolicy } from '../domain/held-policy.ts';
import type { BudgetRule } from '../lib/budgets.ts';
import type { PartnerContext } from '../lib/call-partner.ts';
import type { IntegrationError } from '../lib/errors.ts';
import type { AddressCheck, AddressQuestion } from './adapter/address.ts';
import type { HeldParcel, ReleaseRequest, ReleaseResult } from './adapter/held.ts';
import type { BookedPickup, PickupPoint, PickupPointQuestion, PickupRequest } from './adapter/pickups.ts';
import type {
  BookedShipment,
  FoundShipment,
  LabelFile,
  LiveRate,
  ShipmentDraft,
  ShipmentHandle,
  TransmitResult,
} from './adapter/shipment.ts';
import type { EventMeaning, RawEvent, TrackingReport } from './adapter/tracking.ts';

export * from './adapter/address.ts';
export * from './adapter/held.ts';
export * from './adapter/pickups.ts';
export * from './adapter/shipment.ts';
export * from './adapter/tracking.ts';

export type CarrierContext<Account> = PartnerContext<Account>;

export interface CarrierService {
  code: string;
  name: string;
}

/** A method that is present is a capability; a method that is absent is not supported. */
export interface CarrierSpec<Account> {
  /** Same as the folder name. */
  id: string;
  label: string;
  logoUrl: string;
  services: readonly CarrierService[];
  /** Validated at the door, so the methods get a typed account. Secret fields carry `.meta({ secret: true })`. */
  account: z.ZodType<Account>;
  limits: { maxParcels: number; maxWeightGrams: number };
  /** How many jobs per time all workers together may start. */
  rateLimit?: { max: number; durationMs: number };
  /** How long after a call a shipment may still be missing from `findByReference`. */
  settlingMs: number;
  supportsCod: boolean;
  supportsInsurance: boolean;
  /** Whether it is asked for labels with which a customer sends parcels back; absent: never. */
  ordersReturns?: boolean;
  /** How the carrier knows the shipper, as printed on a bordero. Given the account without its secrets. */
  customerCode?(account: Partial<Account>): string | undefined;
  trackingUrl?(trackingNumber: string, account: Account): string;
  /** How its other calls name the shipment of a tracking number; absent: by that number. For labels that a person brings. */
  carrierReferenceOf?(trackingNumber: string): string;
  /** Pure: runs inside the API request. Returns problems in plain words. Given the account without its secrets. */
  check?(draft: ShipmentDraft, account: Partial<Account>): string[];
  /** A harmless read that proves the credentials. Throws when they are refused. */
  verifyAccount?(context: CarrierContext<Account>): Promise<void>;
  /** Exactly one write, carrying `draft.reference`. */
  createShipment(context: CarrierContext<Account>, draft: ShipmentDraft): Promise<BookedShipment>;
  /** Turns an unknown outcome into a known one; `null` means the carrier has no such shipment. Only reads. */
  findByReference?(context: CarrierContext<Account>, draft: ShipmentDraft): Promise<FoundShipment | null>;
  /**
   * Takes back whatever the carrier may have under our reference; nothing there succeeds too. For a carrier whose look-up may miss
   * a shipment: before a lost booking is repeated, it makes sure.
   */
  withdrawByReference?(context: CarrierContext<Account>, draft: ShipmentDraft): Promise<void>;
  /** The labels of what was booked, given out once more; only reads. For a booking whose labels did not arrive with it. */
  fetchLabels?(context: CarrierContext<Account>, draft: ShipmentDraft, shipment: ShipmentHandle): Promise<LabelFile[]>;
  /** Confirms what was created; confirming twice succeeds twice. Absent: the carrier needs no confirmation. */
  transmitShipments?(context: CarrierContext<Account>, shipments: ShipmentHandle[]): Promise<TransmitResult[]>;
  /** Cancelling twice succeeds twice. */
  cancelShipment?(context: CarrierContext<Account>, shipment: ShipmentHandle): Promise<void>;
  /** Prices of the services the account may use for this draft, in any order. */
  rates?(context: CarrierContext<Account>, draft: ShipmentDraft): Promise<LiveRate[]>;
  bookPickup?(context: CarrierContext<Account>, request: PickupRequest): Promise<BookedPickup>;
  /** Cancelling twice succeeds twice. */
  cancelPickup?(context: CarrierContext<Account>, confirmation: string): Promise<void>;
  /** Nearest first. Absent: the carrier delivers to no pick-up points, and drafts with one are refused. */
  findPickupPoints?(context: CarrierContext<Account>, question: PickupPointQuestion): Promise<PickupPoint[]>;
  /** Everything of the account that waits in giacenza. */
  listHeld?(context: CarrierContext<Account>): Promise<HeldParcel[]>;
  /** Whether `checkAddress` also looks for the street; else it knows places and postal codes only. */
  checksStreets?: boolean;
  checkAddress?(context: CarrierContext<Account>, question: AddressQuestion): Promise<AddressCheck>;
  track?(context: CarrierContext<Account>, shipment: ShipmentHandle): Promise<TrackingReport>;
  /** The same for up to `max` shipments in one question; answers in their order. */
  trackMany?: {
    max: number;
    /** One that the carrier refuses is that refusal, and does not keep the others from theirs. */
    track(
      context: CarrierContext<Account>,
      shipments: readonly ShipmentHandle[],
    ): Promise<(TrackingReport | IntegrationError)[]>;
  };
  /** The meaning of codes, for raw events that are read again. `version` rises when the table behind it changes. */
  trackingCodes?: { version: number; read(event: RawEvent): EventMeaning };
  /** How many looks at parcels an account may make, all workers together; people who wait come before them. */
  pollBudget?: BudgetRule;
  /** How it treats parcels in giacenza; absent: nothing is known. */
  held?: HeldPolicy;
  /** The actions that `releaseHeld` accepts. */
  heldActions?: readonly HeldAction[];
  releaseHeld?(context: CarrierContext<Account>, request: ReleaseRequest): Promise<ReleaseResult>;
}

/** A spec whose account type is checked at the door and then forgotten, so that one map can hold every carrier. */
export type Carrier = CarrierSpec<unknown>;

const defined = new WeakSet<object>();

/** Makes the carrier that registries hold, and refuses drafts with a pick-up point where `findPickupPoints` is absent. */
export function defineCarrier<Account>(spec: CarrierSpec<Account>): Carrier {
  const check: CarrierSpec<Account>['check'] = (draft, account) => [
    ...pickupPointProblems(spec, draft),
    ...(spec.check?.(draft, account) ?? []),
  ];
  const carrier = Object.freeze({ ...spec, check }) as unknown as Carrier;
  defined.add(carrier);
  return carrier;
}

/** Tells whether `defineCarrier` made the value. */
export function isCarrier(value: unknown): value is Carrier {
  return typeof value === 'object' && value !== null && defined.has(value);
}

/** A carrier that reads no pick-up point would send the parcel to the recipient's address without a word. */
function pickupPointProblems(
  { label, findPickupPoints }: Pick<CarrierSpec<never>, 'label' | 'findPickupPoints'>,
  { pickupPointId }: ShipmentDraft,
): string[] {
  if (findPickupPoints || pickupPointId === null) return [];
  return [`${label} delivers to addresses only here: choose another carrier, or leave the pick-up point out`];
}

export type CarrierRegistry = ReadonlyMap<string, Carrier>;
