import { defineEntity, p } from '@mikro-orm/core';
import { PICKUP_STATUSES } from '../../domain/pickup-status.ts';
import { companyFilter, createdAt } from './columns.ts';
import { Company, Warehouse } from './company.ts';
import { Contract } from './partner.ts';

const PickupSchema = defineEntity({
  name: 'Pickup',
  tableName: 'pickups',
  filters: companyFilter,
  indexes: [{ properties: ['companyId', 'id'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    contractId: p.manyToOne(Contract).mapToPk().fieldName('contract_id'),
    warehouseId: p.manyToOne(Warehouse).mapToPk().fieldName('warehouse_id').strictNullable(),
    /** Wall clock of the warehouse: YYYY-MM-DD, HH:mm. */
    date: p.text(),
    fromTime: p.text(),
    toTime: p.text(),
    shipmentIds: p.json().$type<number[]>(),
    note: p.text().default(''),
    status: p.enum(PICKUP_STATUSES).default('requested'),
    /** The carrier's name for it. */
    confirmation: p.text().default(''),
    /** In the carrier's words. */
    message: p.text().default(''),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
/** A courier asked to come to a warehouse. */
export class Pickup extends PickupSchema.class {}
PickupSchema.setClass(Pickup);
