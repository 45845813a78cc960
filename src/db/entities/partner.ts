import { defineEntity, p } from '@mikro-orm/core';
import { companyFilter, createdAt, instant } from './columns.ts';
import { Company } from './company.ts';
import { Tariff } from './tariff.ts';

const CarrierSchema = defineEntity({
  name: 'CarrierRow',
  tableName: 'carriers',
  properties: {
    id: p.integer().primary().autoincrement(),
    /** The adapter's id. */
    code: p.text().unique(),
    name: p.text(),
    logoUrl: p.text().default(''),
    marketplaceCarrierCode: p.text().default(''),
    sortOrder: p.integer().default(0),
    isNew: p.boolean().default(false),
    isActive: p.boolean().default(true),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
/** The catalogue row of a carrier; the adapter is found in the registry by `code`. */
export class CarrierRow extends CarrierSchema.class {}
CarrierSchema.setClass(CarrierRow);

const CarrierServiceSchema = defineEntity({
  name: 'CarrierServiceRow',
  tableName: 'carrier_services',
  uniques: [{ properties: ['carrierId', 'code'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    carrierId: p.manyToOne(CarrierRow).mapToPk().fieldName('carrier_id'),
    code: p.text(),
    name: p.text(),
    sortOrder: p.integer().default(0),
    isActive: p.boolean().default(true),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
export class CarrierServiceRow extends CarrierServiceSchema.class {}
CarrierServiceSchema.setClass(CarrierServiceRow);

/** The price of a carrier's service under a contract. */
export interface ServiceTariff {
  /** The carrier's code, as orders name it among their carrier options. */
  service: string;
  tariffId: number;
}

const ContractSchema = defineEntity({
  name: 'Contract',
  tableName: 'contracts',
  filters: companyFilter,
  uniques: [{ properties: ['companyId', 'key'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    carrierId: p.manyToOne(CarrierRow).mapToPk().fieldName('carrier_id').index(),
    key: p.text(),
    label: p.text(),
    /** The adapter's account as JSON, sealed; bound to this row. */
    credentials: p.text(),
    /** The account without its secrets, as shown in `configFields`. */
    configFields: p.json().$type<Record<string, unknown>>(),
    billingImportConfig: p.json().$type<Record<string, unknown>>(),
    tariffId: p.manyToOne(Tariff).mapToPk().fieldName('tariff_id').strictNullable(),
    /** Services of the carrier that have a tariff of their own. */
    serviceTariffs: p.json().$type<ServiceTariff[]>().defaultRaw("'[]'::jsonb"),
    /** Volumetric weight, kg per cubic metre. */
    coefficient: p.integer().default(300),
    maxWeightGrams: p.integer().strictNullable(),
    supportCod: p.boolean().default(true),
    supportInsurance: p.boolean().default(true),
    defaultCodPaymentType: p.text().default(''),
    labelFormat: p.text().default('pdf-a6'),
    isConnected: p.boolean().default(true),
    isPartner: p.boolean().default(false),
    idPartner: p.integer().strictNullable(),
    /** When we last read the carrier's list of held parcels. */
    heldListedAt: instant().strictNullable(),
    deleteFlag: p.boolean().default(false),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
/** A company's account with a carrier: the contract's "carrierCompany". */
export class Contract extends ContractSchema.class {}
ContractSchema.setClass(Contract);

const MarketplaceSchema = defineEntity({
  name: 'MarketplaceRow',
  tableName: 'marketplaces',
  properties: {
    id: p.integer().primary().autoincrement(),
    code: p.text().unique(),
    name: p.text(),
    logoUrl: p.text().default(''),
    /** The account's fields as a form would ask for them. */
    fields: p.json().$type<Record<string, unknown>>(),
    sortOrder: p.integer().default(0),
    isNew: p.boolean().default(false),
    allowOrderUpdateAfterImport: p.boolean().default(false),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
export class MarketplaceRow extends MarketplaceSchema.class {}
MarketplaceSchema.setClass(MarketplaceRow);

const ConnectionSchema = defineEntity({
  name: 'Connection',
  tableName: 'connections',
  filters: companyFilter,
  uniques: [{ properties: ['companyId', 'key'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    marketplaceId: p.manyToOne(MarketplaceRow).mapToPk().fieldName('marketplace_id').index(),
    key: p.text(),
    label: p.text(),
    credentials: p.text(),
    configFields: p.json().$type<Record<string, unknown>>(),
    percentageFee: p.double().default(0),
    /** The adapter's findings about the shop. */
    detected: p.json().$type<Record<string, unknown>>().strictNullable(),
    /** Orders modified before this instant are here. */
    importedUntil: instant().strictNullable(),
    lastImportError: p.text().strictNullable(),
    /** When the last import ended, however it ended. */
    lastImportAt: instant().strictNullable(),
    /** End of the lease of one worker, which renews it while it lives. */
    importingUntil: instant().strictNullable(),
    importEnabled: p.boolean().default(true),
    /** Shipments are confirmed to the marketplace as soon as they are transmitted. */
    confirmWhenTransmitted: p.boolean().default(false),
    /** An order is looked at in its shop before a label is bought for it. */
    checkBeforeLabel: p.boolean().default(true),
    isConnected: p.boolean().default(true),
    isPartner: p.boolean().default(false),
    idPartner: p.integer().strictNullable(),
    deleteFlag: p.boolean().default(false),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
export class Connection extends ConnectionSchema.class {}
ConnectionSchema.setClass(Connection);

const ImportFailureSchema = defineEntity({
  name: 'ImportFailure',
  tableName: 'import_failures',
  filters: companyFilter,
  uniques: [{ properties: ['connectionId', 'externalId'] }],
  indexes: [{ properties: ['companyId', 'connectionId', 'id'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    connectionId: p.manyToOne(Connection).mapToPk().fieldName('connection_id'),
    /** The marketplace's id of the order. */
    externalId: p.text(),
    message: p.text(),
    tries: p.integer().default(1),
    createdAt: createdAt(),
    nextTryAt: instant(),
  },
});
/** An order that could not be imported. It is read again alone, so it is late and never lost. */
export class ImportFailure extends ImportFailureSchema.class {}
ImportFailureSchema.setClass(ImportFailure);

const WebhookDeliverySchema = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  filters: companyFilter,
  uniques: [{ properties: ['connectionId', 'deliveryId'] }],
  indexes: [{ properties: ['receivedAt'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    connectionId: p.manyToOne(Connection).mapToPk().fieldName('connection_id'),
    /** The marketplace's name for it; the same hint may come several times. */
    deliveryId: p.text(),
    receivedAt: createdAt(),
  },
});
/** An accepted hint of a marketplace. */
export class WebhookDelivery extends WebhookDeliverySchema.class {}
WebhookDeliverySchema.setClass(WebhookDelivery);
