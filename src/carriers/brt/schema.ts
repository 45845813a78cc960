import { z } from 'zod';
import { isCalendarDay } from '../../lib/clock.ts';
import { baseUrl, listOf, text } from '../fields.ts';

const digits = (most: number) =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^\\d{1,${most}}$`), `up to ${most} digits`);
const code = (most: number) => z.string().trim().max(most);

export const Account = z.object({
  userID: z.string().trim().min(1).max(35).meta({ title: 'userID' }),
  password: z.string().min(1).meta({ title: 'Password', secret: true }),
  senderCustomerCode: digits(7).meta({ title: 'Codice cliente' }),
  departureDepot: digits(3).meta({ title: 'Filiale di partenza' }),
  /** `automatic`: BRT takes over by itself what was created, so nothing is confirmed by us. A matter of the contract. */
  confirmation: z.enum(['explicit', 'automatic']).default('explicit').meta({ title: 'Conferma' }),
  deliveryFreightTypeCode: z.enum(['DAP', 'EXW']).default('DAP').meta({ title: 'Porto' }),
  network: code(1).optional().meta({ title: 'Network' }),
  pricingConditionCode: digits(3).optional().meta({ title: 'Codice tariffa' }),
  pricingConditionCodePudo: digits(3).optional().meta({ title: 'Codice tariffa fermopoint' }),
  pricingConditionCodeAbroad: digits(3).optional().meta({ title: 'Codice tariffa estero' }),
  /** BRT has enabled 105 characters of address on this network, for deliveries abroad. */
  longAddresses: z.boolean().default(false).meta({ title: 'Indirizzi lunghi estero' }),
  /** BRT writes to the recipient by e-mail or SMS. */
  isAlertRequired: z.boolean().default(false).meta({ title: 'Alert al destinatario' }),
  parcelsHandlingCode: code(2).optional().meta({ title: 'Codice trattamento merce' }),
  particularitiesDeliveryManagementCode: code(2).optional().meta({ title: 'Particolarità consegna' }),
  particularitiesHoldOnStockManagementCode: code(2).optional().meta({ title: 'Particolarità giacenza' }),
  variousParticularitiesManagementCode: code(2).optional().meta({ title: 'Particolarità varie' }),
  isBorderRequired: z.boolean().default(false).meta({ title: 'Bordo etichetta' }),
  isLogoRequired: z.boolean().default(false).meta({ title: 'Logo etichetta' }),
  isBarcodeControlRowRequired: z.boolean().default(false).meta({ title: 'Riga di controllo del barcode' }),
  /** The format of ZPL labels: 95 x 65 mm when empty. */
  zplFormat: z.enum(['', 'DP5', 'DPH']).default('').meta({ title: 'Formato ZPL' }),
  /** Sent as X-API-Auth to the search for pick-up points, and to nothing else. */
  pudoToken: z.string().min(1).optional().meta({ title: 'Token fermopoint', secret: true }),
  /** Instead of https://api.brt.it */
  baseUrl: baseUrl.optional().meta({ title: 'Indirizzo REST' }),
  /** Instead of https://wsr.brt.it:10052 */
  soapBaseUrl: baseUrl.optional().meta({ title: 'Indirizzo SOAP' }),
});
export type Account = z.infer<typeof Account>;

const count = text.transform((value) => (/^\d+$/.test(value) ? Number(value) : 0));

/** Null or an empty text is no code: either would pass for 0, which is a yes. */
export const wholeNumber = z.union([
  z.number().int(),
  z
    .string()
    .trim()
    .regex(/^-?\d+$/)
    .transform(Number),
]);

export const ExecutionMessage = z.object({
  code: wholeNumber,
  severity: text,
  codeDesc: text,
  message: text,
});
export type ExecutionMessage = z.infer<typeof ExecutionMessage>;

/** An odd field costs its label, not the shipment that was sold. */
const Label = z.object({ trackingByParcelID: text.catch(''), stream: text.catch('') });

export const CreateResponse = z.object({
  numberOfParcels: count,
  alphanumericSenderReference: text,
  consigneeZIPCode: text,
  consigneeCity: text,
  consigneeProvinceAbbreviation: text,
  labels: z
    .object({ label: listOf(Label) })
    .nullish()
    .transform((labels) => labels?.label ?? []),
});
export type CreateResponse = z.infer<typeof CreateResponse>;

export const RoutingResponse = z.object({
  arrivalDepot: text,
  deliveryZone: text,
  consigneeZIPCode: text,
  consigneeCity: text,
  consigneeProvinceAbbreviation: text,
});

/** Turns dd.MM.yyyy into YYYY-MM-DD; null for anything that is no day. */
export function isoDate(text: string): string | null {
  const [, day, month, year] = /^(\d{2})\D(\d{2})\D(\d{4})$/.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  return isCalendarDay(date) ? date : null;
}

const datum = text.refine((value) => isoDate(value) !== null, 'must be dd.MM.yyyy');
/** One place in the list of events that is not padding. */
export const TrackedEvent = z.object({
  evento: z.object({ data: datum, ora: text, id: text, descrizione: text, filiale: text }),
});

/** Returns true for a place that holds nothing: BRT fills its list up with them. */
export function isPadding(slot: unknown): boolean {
  if (slot === null || slot === undefined || slot === '') return true;
  return typeof slot === 'object' && Object.values(slot).every(isPadding);
}

/** The common part of both tracking services, in the names of the REST one. */
export const Tracked = z.object({
  esito: text,
  bolla: z
    .object({
      dati_spedizione: z.object({ spedizione_id: text }).partial().nullish(),
      dati_consegna: z.object({ data_consegna_merce: text, ora_consegna_merce: text }).partial().nullish(),
      merce: z.object({ colli: count }).partial().nullish(),
      riferimenti: z
        .object({ riferimento_mittente_numerico: text, riferimento_mittente_alfabetico: text })
        .partial()
        .nullish(),
    })
    .nullish(),
  /** Read one by one. */
  lista_eventi: listOf(z.unknown()),
});
export type Tracked = z.infer<typeof Tracked>;

export const FoundPoint = z.object({
  pudoId: z.string().trim().min(1),
  pointName: text,
  type: text,
  street: text,
  streetNumber: text,
  zipCode: text,
  town: text,
  country: text,
  latitude: text,
  longitude: text,
  distanceFromPoint: z.coerce.number().nullish().catch(null),
  enabled: z.boolean().nullish(),
  available: z.boolean().nullish(),
  hours: z
    .array(z.object({ dayOfWeek: text, openTime: text, closeTime: text }))
    .nullish()
    .catch(null),
});
export type FoundPoint = z.infer<typeof FoundPoint>;
