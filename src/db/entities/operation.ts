import { defineEntity, p } from '@mikro-orm/core';
import { companyFilter, createdAt, instant } from './columns.ts';
import { Company } from './company.ts';
import { Connection, Contract } from './partner.ts';
import { Pickup } from './pickup.ts';
import { Shipment } from './shipment.ts';

export const OPERATION_KINDS = [
  'create',
  'transmit',
  'cancel',
  'release',
  'send',
  'check-address',
  'pickup-points',
  'live-rates',
  'book-pickup',
  'cancel-pickup',
  'poll',
  'correct',
  'cancel-order',
  'verify',
  'import',
  'test-endpoint',
  'verify-contract',
  'print',
] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

const OperationSchema = defineEntity({
  name: 'Operation',
  tableName: 'operations',
  filters: companyFilter,
  indexes: [{ properties: ['companyId', 'id'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    kind: p.enum(OPERATION_KINDS),
    requestId: p.text().default(''),
    /** The client's request, for workers to read. */
    input: p.json().$type<Record<string, unknown>>(),
    createdAt: createdAt(),
  },
});
/** One asynchronous request. */
export class Operation extends OperationSchema.class {}
OperationSchema.setClass(Operation);

const FAILURE_KINDS = ['retryable', 'permanent', 'unknown-outcome'] as const;

export const ITEM_STATUSES = ['pending', 'running', 'succeeded', 'failed'] as const;

const OperationItemSchema = defineEntity({
  name: 'OperationItem',
  tableName: 'operation_items',
  filters: companyFilter,
  indexes: [
    { properties: ['operationId'] },
    {
      name: 'operation_items_contract_checks',
      expression:
        "create index operation_items_contract_checks on operation_items (company_id, contract_id, id) where kind = 'verify-contract'",
    },
    {
      name: 'operation_items_prints',
      expression:
        "create index operation_items_prints on operation_items (company_id, shipment_id, id) where kind = 'print'",
    },
    {
      name: 'operation_items_open',
      expression:
        "create index operation_items_open on operation_items (shipment_id) where status in ('pending', 'running')",
    },
    {
      name: 'operation_items_waiting',
      expression:
        "create index operation_items_waiting on operation_items (company_id, kind) where status in ('pending', 'running')",
    },
    {
      name: 'operation_items_sends',
      expression:
        "create index operation_items_sends on operation_items (company_id, order_id, id) where kind = 'send'",
    },
    {
      name: 'operation_items_failed_sends',
      expression:
        "create index operation_items_failed_sends on operation_items (company_id, order_id) where kind = 'send' and status = 'failed'",
    },
    {
      // For the erasure of a person's data, which looks for the words of partners.
      name: 'operation_items_words',
      expression:
        "create index operation_items_words on operation_items (company_id, order_id) where kind = 'release' or message <> ''",
    },
    {
      name: 'operation_items_unsent',
      expression:
        "create index operation_items_unsent on operation_items (company_id, shipment_id) where kind = 'send' and status = 'failed' and failure_kind in ('retryable', 'unknown-outcome')",
    },
  ],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    operationId: p.manyToOne(Operation).mapToPk().fieldName('operation_id'),
    kind: p.enum(OPERATION_KINDS),
    orderId: p.integer().strictNullable(),
    shipmentId: p.manyToOne(Shipment).mapToPk().fieldName('shipment_id').strictNullable(),
    contractId: p.manyToOne(Contract).mapToPk().fieldName('contract_id').strictNullable(),
    connectionId: p.manyToOne(Connection).mapToPk().fieldName('connection_id').strictNullable(),
    pickupId: p.manyToOne(Pickup).mapToPk().fieldName('pickup_id').strictNullable(),
    status: p.enum(ITEM_STATUSES).default('pending'),
    /** Fencing number, as on a shipment. */
    fence: p.integer().fieldName('attempt').default(0),
    message: p.text().default(''),
    /** Type of a failure; a `retryable` one may be retried by hand, from the failed jobs. */
    failureKind: p.enum(FAILURE_KINDS).strictNullable(),
    /** The answer of operations that return more than a message. */
    result: p.json().$type<Record<string, unknown>>().strictNullable(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    settledAt: instant().strictNullable(),
  },
});
/** The truth about one order of an operation. */
export class OperationItem extends OperationItemSchema.class {}
OperationItemSchema.setClass(OperationItem);

const ExchangeSchema = defineEntity({
  name: 'Exchange',
  tableName: 'exchanges',
  filters: companyFilter,
  indexes: [
    { properties: ['companyId', 'startedAt'] },
    { properties: ['shipmentId'] },
    // For the nightly purge, which looks at all companies.
    { properties: ['startedAt'] },
  ],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    shipmentId: p.manyToOne(Shipment).mapToPk().fieldName('shipment_id').strictNullable(),
    /** Null: a call to a marketplace, or one of an earlier release. No reference, because exchanges are many. */
    contractId: p.integer().strictNullable(),
    attemptId: p.integer().strictNullable(),
    requestId: p.text().default(''),
    provider: p.text(),
    operation: p.text(),
    effect: p.text(),
    method: p.text(),
    /** Without its query. */
    url: p.text(),
    status: p.integer().strictNullable(),
    error: p.text().strictNullable(),
    durationMs: p.integer(),
    /** zstd of `{request, response}`, redacted and cut to a budget; null after their retention. */
    bodies: p.blob().strictNullable(),
    startedAt: instant(),
  },
});
/** One request to a partner and its answer. */
export class Exchange extends ExchangeSchema.class {}
ExchangeSchema.setClass(Exchange);

const IdempotencyKeySchema = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  filters: companyFilter,
  uniques: [{ properties: ['companyId', 'key'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    key: p.text(),
    requestHash: p.text(),
    /** Fencing number: a request that counts as lost may not write when it returns. */
    claim: p.integer().default(1),
    /**
     * The result of the first request, written in its own transaction. It can be answered again even when it was never
     * sent.
     */
    resultId: p.integer().strictNullable(),
    /** Null while the first request runs. */
    status: p.integer().strictNullable(),
    contentType: p.text().strictNullable(),
    location: p.text().strictNullable(),
    body: p.text().strictNullable(),
    createdAt: createdAt(),
  },
});
export class IdempotencyKey extends IdempotencyKeySchema.class {}
IdempotencyKeySchema.setClass(IdempotencyKey);
