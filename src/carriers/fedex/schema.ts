import { z } from 'zod';
import { arrayOf, baseUrl, raws, required, text } from '../fields.ts';

const INCOTERMS = ['CFR', 'CIF', 'CIP', 'CPT', 'DAP', 'DDP', 'EXW', 'FAS', 'FCA', 'FOB'] as const;
const PICKUP_TYPES = ['USE_SCHEDULED_PICKUP', 'CONTACT_FEDEX_TO_SCHEDULE', 'DROPOFF_AT_FEDEX_LOCATION'] as const;

/** FedEx's names of services are words in capitals, joined by underscores. */
export const SERVICE_CODE = /^[A-Z0-9]+(_[A-Z0-9]+)+$/;

const service = z.string().trim().regex(SERVICE_CODE, 'a service type of FedEx, such as FEDEX_PRIORITY');
const key = z.string().trim().min(1);

export const Account = z.object({
  /** The keys of a project in FedEx's developer portal that has the Ship API and the Rates and Transit Times API. */
  apiKey: key.meta({ title: 'API key' }),
  secretKey: key.meta({ title: 'Secret key', secret: true }),
  /** The keys of another project: FedEx gives the Track API its own. */
  trackApiKey: key.meta({ title: 'API key (tracking)' }),
  trackSecretKey: key.meta({ title: 'Secret key (tracking)', secret: true }),
  accountNumber: z
    .string()
    .trim()
    .regex(/^\d{9}$/, 'nine digits')
    .meta({ title: 'Codice cliente FedEx' }),
  /** Where shipments of the account are sent from. */
  countryCode: z
    .string()
    .trim()
    .regex(/^[A-Za-z]{2}$/, 'two letters')
    .transform((code) => code.toUpperCase())
    .default('IT')
    .meta({ title: 'Paese di partenza' }),
  /** The service for each destination; an option overrules all three. */
  serviceDomestic: service.default('FEDEX_PRIORITY').meta({ title: 'Servizio nazionale' }),
  serviceEurope: service.default('FEDEX_REGIONAL_ECONOMY').meta({ title: 'Servizio in Europa' }),
  serviceWorldwide: service.default('FEDEX_INTERNATIONAL_PRIORITY').meta({ title: 'Servizio resto del mondo' }),
  pickupType: z.enum(PICKUP_TYPES).default('USE_SCHEDULED_PICKUP').meta({ title: 'Tipo di ritiro' }),
  /** Printed on the invoice for customs; `DDP` bills duties and taxes to the shipper. */
  incoterm: z.enum(INCOTERMS).default('DAP').meta({ title: 'Incoterm' }),
  /** Production; the test environment is https://apis-sandbox.fedex.com */
  baseUrl: baseUrl.default('https://apis.fedex.com').meta({ title: 'Indirizzo del servizio' }),
});
export type Account = z.infer<typeof Account>;

/** The general refusals name the field at fault in their parameters only. */
export const FedexError = z
  .object({
    code: text,
    message: text,
    parameterList: z
      .array(z.object({ key: text, value: text }))
      .nullish()
      .catch(null),
  })
  .transform(({ code, message, parameterList }) => {
    const named = (parameterList ?? []).map(({ key, value }) => [key, value].filter(Boolean).join(' '));
    return { code, message: [message.replace(/\.$/, ''), ...named].filter(Boolean).join(': ') };
  });
export type FedexError = z.infer<typeof FedexError>;

/** Whatever the status says: an answer with errors and without output is a no. */
export const Refusal = z.object({
  errors: z
    .array(FedexError)
    .refine((errors) => errors.some(({ code, message }) => `${code}${message}` !== ''), 'must have a reason'),
  output: z.undefined().optional(),
});
/** The gateway's answer to a token that it does not like; it is in no description. */
export const GatewayRefusal = z.object({ error_description: z.string().min(1) });

export const Document = z.object({ contentType: text, encodedLabel: text });
export type Document = z.infer<typeof Document>;
export const Piece = z.object({ packageDocuments: raws });

/** A sold shipment must not be lost for an odd field: only the number is indispensable. */
const TransactionShipment = z.object({
  masterTrackingNumber: required,
  pieceResponses: raws,
  shipmentDocuments: raws,
  alerts: raws,
});

export const ShipAnswer = z.object({
  output: z.object({
    transactionShipments: z.tuple([TransactionShipment], z.unknown()),
    alerts: raws,
  }),
});

export const CancelAnswer = z.object({
  output: z.object({ cancelledShipment: z.boolean(), message: text.catch(''), alerts: raws }),
});

/** The description calls the field `value`, its example has a single text there, and the interface answers `values`. */
const texts = z
  .union([z.array(z.string()), z.string().transform((one) => [one])])
  .nullish()
  .transform((many) => many ?? []);
export const PackageIdentifier = z
  .object({ type: text, value: texts, values: texts })
  .transform(({ type, value, values }) => ({ type, values: [...value, ...values] }));

export const ScanEvent = z.object({
  date: z.string().min(1),
  eventType: text,
  eventDescription: text,
  derivedStatusCode: text,
  exceptionCode: text,
  exceptionDescription: text,
  scanLocation: z.object({ city: text, countryCode: text }).nullish().catch(null),
  delayDetail: z.object({ status: text }).nullish().catch(null),
});
export type ScanEvent = z.infer<typeof ScanEvent>;

const TrackResult = z.object({
  trackingNumberInfo: z.object({ trackingNumber: text }).nullish(),
  additionalTrackingInfo: z
    .object({
      /** Null when FedEx does not show them at all, which is not the same as none. */
      packageIdentifiers: z
        .array(z.unknown())
        .nullish()
        .transform((identifiers) => identifiers ?? null),
    })
    .nullish()
    .catch(null),
  latestStatusDetail: z.object({ code: text, derivedCode: text }).nullish().catch(null),
  dateAndTimes: arrayOf(z.object({ type: text, dateTime: text })).catch([]),
  /** `count` is that of all the pieces of the shipment. */
  packageDetails: z.object({ count: text }).nullish().catch(null),
  scanEvents: raws,
  error: FedexError.nullish(),
});
export type TrackResult = z.infer<typeof TrackResult>;

export const TrackAnswer = z.object({ output: z.object({ completeTrackResults: z.array(z.unknown()) }) });
/** Every parcel that ever had a number: to choose among them, all of them must be read. */
export const CompleteResult = z.object({ trackingNumber: text, trackResults: z.array(TrackResult) });

export const RateAnswer = z.object({ output: z.object({ rateReplyDetails: raws }) });
export const RateReply = z.object({
  serviceType: required,
  serviceName: text,
  ratedShipmentDetails: raws,
  commit: z
    .object({ dateDetail: z.object({ dayFormat: text }).nullish() })
    .nullish()
    .catch(null),
  operationalDetail: z.object({ deliveryDate: text }).nullish().catch(null),
});
export const RatedDetail = z.object({
  rateType: text,
  totalNetCharge: z.number().nullish(),
  shipmentRateDetail: z.object({ currency: text }).nullish(),
});
