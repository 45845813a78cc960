import { z } from 'zod';
import { LABEL_FORMATS } from '../../carriers/adapter.ts';
import { EVENT_TYPES } from '../../domain/event-types.ts';
import { SheetMapping } from '../../domain/order-sheet/headings.ts';
import { Day, PriceList } from '../../domain/pricing/price-list.ts';
import { priceListProblems } from '../../domain/pricing/price-list-check.ts';
import { PRINTER_FORMATS } from '../../domain/printer-format.ts';
import { ShippingRules } from '../../domain/shipping-rules.ts';
import { MAX_SHARE } from '../../queue/turns.ts';
import { isEventSecret } from '../events/event-secrets.ts';
import { KEEP } from './keep-secrets.ts';

const Key = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'must be lowercase letters, digits, - and _');
const Place = { address: z.string(), city: z.string(), province: z.string().default(''), zip: z.string() };
const Grams = z
  .number()
  .gt(0)
  .transform((kg) => Math.round(kg * 1000));
const Millimetres = z
  .number()
  .min(0)
  .default(0)
  .transform((cm) => Math.round(cm * 10));

const Parcel = z
  .strictObject({ weight_kg: Grams, length_cm: Millimetres, width_cm: Millimetres, height_cm: Millimetres })
  .transform((parcel) => ({
    weightGrams: parcel.weight_kg,
    lengthMm: parcel.length_cm,
    widthMm: parcel.width_cm,
    heightMm: parcel.height_cm,
  }));

const Percent = z.string().regex(/^\d{1,2}(\.\d{1,2})?$/, 'must be a percentage in quotes, such as "22"');

