import { defineEntity, p } from '@mikro-orm/core';
import { DISABLED_REASONS, EVENT_TYPES, type EventType } from '../../domain/event-types.ts';
import { companyFilter, createdAt, instant } from './columns.ts';
import { Company } from './company.ts';

const EventSchema = defineEntity({
  name: 'EventRow',
  tableName: 'events',
  filters: companyFilter,
  uniques: [{ properties: ['companyId', 'sequence'] }],
  indexes: [
    {
      name: 'events_without_number',
      expression: 'create index events_without_number on events (company_id, id) where sequence is null',
    },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    /** Of the company, without gaps; null until its turn has come (`queries/number-events.ts`). */
    sequence: p.bigint('number').strictNullable(),
    type: p.enum(EVENT_TYPES),
    occurredAt: createdAt(),
    /** Ids and statuses, nothing of a person. */
    data: p.json().$type<Record<string, unknown>>(),
  },
});
/** Something a client is told of. Written by triggers, in the transaction of the change itself. */
export class EventRow extends EventSchema.class {}
EventSchema.setClass(EventRow);

const EventCounterSchema = defineEntity({
  name: 'EventCounter',
  tableName: 'event_counters',
  filters: companyFilter,
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id').unique(),
    lastSequence: p.bigint('number').default(0),
  },
});
/** The last number given to an event of the company; its lock is whose turn it is to give numbers. */
export class EventCounter extends EventCounterSchema.class {}
EventCounterSchema.setClass(EventCounter);

const EventEndpointSchema = defineEntity({
  name: 'EventEndpoint',
  tableName: 'event_endpoints',
  filters: companyFilter,
  uniques: [{ properties: ['companyId', 'key'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    key: p.text(),
    url: p.text(),
    /** Null: every type. */
    types: p.json().$type<EventType[]>().strictNullable(),
    /** `{secrets}`, the current one first, sealed; bound to this row. */
    credentials: p.text().default(''),
    /** From then on the second secret signs no more; null: it does until it is changed. */
    previousSecretUntil: instant().strictNullable(),
    /** As its owner wishes; `disabledAt` says what is. */
    isEnabled: p.boolean().default(true),
    disabledAt: instant().strictNullable(),
    disabledReason: p.enum(DISABLED_REASONS).strictNullable(),
    /** Every event up to here was taken, or is not of its types. */
    deliveredSequence: p.bigint('number').default(0),
    /** What is told again: from the first of them that still is to be, to the last. */
    replayFrom: p.bigint('number').strictNullable(),
    replayTo: p.bigint('number').strictNullable(),
    /** Fencing number, as on a shipment. */
    attempt: p.integer().default(0),
    /** Until then one run is delivering; it says so again and again while it lives. */
    runningUntil: instant().strictNullable(),
    /** Failures in a row. */
    failures: p.integer().default(0),
    failingSince: instant().strictNullable(),
    nextTryAt: instant().strictNullable(),
    lastError: p.text().strictNullable(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
/** Where a company wants to be told of its events. */
export class EventEndpoint extends EventEndpointSchema.class {}
EventEndpointSchema.setClass(EventEndpoint);

const EventDeliverySchema = defineEntity({
  name: 'EventDelivery',
  tableName: 'event_deliveries',
  filters: companyFilter,
  indexes: [{ properties: ['companyId', 'endpointId', 'id'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    endpointId: p.manyToOne(EventEndpoint).mapToPk().fieldName('endpoint_id').deleteRule('cascade'),
    eventId: p.bigint('number'),
    sequence: p.bigint('number'),
    type: p.enum(EVENT_TYPES),
    isReplay: p.boolean().default(false),
    /** How often this event was tried in a row, from 1. */
    number: p.integer(),
    httpStatus: p.integer().strictNullable(),
    /** Null: taken. */
    error: p.text().strictNullable(),
    durationMs: p.integer(),
    startedAt: instant(),
  },
});
/** One try to deliver one event: what came of it, and nothing of what was said. */
export class EventDelivery extends EventDeliverySchema.class {}
EventDeliverySchema.setClass(EventDelivery);
