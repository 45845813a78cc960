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
    /** Per company, without gaps; null until it is numbered (`queries/number-events.ts`). */
    sequence: p.bigint('number').strictNullable(),
    type: p.enum(EVENT_TYPES),
    occurredAt: createdAt(),
    /** Ids and statuses, no personal data. */
    data: p.json().$type<Record<string, unknown>>(),
  },
});
/** A change that clients receive. Triggers write it in the transaction of the change itself. */
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
/** The last number given to an event of the company; its row lock serializes the numbering. */
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
    /** End of the second secret's use; null: it signs until it is changed. */
    previousSecretUntil: instant().strictNullable(),
    /** The owner's wish; `disabledAt` is the state. */
    isEnabled: p.boolean().default(true),
    disabledAt: instant().strictNullable(),
    disabledReason: p.enum(DISABLED_REASONS).strictNullable(),
    /** Every event up to here was accepted, or is not of its types. */
    deliveredSequence: p.bigint('number').default(0),
    /** The range to send again: its next event and its last one. */
    replayFrom: p.bigint('number').strictNullable(),
    replayTo: p.bigint('number').strictNullable(),
    /** Fencing number, as on a shipment. */
    fence: p.integer().fieldName('attempt').default(0),
    /** End of the lease of one run, which renews it while it lives. */
    runningUntil: instant().strictNullable(),
    lastRunAt: instant().strictNullable(),
    /** The last delivery was accepted. */
    isReliable: p.boolean().default(false),
    /** A slow delivery was long ago by then; null: there was none. */
    doubtedUntil: instant().strictNullable(),
    /** Failures in a row. */
    failures: p.integer().default(0),
    failingSince: instant().strictNullable(),
    nextTryAt: instant().strictNullable(),
    lastError: p.text().strictNullable(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
/** A client's address for the company's events. */
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
    /** The number of this attempt for the event, from 1. */
    number: p.integer(),
    httpStatus: p.integer().strictNullable(),
    /** Null: accepted. */
    error: p.text().strictNullable(),
    durationMs: p.integer(),
    startedAt: instant(),
  },
});
/** One attempt to deliver one event: its result, without any content. */
export class EventDelivery extends EventDeliverySchema.class {}
EventDeliverySchema.setClass(EventDelivery);
