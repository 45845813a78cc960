import type { z } from 'zod';
import type { HeldAction } from '../domain/held-actions.ts';
import type { EventStatus } from '../domain/tracking-status.ts';
import type { PartnerContext } from '../lib/call-partner.ts';

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

/** Everything a carrier is told about one shipment. Amounts in euro cents, weights in grams, sizes in millimetres. */
export interface ShipmentDraft {
  /** Ours, deterministic, at most 11 characters of A-Z and 0-9, unique for ever: the key of every later look-up. */
  reference: string;
  /** The number behind `reference`, for carriers that want digits: at most 9,999,999. */
  serial: number;
  orderNumber: string;
  sender: Party;
  recipient: Party;
  parcels: readonly DraftParcel[];
  cod: { amountCents: number; paymentType: string } | null;
  insuredCents: number | null;
  contents: string;
  note: string;
  /** Carrier service and option codes, as listed by the adapter. */
  options: readonly string[];
  labelFormat: LabelFormat;
}

export interface LabelFile {
  contentType: 'application/pdf' | 'application/zpl';
  bytes: Buffer;
}

/** What the carrier sold. */
export interface BookedShipment {
  trackingNumber: string;
  /** How the carrier names the shipment in its other calls, where that is not the tracking number. */
  carrierReference: string;
  /** As counted by the carrier; more than the draft's means that a repeat was merged. */
  parcelCount: number;
  labels: LabelFile[];
  /** What the carrier did not like although it sold the label, in its own words. */
  warnings: string[];
}

/** A shipment the carrier has, found by our reference. */
export interface FoundShipment extends BookedShipment {
  /** True when the carrier needs no `transmitShipments` for it any more. */
  confirmed: boolean;
}

/** One booked shipment, as later operations need it. */
export interface ShipmentHandle {
  reference: string;
  trackingNumber: string;
  carrierReference: string;
}

export interface TransmitResult {
  reference: string;
  ok: boolean;
  /** The carrier's words when not ok. */
  message: string;
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

export interface AddressCheck {
  /** `ok`: the carrier delivers there; `ambiguous`: several candidates; `not_found`: none is exact. */
  status: 'ok' | 'ambiguous' | 'not_found';
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
  /** As the carrier wrote it. */
  code: string;
  text: string;
  at: Date;
  location: string;
  note: string;
  /** From the adapter's table; `unrecognised` when the table has no such code: never guessed. */
  status: EventStatus;
  /** The carrier says it will be late. */
  delayed?: boolean;
}

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
  note: string;
  /** Wall-clock date YYYY-MM-DD of the wished redelivery. */
  redeliveryDate: string;
}

export interface ReleaseResult {
  ok: boolean;
  message: string;
  /** The carrier's answer as parsed, for `items[].raw`. */
  raw: Record<string, unknown>;
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
  /** How the carrier knows the shipper, as printed on a bordero. Given the account without its secrets. */
  customerCode?(account: Partial<Account>): string | undefined;
  trackingUrl?(trackingNumber: string, account: Account): string;
  /** How its other calls name the shipment of a tracking number; absent: by that number. For labels that a person brings. */
  carrierReferenceOf?(trackingNumber: string): string;
  /** Pure: runs inside the API request. Returns problems in plain words. */
  check?(draft: ShipmentDraft): string[];
  /** A harmless read that proves the credentials. Throws when they are refused. */
  verifyAccount?(context: CarrierContext<Account>): Promise<void>;
  /** Exactly one write, carrying `draft.reference`. */
  createShipment(context: CarrierContext<Account>, draft: ShipmentDraft): Promise<BookedShipment>;
  /** Turns an unknown outcome into a known one; `null` means the carrier has no such shipment. Only reads. */
  findByReference?(context: CarrierContext<Account>, draft: ShipmentDraft): Promise<FoundShipment | null>;
  /** Confirms what was created; confirming twice succeeds twice. Absent: the carrier needs no confirmation. */
  transmitShipments?(context: CarrierContext<Account>, shipments: ShipmentHandle[]): Promise<TransmitResult[]>;
  /** Cancelling twice succeeds twice. */
  cancelShipment?(context: CarrierContext<Account>, shipment: ShipmentHandle): Promise<void>;
  checkAddress?(context: CarrierContext<Account>, question: AddressQuestion): Promise<AddressCheck>;
  track?(context: CarrierContext<Account>, shipment: ShipmentHandle): Promise<TrackingReport>;
  /** What `releaseHeld` accepts. */
  heldActions?: readonly HeldAction[];
  releaseHeld?(context: CarrierContext<Account>, request: ReleaseRequest): Promise<ReleaseResult>;
}

/** A spec whose account type is checked at the door and then forgotten, so that one map can hold every carrier. */
export type Carrier = CarrierSpec<unknown>;

export function defineCarrier<Account>(spec: CarrierSpec<Account>): Carrier {
  return Object.freeze(spec) as unknown as Carrier;
}

export type CarrierRegistry = ReadonlyMap<string, Carrier>;
