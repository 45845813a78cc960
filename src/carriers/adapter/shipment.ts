/** A shipment as carriers are told about it, and as they sold it. */

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
