import type { z } from 'zod';
import type { AddressCheckStatus } from '../domain/addresses/address-check-status.ts';
import type { HeldAction } from '../domain/held-actions.ts';
import type { HeldPolicy } from '../domain/held-policy.ts';
import type { HeldReason } from '../domain/held-reasons.ts';
import type { EventContext, EventStatus } from '../domain/tracking-status.ts';
import type { BudgetRule } from '../lib/budgets.ts';
import type { PartnerContext } from '../lib/call-partner.ts';
import type { IntegrationError } from '../lib/errors.ts';

export type CarrierContext<Account> = PartnerContext<Account>;

export interface Party {
  name: string;
  company: string;
  address: string;
  address2: string;
  city: string;
  zip: string;
  /** Two-letter Italian province, else free text; empty when the country has none. */
  province: string;
  /** ISO 3166 alpha-2. */
  countryCode: string;
  phone: string;
  email: string;
}

export interface DraftParcel {
  weightGrams: number;
  lengthMm: number;
  widthMm: number;
  heightMm: number;
}

export const LABEL_FORMATS = ['pdf-a6', 'pdf-a5', 'pdf-a4', 'zpl'] as const;
export type LabelFormat = (typeof LABEL_FORMATS)[number];

/** One line of the order, for customs. */
export interface DraftLine {
  sku: string;
  description: string;
  quantity: number;
  /** The value of one piece, without VAT. */
  unitValueCents: number;
  /** The weight of one piece; 0 when unknown. */
  weightGrams: number;
  /** Harmonised System code; empty when unknown. */
  commodityCode: string;
  /** ISO 3166 alpha-2; empty when unknown. */
  originCountry: string;
}

/** Everything a carrier is told about one shipment. Amounts in euro cents, weights in grams, sizes in millimetres. */
export interface ShipmentDraft {
  /** Ours, deterministic, at most 11 characters of A-Z and 0-9, unique for ever: the key of every later look-up. In digits: `domain/carrier-reference.ts`. */
  reference: string;
  /** A short number that counts up, for carriers that want one: at most 9,999,999, then it starts again. */
  serial: number;
  orderNumber: string;
  /** The sender is the customer, and the recipient the one who pays. Only for carriers with `ordersReturns`. */
  isReturn: boolean;
  sender: Party;
  recipient: Party;
  parcels: readonly DraftParcel[];
  cod: { amountCents: number; paymentType: string } | null;
  insuredCents: number | null;
  contents: string;
  lines: readonly DraftLine[];
  /** ISO 4217, of every amount here. */
  currency: string;
  /** The carrier's id of the locker or shop to deliver to; null: to the recipient's address. */
  pickupPointId: string | null;
  note: string;
  /** Carrier service and option codes, as listed by the adapter. */
  options: readonly string[];
  labelFormat: LabelFormat;
}

export interface LabelFile {
  contentType: 'application/pdf' | 'application/zpl';
  bytes: Buffer;
}

/** A file that is no label and comes with a shipment. */
export interface AccompanyingFile extends LabelFile {
  kind: 'return_label' | 'customs_invoice';
}

/** The shipment that the carrier sold. */
export interface BookedShipment {
  trackingNumber: string;
  /** How the carrier names the shipment in its other calls, where that is not the tracking number. */
  carrierReference: string;
  /** The carrier's count; more than the draft's means that a repeat was merged. */
  parcelCount: number;
  /** Empty when it sold the shipment and no label could be had: it counts as booked, and the label is asked for again. */
  labels: LabelFile[];
  /** Some labels came and others could not be had: the desk is told. Absent: the labels that came are all. */
  lacksLabels?: boolean;
  /** Absent: nothing but labels. */
  documents?: AccompanyingFile[];
  /** The carrier's objections to a label that it sold, in its own words. */
  warnings: string[];
}

/** A shipment the carrier has, found by our reference. */
export interface FoundShipment extends BookedShipment {
  /** Whether `cancelShipment` may be tried on it when it is of no use: without a label, or with parcels too many. */
  canBeTakenBack: boolean;
}

/** One booked shipment, as later operations need it. */
export interface ShipmentHandle {
  reference: string;
  trackingNumber: string;
  carrierReference: string;
  /** When it was booked, for carriers that use numbers again; null or absent: not known, as for a label that a person brings. */
  bookedAt?: Date | null;
}

export interface TransmitResult {
  reference: string;
  /** `failed` in the carrier's own words about this shipment; `unknown` when it says nothing of it. */
  outcome: 'succeeded' | 'failed' | 'unknown';
  /** The carrier's words unless it succeeded. */
  message: string;
  /** The carrier says that it has more than one shipment under the reference: a person must look. */
  hasSurplus?: boolean;
  /** The carrier's own list of what was confirmed; the same object for every shipment on it. */
  manifest?: LabelFile;
}

