import { z } from 'zod';
import { baseUrl, listOf } from '../fields.ts';

export const INCOTERMS = ['CFR', 'CIF', 'CIP', 'CPT', 'DAP', 'DDP', 'EXW', 'FAS', 'FCA', 'FOB'] as const;

const service = z
  .string()
  .trim()
  .regex(/^[0-9A-Za-z][0-9]$/, 'a service code of UPS, two characters')
  .transform((code) => code.toUpperCase());

export const Account = z.object({
  /** The keys of the app in UPS's developer portal. */
  clientId: z.string().trim().min(1).meta({ title: 'Client ID' }),
  clientSecret: z.string().trim().min(1).meta({ title: 'Client secret', secret: true }),
  shipperNumber: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9]{6}$/, 'six letters or digits')
    .transform((number) => number.toUpperCase())
    .meta({ title: 'Codice cliente UPS' }),
  /** Whether prices are those of the contract instead of the published ones. */
  negotiatedRates: z.boolean().default(true).meta({ title: 'Tariffe negoziate' }),
  /** Without a border of customs in between; an option of two characters overrules both. */
  serviceEurope: service.default('11').meta({ title: 'Servizio in Europa' }),
  serviceWorldwide: service.default('65').meta({ title: 'Servizio resto del mondo' }),
  /** Printed on the invoice for customs; `DDP` bills duties and taxes to the shipper. */
  incoterm: z.enum(INCOTERMS).default('DAP').meta({ title: 'Incoterm' }),
  /** Production; the test environment is https://wwwcie.ups.com */
  baseUrl: baseUrl.default('https://onlinetools.ups.com').meta({ title: 'Indirizzo del servizio' }),
});
export type Account = z.infer<typeof Account>;

/** UPS leaves out what it does not know; its test environment leaves carriage returns in codes, also as entities. */
const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) =>
    String(value ?? '')
      .replace(/&#(xd|13|xa|10);/gi, ' ')
      .trim(),
  );
/** A list whose elements are read one by one (see `readEach`). Older versions answer a single thing without a list. */
const raws = listOf(z.unknown());
const required = text.refine((value) => value !== '', 'must not be empty');

const UpsError = z.object({ code: text, message: text });
export type UpsError = z.infer<typeof UpsError>;
/** An error without code and words could come from anything. */
const Errors = z
  .array(UpsError)
  .refine((errors) => errors.some(({ code, message }) => `${code}${message}` !== ''), 'must have a reason');

/** Today's shape of a refusal, and the one before it. */
export const Refusal = z.union([
  z.object({ response: z.object({ errors: Errors }) }).transform(({ response }) => response.errors),
  z
    .object({
      Fault: z.object({
        detail: z.object({
          Errors: z.object({
            ErrorDetail: listOf(z.object({ PrimaryErrorCode: z.object({ Code: text, Description: text }) })),
          }),
        }),
      }),
    })
    .transform(({ Fault }) =>
      Fault.detail.Errors.ErrorDetail.map(({ PrimaryErrorCode: { Code, Description } }) => ({
        code: Code,
        message: Description,
      })),
    ),
]);

const done = text.refine((code) => code === '1', 'UPS does not say that it was done');
const Status = z.object({ Code: text, Description: text });
const Response = z.object({
  ResponseStatus: z.object({ Code: done }),
  Alert: raws,
});
export const Alert = Status;
const image = z.object({ GraphicImage: text }).nullish();

/** A sold shipment must not be lost for an odd field: only the number is indispensable. */
export const ShipAnswer = z.object({
  ShipmentResponse: z.object({
    Response,
    ShipmentResults: z.object({
      ShipmentIdentificationNumber: required,
      PackageResults: raws,
      Form: z.object({ Image: image }).nullish().catch(null),
    }),
  }),
});
export const SoldPackage = z.object({ TrackingNumber: required, ShippingLabel: image });

export const RecoveryAnswer = z.object({
  LabelRecoveryResponse: z.object({
    Response,
    ShipmentIdentificationNumber: text,
    LabelResults: raws,
    TrackingCandidate: raws,
  }),
});
export type RecoveryAnswer = z.infer<typeof RecoveryAnswer>;
export const LabelResult = z.object({ TrackingNumber: text, LabelImage: image });
export const TrackingCandidate = z.object({ TrackingNumber: required });

/** Any other code is neither a yes nor a no. */
const Voided = z.object({
  Code: text.pipe(z.enum(['1', '0'])),
  Description: text,
});
export const VoidAnswer = z.object({
  VoidShipmentResponse: z.object({
    Response: z.object({ ResponseStatus: z.object({ Code: done }) }),
    SummaryResult: z.object({ Status: Voided }),
    PackageLevelResults: listOf(z.object({ TrackingNumber: text, Status: Voided })),
  }),
});

export const Activity = z.object({
  date: text.pipe(z.string().regex(/^\d{8}$/)),
  time: text.pipe(z.string().regex(/^\d{1,6}$/)),
  gmtOffset: text,
  location: z
    .object({ address: z.object({ city: text, countryCode: text, country: text }).nullish(), slic: text })
    .nullish(),
  status: z.object({ type: text, code: text, statusCode: text, description: text }),
});
export type Activity = z.infer<typeof Activity>;

export const TrackedPackage = z.object({
  trackingNumber: required,
  currentStatus: z.object({ code: text, statusCode: text, type: text }).nullish(),
  /** Null when UPS does not show them at all, which is not the same as none. */
  referenceNumber: z
    .array(z.object({ number: text }))
    .nullish()
    .transform((references) => references ?? null),
  activity: raws,
});
export type TrackedPackage = z.infer<typeof TrackedPackage>;

export const TrackAnswer = z.object({
  trackResponse: z.object({
    shipment: z.array(
      z.object({
        package: raws,
        warnings: listOf(UpsError),
      }),
    ),
  }),
});

const Money = z.object({
  CurrencyCode: required,
  MonetaryValue: text.pipe(z.string().regex(/^\d+(\.\d+)?$/)),
});

export const RateAnswer = z.object({ RateResponse: z.object({ RatedShipment: raws }) });
export const RatedShipment = z.object({
  Service: z.object({ Code: required }),
  TotalCharges: Money,
  NegotiatedRateCharges: z.object({ TotalCharge: Money }).nullish(),
  GuaranteedDelivery: z.object({ ScheduledDeliveryDate: text }).nullish().catch(null),
});

export const PickupAnswer = z.object({ PickupCreationResponse: z.object({ Response, PRN: required }) });
/** After public typed clients of UPS's Pickup interface, read on 2026-11-22; UPS's own description was not found. */
export const PickupCancelAnswer = z.object({ PickupCancelResponse: z.object({ Response }) });

export const DropLocation = z.object({
  AccessPointInformation: z.object({ PublicAccessPointID: text }).nullish(),
  AddressKeyFormat: z.object({
    ConsigneeName: text,
    AddressLine: text,
    PoliticalDivision1: text,
    PoliticalDivision2: text,
    PostcodePrimaryLow: text,
    CountryCode: text,
  }),
  Geocode: z.object({ Latitude: text, Longitude: text }).nullish(),
  StandardHoursOfOperation: text,
});
export type DropLocation = z.infer<typeof DropLocation>;

export const LocatorAnswer = z.object({
  LocatorResponse: z.object({
    Response: z.object({
      ResponseStatusCode: text,
      Error: z.object({ ErrorCode: text, ErrorDescription: text }).nullish(),
    }),
    SearchResults: z.object({ DropLocation: raws }).nullish(),
  }),
});
