import { defineEntity, p } from '@mikro-orm/core';
import { MANIFEST_STATUSES } from '../../domain/manifest-status.ts';
import { companyFilter, createdAt, instant } from './columns.ts';
import { Company } from './company.ts';
import { Order } from './order.ts';
import { CarrierRow, Contract } from './partner.ts';
import { Shipment } from './shipment.ts';

const ManifestSchema = defineEntity({
  name: 'Manifest',
  tableName: 'manifests',
  filters: companyFilter,
  uniques: [{ properties: ['companyId', 'number'] }],
  indexes: [{ properties: ['companyId', 'manifestDate'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    carrierId: p.manyToOne(CarrierRow).mapToPk().fieldName('carrier_id'),
    contractId: p.manyToOne(Contract).mapToPk().fieldName('contract_id'),
    /** The first bordero of the request that created this one too; null for the first. */
    firstId: p.integer().strictNullable(),
    /** Progressive per company, carrier and year: `<CARRIER>-2026-00001`. */
    number: p.text(),
    status: p.enum(MANIFEST_STATUSES).default('created'),
    manifestDate: instant(),
    totalShipments: p.integer(),
    totalParcels: p.integer(),
    totalWeightGrams: p.integer(),
    codCents: p.integer(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
/** A bordero: one driver's load on one day for one carrier contract. */
export class Manifest extends ManifestSchema.class {}
ManifestSchema.setClass(Manifest);

const ManifestItemSchema = defineEntity({
  name: 'ManifestItem',
  tableName: 'manifest_items',
  filters: companyFilter,
  uniques: [
    {
      name: 'manifest_items_one_per_shipment',
      expression:
        'create unique index manifest_items_one_per_shipment on manifest_items (shipment_id) where restored_at is null',
    },
  ],
  indexes: [{ properties: ['companyId', 'manifestId'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    manifestId: p.manyToOne(Manifest).mapToPk().fieldName('manifest_id'),
    shipmentId: p.manyToOne(Shipment).mapToPk().fieldName('shipment_id'),
    orderId: p.manyToOne(Order).mapToPk().fieldName('order_id'),
    /** Set when the manifest was deleted and the order taken off it. */
    restoredAt: instant().strictNullable(),
  },
});
export class ManifestItem extends ManifestItemSchema.class {}
ManifestItemSchema.setClass(ManifestItem);
