import { z } from 'zod';
import { baseUrl, raws, required, text } from '../fields.ts';

export const INCOTERMS = [
  'EXW',
  'FCA',
  'CPT',
  'CIP',
  'DPU',
  'DAP',
  'DDP',
  'FAS',
  'FOB',
  'CFR',
  'CIF',
  'DAF',
  'DAT',
  'DDU',
  'DEQ',
  'DES',
] as const;

const product = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9]{1,6}$/, 'a product code of DHL, one to six letters or digits')
  .transform((code) => code.toUpperCase());
const accountNumber = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9]{1,12}$/, 'up to twelve characters');
const registration = z.string().trim().min(1).max(35);

export const Account = z.object({
  /** The user of the API, not of the portal. */
  username: z.string().trim().min(1).meta({ title: 'Username API' }),
  password: z.string().min(1).meta({ title: 'Password API', secret: true }),
  accountNumber: accountNumber.meta({ title: 'Codice cliente DHL' }),
  /** Whom duties and taxes are billed to, where that is not settled by the incoterm alone. */
  dutiesAccountNumber: accountNumber.optional().meta({ title: 'Codice cliente per dazi e tasse' }),
  /** Products by where a parcel goes; an option of one letter or digit overrules them. */
  productDomestic: product.default('N').meta({ title: 'Prodotto nazionale' }),
  productEu: product.default('U').meta({ title: 'Prodotto Unione Europea' }),
  productWorldwide: product.default('P').meta({ title: 'Prodotto resto del mondo' }),
  incoterm: z.enum(INCOTERMS).default('DAP').meta({ title: 'Incoterm' }),
  /** Who makes the invoice for customs: you, or DHL from the lines of the order. */
  customsInvoice: z.enum(['own', 'commercial', 'proforma']).default('own').meta({ title: 'Fattura doganale' }),
  vatNumber: registration.optional().meta({ title: 'Partita IVA del mittente' }),
  eoriNumber: registration.optional().meta({ title: 'EORI del mittente' }),
  /** When the courier takes the parcels over, on the wall clock of the sender. */
  handoverTime: z
    .string()
    .trim()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'HH:mm')
    .default('17:00')
    .meta({ title: 'Ora di affidamento' }),
  timeZone: z.string().trim().refine(isTimeZone, 'a time zone such as Europe/Rome').default('Europe/Rome').meta({
    title: 'Fuso orario del mittente',
  }),
  printerDpi: z
    .union([z.literal(200), z.literal(300)])
    .optional()
    .meta({ title: 'DPI della stampante' }),
  /** Named to DHL when a pickup is cancelled. */
  requestorName: z.string().trim().min(1).max(45).default('Shipping desk').meta({ title: 'Richiedente del ritiro' }),
  /** Production; the test environment is https://express.api.dhl.com/mydhlapi/test */
  baseUrl: baseUrl.default('https://express.api.dhl.com/mydhlapi').meta({ title: 'Indirizzo del servizio' }),
});
export type Account = z.infer<typeof Account>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

const words = z.string().or(z.number().transform(String));
/** An odd explanation is left out: it must not lose the answer. */
const texts = raws.transform((list) => list.flatMap((one) => words.safeParse(one).data ?? []));

export const Refusal = z.object({ title: text, detail: text, message: text, additionalDetails: texts });
export type Refusal = z.infer<typeof Refusal>;

export const DhlDocument = z.object({ typeCode: required, imageFormat: text, content: z.string() });
export type DhlDocument = z.infer<typeof DhlDocument>;

/** A sold shipment must not be lost for an odd field: only the number is indispensable. */
export const CreatedShipment = z.object({
  shipmentTrackingNumber: required,
  packages: raws,
  documents: raws,
  warnings: texts,
});

export const TrackedEvent = z.object({
  date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  time: z.string().regex(/^\d{2}:\d{2}(:\d{2})?$/),
  GMTOffset: text,
  typeCode: text,
  description: text,
  serviceArea: z
    .array(z.object({ code: text, description: text }))
    .nullish()
    .transform((areas) => areas ?? [])
    .catch([]),
});
export type TrackedEvent = z.infer<typeof TrackedEvent>;

export const TrackedShipment = z.object({
  shipmentTrackingNumber: required,
  /** Null when DHL does not show them at all, which is not the same as none. */
  shipperReferences: z
    .array(z.object({ value: text, typeCode: text }))
    .nullish()
    .transform((references) => references ?? null),
  numberOfPieces: z.coerce.number().int().positive().nullish().catch(null),
  events: raws,
});
export type TrackedShipment = z.infer<typeof TrackedShipment>;

export const TrackingAnswer = z.object({ shipments: z.array(z.unknown()) });

export const AddressAnswer = z.object({
  warnings: texts,
  address: raws,
});
export const FoundPlace = z.object({
  postalCode: text,
  cityName: text,
  serviceArea: z.object({ code: text, description: text }).nullish().catch(null),
});

export const RatesAnswer = z.object({ products: z.array(z.unknown()) });
export const RatedProduct = z.object({
  productCode: text,
  productName: text,
  totalPrice: raws,
  deliveryCapabilities: z.object({ estimatedDeliveryDateAndTime: text }).nullish().catch(null),
});
export const Price = z.object({ currencyType: text, priceCurrency: required, price: z.number() });

export const PickupAnswer = z.object({
  dispatchConfirmationNumbers: z.array(required).min(1),
  readyByTime: text,
  nextPickupDate: text,
  warnings: texts,
});
