import { defineEntity, p } from '@mikro-orm/core';
import { ATTEMPT_OPERATIONS, ATTEMPT_OUTCOMES } from '../../domain/attempt.ts';
import { DIRECTIONS } from '../../domain/direction.ts';
import type { HeldReason } from '../../domain/held-reasons.ts';
import { PROCESS_STATUSES } from '../../domain/shipment-status.ts';
import {
  EVENT_CONTEXTS,
  type EventStatus,
  TRACKING_STATUSES,
  type TrackingStatus,
} from '../../domain/tracking-status.ts';
import { companyFilter, createdAt, instant } from './columns.ts';
import { Company } from './company.ts';
import { Order, OrderPart } from './order.ts';
import { CarrierRow, Contract } from './partner.ts';

const TRACKING_STATUS_NAMES = Object.keys(TRACKING_STATUSES) as TrackingStatus[];
const EVENT_STATUS_NAMES: EventStatus[] = [...TRACKING_STATUS_NAMES, 'unrecognised'];

/** The last failure of a shipment, for people and for the next decision. */
export interface ShipmentFailure {
  code: string;
  message: string;
  retryable: boolean;
}

/** Labels that the carrier holds beyond the needed ones, and that could not be cancelled. */
export interface Surplus {
  message: string;
  /** Number of the surplus alone; empty when the carrier merged it into the shipment's own number. */
  trackingNumbers: string[];
}

const ShipmentSchema = defineEntity({
  name: 'Shipment',
  tableName: 'shipments',
  filters: companyFilter,
  uniques: [
    {
      name: 'shipments_one_active_per_part',
      expression:
        "create unique index shipments_one_active_per_part on shipments (order_id, (coalesce(part_id, 0)), direction) where process_status not in ('cancelled', 'rejected') and (direction = 'outbound' or delivered_at is null)",
    },
  ],
  indexes: [
    { properties: ['companyId', 'id'] },
    { properties: ['companyId', 'orderId'] },
    {
      name: 'shipments_before_driver',
      expression:
        "create index shipments_before_driver on shipments (company_id, contract_id) where picked_up_at is null and expired_at is null and direction = 'outbound' and process_status in ('queued', 'submitting', 'unknown_outcome', 'created', 'transmitting', 'transmitted')",
    },
    {
      name: 'shipments_returns',
      expression: "create index shipments_returns on shipments (company_id, id) where direction = 'return'",
    },
    {
      name: 'shipments_delivered',
      expression:
        'create index shipments_delivered on shipments (company_id, delivered_at) where delivered_at is not null',
    },
    { properties: ['companyId', 'trackingNumber'] },
    {
      name: 'shipments_search_number',
      expression:
        'create index shipments_search_number on shipments (company_id, lower(tracking_number) text_pattern_ops) where tracking_number is not null',
    },
    {
      name: 'shipments_search_reference',
      expression:
        'create index shipments_search_reference on shipments (company_id, lower(reference) text_pattern_ops) where reference is not null',
    },
    {
      name: 'shipments_due_for_polling',
      expression: 'create index shipments_due_for_polling on shipments (next_poll_at) where next_poll_at is not null',
    },
    {
      name: 'shipments_needing_a_person',
      expression:
        "create index shipments_needing_a_person on shipments (company_id, id) where exhausted_at is not null or surplus is not null or tracking_status = 'held' or label_missing_since is not null",
    },
    {
      name: 'shipments_to_print',
      expression:
        "create index shipments_to_print on shipments (company_id, order_id) where printed_at is null and picked_up_at is null and direction = 'outbound' and process_status in ('created', 'transmitting', 'transmitted')",
    },
    {
      name: 'shipments_told_other',
      expression:
        "create index shipments_told_other on shipments (company_id, order_id) where told_number is not null and told_number <> tracking_number and process_status not in ('cancelled', 'rejected')",
    },
    {
      name: 'shipments_told_dead',
      expression:
        "create index shipments_told_dead on shipments (company_id, order_id) where told_number is not null and process_status = 'cancelled'",
    },
    {
      name: 'shipments_with_driver',
      expression:
        "create index shipments_with_driver on shipments (company_id, contract_id) where picked_up_at is not null and expired_at is null and direction = 'outbound' and process_status in ('created', 'transmitting', 'transmitted') and tracking_status not in ('delivered', 'returned', 'lost', 'destroyed')",
    },
    {
      name: 'shipments_open_work',
      expression:
        "create index shipments_open_work on shipments (updated_at) where process_status in ('queued', 'submitting', 'transmitting', 'unknown_outcome')",
    },
  ],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    orderId: p.manyToOne(Order).mapToPk().fieldName('order_id'),
    /** Null: the whole order, which is then not split, or a return. */
    partId: p.manyToOne(OrderPart).mapToPk().fieldName('part_id').strictNullable(),
    contractId: p.manyToOne(Contract).mapToPk().fieldName('contract_id').index(),
    carrierId: p.manyToOne(CarrierRow).mapToPk().fieldName('carrier_id'),
    direction: p.enum(DIRECTIONS).default('outbound'),
    /** Our reference for the shipment at the carrier. Null only between INSERT and the id being known. */
    reference: p.text().unique().strictNullable(),
    processStatus: p.enum(PROCESS_STATUSES).default('queued'),
    /**
     * Fencing number: each claim of the row raises it, and a settle only counts for the claim that made it. The column
     * keeps its first name, because processes of an earlier release count in it too.
     */
    fence: p.integer().fieldName('attempt').default(0),
    /** Raised when a client asks again after the retries were used up, so that the job gets a new id. */
    generation: p.integer().default(0),
    /** Set when the retries are used up: the sweep leaves the row to people. */
    exhaustedAt: instant().strictNullable(),
    trackingStatus: p.enum(TRACKING_STATUS_NAMES).strictNullable(),
    isDelayed: p.boolean().default(false),
    trackingNumber: p.text().strictNullable(),
    carrierReference: p.text().strictNullable(),
    /** The tracking number that the order's marketplace has for this shipment. */
    toldNumber: p.text().strictNullable(),
    parcelCount: p.integer(),
    weightGrams: p.integer(),
    volumeCm3: p.integer().default(0),
    codCents: p.integer().strictNullable(),
    codPaymentType: p.text().default(''),
    insuredCents: p.integer().strictNullable(),
    options: p.json().$type<string[]>(),
    warnings: p.json().$type<string[]>(),
    failure: p.json().$type<ShipmentFailure>().strictNullable(),
    surplus: p.json().$type<Surplus>().strictNullable(),
    /** Sold, but not every label of it arrived. */
    labelMissingSince: instant().strictNullable(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    bookedAt: instant().strictNullable(),
    /** When its label was first printed, as far as it was marked; null again when more of it arrives. */
    printedAt: instant().strictNullable(),
    transmittedAt: instant().strictNullable(),
    cancelledAt: instant().strictNullable(),
    pickedUpAt: instant().strictNullable(),
    deliveredAt: instant().strictNullable(),
    expectedDeliveryAt: instant().strictNullable(),
    heldSince: instant().strictNullable(),
    lastEventAt: instant().strictNullable(),
    nextPollAt: instant().strictNullable(),
    polledAt: instant().strictNullable(),
    expiredAt: instant().strictNullable(),
  },
});
export class Shipment extends ShipmentSchema.class {}
ShipmentSchema.setClass(Shipment);

