import fc from 'fast-check';
import type { CarrierEvent } from '../../../src/carriers/adapter.ts';
import { Shipment } from '../../../src/db/entities/index.ts';
import { type EventStatus, TRACKING_STATUSES } from '../../../src/domain/tracking-status.ts';
import { applyReport } from '../../../src/usecases/tracking/take-report.ts';
import { database } from '../../usecases/engine.ts';
import { type Command, command, pickFrom } from './command.ts';

const OPERATIONS = ['AddParcel', 'AddParcel', 'CloseWorkDayByShipmentNumber', 'DeleteSped', 'ListSped'];
const FAULTS = [
  'accept-then-500',
  'reset',
  'accept-twice',
  'status-429',
  'status-500',
  'status-503',
  'malformed',
  'wrong-encoding',
  'proxy-200',
  'proxy-202',
  'proxy-401',
  'proxy-403',
  'proxy-404',
];

const failing = fc
  .tuple(fc.constantFrom(...OPERATIONS), fc.constantFrom(...FAULTS), fc.integer({ min: 1, max: 2 }))
  .map(([operation, fault, times]) =>
    command(`the next ${times} ${operation}: ${fault}`, (world) => world.test.fault('gls-it', operation, fault, times)),
  );

const recovering = fc.constant(command('the carrier is well again', (world) => world.test.clearFaults()));

const EVENT_STATUSES: EventStatus[] = [
  ...(Object.keys(TRACKING_STATUSES) as (keyof typeof TRACKING_STATUSES)[]),
  'unrecognised',
];

/** Few hours and few statuses, so that events come late, out of order and again. */
export function carrierEvents(status: fc.Arbitrary<EventStatus>): fc.Arbitrary<CarrierEvent> {
  return fc.record({ hour: fc.nat(12), status, delayed: fc.boolean() }).map(({ hour, ...event }) => ({
    ...event,
    code: event.status,
    text: event.status,
    at: new Date(Date.UTC(2026, 10, 1, hour)),
    location: 'MI',
    note: '',
  }));
}
export const anyStatus = fc.constantFrom(...EVENT_STATUSES);

/** Mostly what leaves an order open to more. */
const lifelikeStatus = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom<EventStatus>('awaiting_pickup', 'unrecognised') },
  anyStatus,
);

/** Also about a shipment that was cancelled: a poll may have been under way, and parcels are scanned whatever we think. */
const reporting = fc
  .tuple(fc.nat(9), fc.array(carrierEvents(lifelikeStatus), { minLength: 1, maxLength: 3 }))
  .map(([pick, events]) =>
    command(
      `the carrier reports of shipment ${pick}: ${events.map(({ at, status }) => `${at.getUTCHours()} ${status}`).join(', ')}`,
      async (world) => {
        const booked = { orderId: { $in: world.orderIds }, trackingNumber: { $ne: null } };
        const shipment = pickFrom(await database(world.test).find(Shipment, booked, { orderBy: { id: 'asc' } }), pick);
        if (shipment) await world.perform((deps) => applyReport(deps, shipment, { events, related: [], found: true }));
      },
      (model) => model.asked.size > 0,
    ),
  );

export const faults: fc.Arbitrary<Command> = fc.oneof({ weight: 4, arbitrary: failing }, recovering);
export const reports: fc.Arbitrary<Command> = reporting;
