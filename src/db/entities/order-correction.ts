import { defineEntity, p } from '@mikro-orm/core';
import { companyFilter, createdAt, instant } from './columns.ts';
import { Company } from './company.ts';
import { Operation } from './operation.ts';
import { Order } from './order.ts';

export const CORRECTION_KINDS = ['correct', 'cancel'] as const;

/**
 * `waiting`: for the cancellation of the labels. `rebooking`: the order is corrected, and no label is ordered yet.
 * All others are ends.
 */
export const CORRECTION_STATUSES = ['waiting', 'rebooking', 'rebooked', 'corrected', 'cancelled', 'refused'] as const;

const OrderCorrectionSchema = defineEntity({
  name: 'OrderCorrection',
  tableName: 'order_corrections',
  filters: companyFilter,
  uniques: [
    {
      name: 'order_corrections_one_open',
      expression:
        "create unique index order_corrections_one_open on order_corrections (order_id) where status in ('waiting', 'rebooking')",
    },
  ],
  indexes: [{ properties: ['operationId'] }, { properties: ['orderId'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    orderId: p.manyToOne(Order).mapToPk().fieldName('order_id').deleteRule('cascade'),
    kind: p.enum(CORRECTION_KINDS),
    status: p.enum(CORRECTION_STATUSES),
    /** Null: it needed no carrier. */
    operationId: p.manyToOne(Operation).mapToPk().fieldName('operation_id').strictNullable(),
    /** JSON pointers of the fields that change, without their values. */
    changed: p.json().$type<string[]>(),
    /** The new values, or the reason of a cancellation; emptied when it is decided, because it holds personal data. */
    change: p.json().$type<Record<string, unknown>>(),
    /** The contract of the cancelled label, for the new one. */
    contractId: p.integer().strictNullable(),
    createdAt: createdAt(),
    settledAt: instant().strictNullable(),
  },
});
/** A correction or cancellation of an order; at most one is open, while it waits for a carrier. */
export class OrderCorrection extends OrderCorrectionSchema.class {}
OrderCorrectionSchema.setClass(OrderCorrection);