/** The twenty fields of the contract's address check, all strings, empty where the carrier is silent. */
export interface CheckedAddress {
  SiglaRegione: string;
  DescrizioneRegione: string;
  SiglaProvincia: string;
  DescrizioneProvincia: string;
  Cap: string;
  Frazione: string;
  Comune: string;
  Indirizzo: string;
  InoltroInProvincia: string;
  KmDistanzaSede: string;
  Sede: string;
  Zona: string;
  TempoDiResa: string;
  LocalitaDisagiata: string;
  ZTL: string;
  Express12: string;
  IdentPIN: string;
  LocalitaSaturdayExpress: string;
  GiorniPercorso: string;
  SaturdayExpressEffettuabile: string;
}

/** For carriers that say only some of it. */
export const NOTHING_SAID: CheckedAddress = {
  SiglaRegione: '',
  DescrizioneRegione: '',
  SiglaProvincia: '',
  DescrizioneProvincia: '',
  Cap: '',
  Frazione: '',
  Comune: '',
  Indirizzo: '',
  InoltroInProvincia: '',
  KmDistanzaSede: '',
  Sede: '',
  Zona: '',
  TempoDiResa: '',
  LocalitaDisagiata: '',
  ZTL: '',
  Express12: '',
  IdentPIN: '',
  LocalitaSaturdayExpress: '',
  GiorniPercorso: '',
  SaturdayExpressEffettuabile: '',
};

export interface AddressCheck {
  status: AddressCheckStatus;
  /** The carrier's words. */
  message: string;
  addresses: CheckedAddress[];
}

export interface AddressQuestion {
  province: string;
  city: string;
  address: string;
  zip: string;
}

export interface CarrierEvent {
  /** The carrier's own code. */
  code: string;
  text: string;
  at: Date;
  location: string;
  note: string;
  /** From the adapter's table; `unrecognised` when the table has no such code: never guessed. */
  status: EventStatus;
  /** The carrier says it will be late. */
  delayed?: boolean;
  /** Where the code alone does not say what it means; `status` is with it. */
  context?: EventContext;
  /** Why a parcel is held, or will be; for events that say so. */
  heldReason?: HeldReason;
  /** The carrier says that giacenza is about to open; null: not when. */
  announcesHeld?: { inDays: number | null };
}

/** An event as the carrier wrote it. */
export type RawEvent = Pick<CarrierEvent, 'code' | 'text' | 'note'>;
/** The meaning of an event by a table of codes alone, before its context. */
export type EventMeaning = Pick<CarrierEvent, 'status' | 'delayed'>;

export interface TrackingReport {
  /** In any order, repeats allowed: the caller keeps each event once. */
  events: CarrierEvent[];
  related: { type: 'return' | 'forward'; trackingNumber: string; date: Date | null }[];
  /** False when the carrier has no record yet: ask again later. */
  found: boolean;
}

export interface ReleaseRequest {
  shipment: ShipmentHandle;
  action: HeldAction;
  recipientPhone: string;
  /** Only for REDISPATCH_NEW_ADDRESS. */
  newAddress: Party | null;
  /** Only for actions that send it to a place of the carrier's: how the carrier names that. */
  pickupPointId: string;
  note: string;
  /** Wall-clock date YYYY-MM-DD of the wished redelivery. */
  redeliveryDate: string;
}

export interface ReleaseResult {
  /** False in the carrier's own words; an answer that says neither is thrown. */
  ok: boolean;
  message: string;
  /** The carrier's answer as parsed, for `items[].raw`. */
  raw: Record<string, unknown>;
}

/** A price that the carrier itself gives for a draft, at this moment. */
export interface LiveRate {
  serviceCode: string;
  serviceName: string;
  /** The price for the account, with VAT as the carrier counts it. */
  amountCents: number;
  currency: string;
  /** Wall-clock date YYYY-MM-DD of the promised delivery; null when the carrier does not say. */
  deliveryDate: string | null;
}

export interface PickupRequest {
  /** Ours, unique for ever, at most 20 characters. */
  reference: string;
  /** Wall-clock date YYYY-MM-DD. */
  date: string;
  /** Wall-clock HH:mm. */
  from: string;
  to: string;
  place: Party;
  parcels: readonly DraftParcel[];
  shipments: readonly ShipmentHandle[];
  note: string;
}

export interface BookedPickup {
  /** How the carrier names it. */
  confirmation: string;
  message: string;
}

/** A locker or shop where parcels can be sent to. */
export interface PickupPoint {
  id: string;
  name: string;
  type: 'locker' | 'shop' | 'office';
  address: string;
  city: string;
  zip: string;
  province: string;
  countryCode: string;
  latitude: number | null;
  longitude: number | null;
  /** In the carrier's words. */
  openingHours: string;
  takesCod: boolean | null;
}

export interface PickupPointQuestion {
  zip: string;
  city: string;
  countryCode: string;
}

/** A parcel in giacenza, as the carrier lists it. */
export interface HeldParcel {
  trackingNumber: string;
  reference: string;
  /** In the carrier's words. */
  reason: string;
  cause: HeldReason;
  since: Date | null;
  /** When the carrier decides by itself. */
  deadline: Date | null;
  isReleasable: boolean;
}

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