const ParcelSchema = defineEntity({
  name: 'Parcel',
  tableName: 'parcels',
  filters: companyFilter,
  indexes: [{ properties: ['shipmentId'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    shipmentId: p.manyToOne(Shipment).mapToPk().fieldName('shipment_id'),
    position: p.integer(),
    weightGrams: p.integer(),
    lengthMm: p.integer().default(0),
    widthMm: p.integer().default(0),
    heightMm: p.integer().default(0),
  },
});
export class Parcel extends ParcelSchema.class {}
ParcelSchema.setClass(Parcel);

const ShipmentAttemptSchema = defineEntity({
  name: 'ShipmentAttempt',
  tableName: 'shipment_attempts',
  filters: companyFilter,
  indexes: [{ properties: ['companyId', 'shipmentId'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    shipmentId: p.manyToOne(Shipment).mapToPk().fieldName('shipment_id'),
    operation: p.enum(ATTEMPT_OPERATIONS),
    /** Fencing number of its run. */
    number: p.integer(),
    reference: p.text(),
    requestId: p.text().default(''),
    outcome: p.enum(ATTEMPT_OUTCOMES).fieldName('result').default('running'),
    /** The same in the words of an earlier release, whose processes may still run. A trigger keeps both alike. */
    formerOutcome: p.enum(['running', 'yes', 'no', 'nobody_knows']).fieldName('outcome').default('running').lazy(),
    code: p.text().strictNullable(),
    message: p.text().strictNullable(),
    startedAt: createdAt(),
    endedAt: instant().strictNullable(),
  },
});
/** Written and committed before the partner is called, never deleted; `resolve` is a person's decision. */
export class ShipmentAttempt extends ShipmentAttemptSchema.class {}
ShipmentAttemptSchema.setClass(ShipmentAttempt);

const TrackingEventSchema = defineEntity({
  name: 'TrackingEvent',
  tableName: 'tracking_events',
  filters: companyFilter,
  uniques: [{ properties: ['shipmentId', 'fingerprint'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    shipmentId: p.manyToOne(Shipment).mapToPk().fieldName('shipment_id'),
    /** Same carrier, same event: makes a repeated report harmless. */
    fingerprint: p.text(),
    occurredAt: instant(),
    code: p.text(),
    description: p.text(),
    location: p.text().default(''),
    note: p.text().default(''),
    status: p.enum(EVENT_STATUS_NAMES),
    isDelayed: p.boolean().default(false),
    /** Given where the code alone is ambiguous. */
    context: p.enum(EVENT_CONTEXTS).default(''),
    heldReason: p.text().$type<HeldReason>().strictNullable(),
    /** Version of the carrier's table of codes at the time of reading. */
    mappingVersion: p.integer().default(1),
    receivedAt: createdAt(),
  },
});
export class TrackingEvent extends TrackingEventSchema.class {}
TrackingEventSchema.setClass(TrackingEvent);

const RelatedShipmentSchema = defineEntity({
  name: 'RelatedShipment',
  tableName: 'related_shipments',
  filters: companyFilter,
  uniques: [{ properties: ['shipmentId', 'trackingNumber'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    shipmentId: p.manyToOne(Shipment).mapToPk().fieldName('shipment_id'),
    type: p.enum(['return', 'forward'] as const),
    trackingNumber: p.text(),
    date: instant().strictNullable(),
  },
});
/** The tracking number of a parcel that the carrier sends back or on. */
export class RelatedShipment extends RelatedShipmentSchema.class {}
RelatedShipmentSchema.setClass(RelatedShipment);
