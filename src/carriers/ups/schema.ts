import { z } from 'zod';

export const INCOTERMS = ['CFR', 'CIF', 'CIP', 'CPT', 'DAP', 'DDP', 'EXW', 'FAS', 'FCA', 'FOB'] as const;

const service = z
  .string()
  .trim()
  .regex(/^[0-9A-Za-z][0-9]$/, 'a service code of UPS, two characters')
  .transform((code) => code.toUpperCase());

export const Account = z.object({
  /** Of the app in UPS's developer portal. */
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
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .default('https://onlinetools.ups.com')
    .meta({ title: 'Indirizzo del servizio' }),
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
/** Newer versions always answer lists, older ones a single thing where there is one. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .union([z.array(item), item.transform((one) => [one])])
    .nullish()
    .transform((items) => items ?? []);

export const Token = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

const UpsError = z.object({ code: text, message: text });
export type UpsError = z.infer<typeof UpsError>;

/** Today's shape of a refusal, and the one before it. */
export const Refusal = z.union([
  z.object({ response: z.object({ errors: z.array(UpsError).min(1) }) }).transform(({ response }) => response.errors),
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
  Alert: listOf(Status),
});
const image = z.object({ GraphicImage: text }).nullish();
const number = z.string().trim().min(1);

export const ShipAnswer = z.object({
  ShipmentResponse: z.object({
    Response,
    ShipmentResults: z.object({
      ShipmentIdentificationNumber: number,
      PackageResults: listOf(z.object({ TrackingNumber: number, ShippingLabel: image })),
      Form: z.object({ Image: image }).nullish(),
    }),
  }),
});

export const RecoveryAnswer = z.object({
  LabelRecoveryResponse: z.object({
    Response,
    ShipmentIdentificationNumber: text,
    LabelResults: listOf(z.object({ TrackingNumber: text, LabelImage: image })),
    TrackingCandidate: listOf(z.object({ TrackingNumber: number })),
  }),
});
export type RecoveryAnswer = z.infer<typeof RecoveryAnswer>;

export const VoidAnswer = z.object({
  VoidShipmentResponse: z.object({
    Response: z.object({ ResponseStatus: z.object({ Code: done }) }),
    SummaryResult: z.object({ Status }),
    PackageLevelResults: listOf(z.object({ TrackingNumber: text, Status })),
  }),
});

const Activity = z.object({
  date: z.string().regex(/^\d{8}$/),
  time: z.string().regex(/^\d{1,6}$/),
  gmtOffset: text,
  location: z
    .object({ address: z.object({ city: text, countryCode: text, country: text }).nullish(), slic: text })
    .nullish(),
  status: z.object({ type: text, code: text, statusCode: text, description: text }),
});
export type Activity = z.infer<typeof Activity>;

const TrackedPackage = z.object({
  trackingNumber: number,
  currentStatus: z.object({ code: text, statusCode: text, type: text }).nullish(),
  /** Null when UPS does not show them at all, which is not the same as none. */
  referenceNumber: z
    .array(z.object({ number: text }))
    .nullish()
    .transform((references) => references ?? null),
  activity: listOf(Activity),
});
export type TrackedPackage = z.infer<typeof TrackedPackage>;

export const TrackAnswer = z.object({
  trackResponse: z.object({
    shipment: z.array(
      z.object({
        package: listOf(TrackedPackage),
        warnings: listOf(UpsError),
      }),
    ),
  }),
});

const Money = z.object({ CurrencyCode: text, MonetaryValue: text });

export const RateAnswer = z.object({
  RateResponse: z.object({
    RatedShipment: listOf(
      z.object({
        Service: z.object({ Code: number }),
        TotalCharges: Money,
        NegotiatedRateCharges: z.object({ TotalCharge: Money }).nullish(),
        GuaranteedDelivery: z.object({ ScheduledDeliveryDate: text }).nullish(),
      }),
    ),
  }),
});

/** For a good answer that nothing is read of. */
export const Anything = z.unknown();

export const PickupAnswer = z.object({
  PickupCreationResponse: z.object({ Response, PRN: number }),
});

const DropLocation = z.object({
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
    SearchResults: z.object({ DropLocation: listOf(DropLocation) }).nullish(),
  }),
});
