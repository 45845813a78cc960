import { defineEntity, p } from '@mikro-orm/core';
import type { SheetMapping } from '../../domain/order-sheet/headings.ts';
import { EVERY_SCOPE } from '../../domain/scopes.ts';
import type { ShippingRule } from '../../domain/shipping-rules.ts';
import { companyFilter, createdAt, instant } from './columns.ts';

export interface CompanyLimits {
  /** 0: no limit. */
  pointsPerMinute?: number;
  concurrentRequests?: number;
  /** Turns per round in the queues of carriers and shops, 1 to 10; absent: 1. */
  share?: number;
}

/** How a company wants its orders counted and shipped. */
export interface CompanySettings {
  pricesIncludeVat: boolean;
  /** Percent, such as `"22"`. */
  vatRate: string;
  /** Percent by country of destination, where it is not that one; absent in older rows. */
  vatRates?: Record<string, string>;
  currency: string;
  timeZone: string;
  /** `POST /orders` refuses an `order_number` that the company has; absent: it may repeat. */
  uniqueOrderNumbers?: true;
  /** Header by field, by the name of the mapping, for sheets of orders; absent: there are none. */
  orderSheets?: Record<string, SheetMapping>;
  /** Replaces the limits of the installation; absent: they hold. */
  limits?: CompanyLimits;
  /** Weight in grams and size in millimetres of a parcel that no client described. */
  defaultParcel: { weightGrams: number; lengthMm: number; widthMm: number; heightMm: number };
}

const CompanySchema = defineEntity({
  name: 'Company',
  tableName: 'companies',
  properties: {
    id: p.integer().primary().autoincrement(),
    /** The name an `apply` file knows the company by. */
    key: p.text().unique(),
    name: p.text(),
    address: p.text().default(''),
    postalCode: p.text().default(''),
    city: p.text().default(''),
    province: p.text().default(''),
    country: p.text().default('IT'),
    vatNumber: p.text().default(''),
    phone: p.text().default(''),
    email: p.text().default(''),
    settings: p.json().$type<CompanySettings>(),
    /** Which contract, service and warehouse an order gets; the first that matches counts. */
    shippingRules: p
      .json()
      .$type<ShippingRule[]>()
      .onCreate(() => [])
      .defaultRaw("'[]'"),
    defaultContractId: p.integer().strictNullable(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
export class Company extends CompanySchema.class {}
CompanySchema.setClass(Company);

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  // Found by its hash before the company is known, so it has no company filter.
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id').index(),
    name: p.text(),
    /** The first characters, so that a person can tell keys apart. */
    prefix: p.text(),
    /** SHA-256, hex, of the whole key. */
    hash: p.text().unique(),
    /** `*`: all of them. */
    scopes: p
      .array()
      .onCreate(() => [EVERY_SCOPE])
      .defaultRaw("'{*}'"),
    /** CIDR; none: the key works from everywhere. */
    addressRanges: p
      .array()
      .onCreate(() => [])
      .defaultRaw("'{}'"),
    createdAt: createdAt(),
    lastUsedAt: instant().strictNullable(),
    expiresAt: instant().strictNullable(),
    revokedAt: instant().strictNullable(),
  },
});
export class ApiKey extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKey);

const WarehouseSchema = defineEntity({
  name: 'Warehouse',
  tableName: 'warehouses',
  filters: companyFilter,
  uniques: [{ properties: ['companyId', 'key'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    key: p.text(),
    name: p.text(),
    address: p.text(),
    city: p.text(),
    province: p.text().default(''),
    zip: p.text(),
    countryCode: p.text().default('IT'),
    phone: p.text().default(''),
    email: p.text().default(''),
    isDefault: p.boolean().default(false),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
export class Warehouse extends WarehouseSchema.class {}
WarehouseSchema.setClass(Warehouse);

const ProductSchema = defineEntity({
  name: 'Product',
  tableName: 'products',
  filters: companyFilter,
  uniques: [{ properties: ['companyId', 'sku'] }],
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    sku: p.text(),
    title: p.text(),
    weightGrams: p.integer().default(0),
    lengthMm: p.integer().default(0),
    widthMm: p.integer().default(0),
    heightMm: p.integer().default(0),
    /** Harmonised System code and ISO 3166 alpha-2, for customs. */
    commodityCode: p.text().default(''),
    originCountry: p.text().default(''),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
export class Product extends ProductSchema.class {}
ProductSchema.setClass(Product);

const PartnerTokenSchema = defineEntity({
  name: 'PartnerToken',
  tableName: 'partner_tokens',
  properties: {
    /** Partner, hash of the account, and the adapter's name for the token: equal accounts share it. */
    key: p.text().primary(),
    sealed: p.text().strictNullable(),
    expiresAt: instant().strictNullable(),
    /** Until then one process fetches it, and the others wait. */
    fetchingUntil: instant().strictNullable(),
  },
});
/** An access token that all processes share. */
export class PartnerToken extends PartnerTokenSchema.class {}
PartnerTokenSchema.setClass(PartnerToken);

const PartnerBudgetSchema = defineEntity({
  name: 'PartnerBudget',
  tableName: 'partner_budgets',
  properties: {
    key: p.text().primary(),
    tokens: p.double(),
    /** True when the last request got its tokens. */
    taken: p.boolean(),
    updatedAt: instant(),
  },
});
/** A token bucket of a partner's limit, shared by all workers. */
export class PartnerBudget extends PartnerBudgetSchema.class {}
PartnerBudgetSchema.setClass(PartnerBudget);

const InstallationSchema = defineEntity({
  name: 'Installation',
  tableName: 'installation',
  properties: {
    id: p.integer().primary().autoincrement(false),
    /** Starts every carrier reference, so that two databases sharing one carrier account never use the same one. */
    code: p.text(),
    /** A known text sealed with SECRET_KEY: tells at start whether it is still the same key. */
    keyCheck: p.text(),
    /** The TRACKING_INTERVAL_MINUTES that due times were last made with; null before the first scheduler. */
    trackingIntervalMs: p.integer().strictNullable(),
    createdAt: createdAt(),
  },
});
/** One row: what this database is. */
export class Installation extends InstallationSchema.class {}
InstallationSchema.setClass(Installation);