const Settings = z.strictObject({
  prices_include_vat: z.boolean().default(true),
  vat_rate: Percent.default('22'),
  /** Deviating rates by country of destination. */
  vat_rates: z
    .record(z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166 alpha-2 code such as DE'), Percent)
    .default({}),
  currency: z.string().length(3).default('EUR'),
  time_zone: z
    .string()
    .default('Europe/Rome')
    .refine((zone) => Intl.supportedValuesOf('timeZone').includes(zone) || zone === 'UTC', 'is not a time zone'),
  /** True: `POST /orders` refuses an `order_number` that the company has already. */
  unique_order_numbers: z.boolean().default(false),
  /** Saved mappings of sheets of orders, by name. */
  order_sheets: z.record(Key, SheetMapping).default({}),
  /** Limits of the API for this company, in place of those of the installation. */
  limits: z
    .strictObject({
      points_per_minute: z.number().int().min(0).max(10_000_000).optional(),
      concurrent_requests: z.number().int().min(1).max(500).optional(),
      share: z.number().int().min(1).max(MAX_SHARE).optional(),
    })
    .default({}),
  default_parcel: Parcel.default({ weightGrams: 1000, lengthMm: 0, widthMm: 0, heightMm: 0 }),
});

/** Default settings of a company. */
export const DEFAULT_SETTINGS = Settings.parse({});

const Warehouse = z.strictObject({
  key: Key,
  name: z.string(),
  ...Place,
  country_code: z.string().length(2).default('IT'),
  phone: z.string().default(''),
  email: z.string().default(''),
  default: z.boolean().default(false),
});

const Product = z.strictObject({
  sku: z.string().min(1),
  title: z.string(),
  id: z.uuid().optional(),
  weight_kg: Grams.optional(),
  length_cm: Millimetres,
  width_cm: Millimetres,
  height_cm: Millimetres,
  /** For customs: Harmonised System code and country of origin. */
  commodity_code: z
    .string()
    .regex(/^\d{6,10}$/, 'must be six to ten digits')
    .default(''),
  origin_country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be an ISO 3166 alpha-2 code such as IT')
    .default(''),
});

const Tariff = z
  .object({
    key: Key,
    /** First and last day in force. Several price lists with one key follow each other. */
    valid_from: Day.default(''),
    valid_to: Day.optional(),
  })
  .catchall(z.unknown())
  .refine(({ valid_from, valid_to }) => valid_to === undefined || valid_from <= valid_to, {
    error: 'must not be before valid_from',
    path: ['valid_to'],
  })
  .transform(({ key, valid_from, valid_to, ...priceList }, context) => {
    const parsed = PriceList.safeParse(priceList);
    const issues = parsed.success ? priceListProblems(parsed.data) : parsed.error.issues;
    if (parsed.success && issues.length === 0)
      return { key, from: valid_from, to: valid_to ?? null, priceList: parsed.data };
    for (const issue of issues) context.addIssue({ code: 'custom', path: issue.path, message: issue.message });
    return z.NEVER;
  });

const Contract = z
  .strictObject({
    key: Key,
    label: z.string().min(1),
    carrier: z.string(),
    account: z.record(z.string(), z.unknown()),
    tariff: Key.optional(),
    /** Carrier services with a tariff of their own. */
    services: z.array(z.strictObject({ code: z.string().trim().min(1), tariff: Key })).default([]),
    coefficient: z.number().int().min(1).max(1000).default(300),
    max_weight_kg: Grams.optional(),
    support_cod: z.boolean().default(true),
    support_insurance: z.boolean().default(true),
    default_cod_payment_type: z.string().default(''),
    label_format: z.enum(LABEL_FORMATS).default('pdf-a6'),
    connected: z.boolean().default(true),
    default: z.boolean().default(false),
  })
  .refine((contract) => contract.connected || !contract.default, {
    error: 'must not be true for a contract that is not connected: make another one the default',
    path: ['default'],
  });

const Connection = z.strictObject({
  key: Key,
  label: z.string().min(1),
  marketplace: z.string(),
  account: z.record(z.string(), z.unknown()),
  percentage_fee: z.number().min(0).max(100).default(0),
  import_orders: z.boolean().default(false),
  /** True: transmitting a shipment also confirms it to the marketplace. */
  confirm_when_transmitted: z.boolean().default(false),
  /** True: smista reads the order in its shop before it buys a label, so that an order cancelled a minute ago is not shipped. */
  check_before_label: z.boolean().default(true),
  connected: z.boolean().default(true),
});

const Webhook = z.strictObject({
  key: Key,
  url: z.string(),
  /** Absent: all types. */
  types: z
    .array(z.enum(EVENT_TYPES))
    .min(1)
    .transform((types) => [...new Set(types)].toSorted())
    .optional(),
  /** The current one first; both sign. */
  secrets: z
    .array(
      z
        .string()
        .refine((text) => text === KEEP || isEventSecret(text), 'must be whsec_ followed by 24 to 64 bytes in base64'),
    )
    .min(1)
    .max(2)
    .refine((secrets) => secrets.length === 1 || !secrets.includes(KEEP), `must be ${KEEP} alone, or secrets`),
  enabled: z.boolean().default(true),
});

const Printer = z.strictObject({
  key: Key,
  name: z.string().min(1).max(100),
  /** `socket://host:9100`, `ipp://host/path` or `ipps://host/path`. */
  address: z.string(),
  /** The labels that it takes. */
  format: z.enum(PRINTER_FORMATS),
  /** Names of the packing stations that print here; none: it is a station of its own. */
  stations: z
    .array(z.string().trim().min(1).max(60))
    .max(20)
    .default([])
    .transform((names) => [...new Set(names)]),
  warehouse: Key.optional(),
  enabled: z.boolean().default(true),
});

/** Fields that are omitted for an existing company stay unchanged. */
const CompanyDeclaration = z.strictObject({
  key: Key,
  name: z.string().min(1),
  address: z.string().optional(),
  postal_code: z.string().optional(),
  city: z.string().optional(),
  province: z.string().optional(),
  country: z.string().length(2).optional(),
  vat_number: z.string().optional(),
  phone: z.string().optional(),
  email: z.string().optional(),
  settings: Settings.optional(),
  warehouses: z.array(Warehouse).default([]),
  products: z.array(Product).default([]),
  tariffs: z.array(Tariff).default([]),
  contracts: z.array(Contract).default([]),
  connections: z.array(Connection).default([]),
  /** Replaces all rules of the company; absent: they stay. */
  rules: ShippingRules.optional(),
  /** Event endpoints of the company. */
  webhooks: z.array(Webhook).default([]),
  printers: z.array(Printer).max(200).default([]),
});

/** The apply file: all settings of a company. Applying creates or changes the declared rows and deletes nothing. */
export const ApplyDocument = z.strictObject({ companies: z.array(CompanyDeclaration).min(1) });
export type ApplyDocument = z.infer<typeof ApplyDocument>;
export type DeclaredCompany = ApplyDocument['companies'][number];
