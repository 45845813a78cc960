import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CarrierEvent, TrackingReport } from '../../../src/carriers/adapter.ts';
import { Manifest, RelatedShipment, TrackingEvent } from '../../../src/db/entities/index.ts';
import type { EventStatus } from '../../../src/domain/tracking-status.ts';
import { bookShipment } from '../../../src/usecases/shipments/book-shipment.ts';
import { transmitShipments } from '../../../src/usecases/shipments/transmit-shipments.ts';
import { queueDueTracking } from '../../../src/usecases/tracking/queue-tracking.ts';
import { applyReport } from '../../../src/usecases/tracking/take-report.ts';
import { trackShipments } from '../../../src/usecases/tracking/track-shipments.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import {
  createOrder,
  type Deps,
  database,
  jobContext,
  type OrderedShipment,
  orderShipment,
  readOrderRow,
  readShipment,
  recordingDeps,
} from '../engine.ts';

const DAY_MS = 86_400_000;
const DAY_MINUTES = 1440;

let test: TestApp;
let deps: Deps;
let parcel: OrderedShipment;

beforeAll(async () => {
  // No worker: each test is the worker.
  test = await startTestApp({ roles: ['api'] });
  ({ deps } = recordingDeps(test));
});
beforeEach(async () => {
  parcel = await transmittedShipment();
});
afterAll(() => test.stop());

async function transmittedShipment(): Promise<OrderedShipment> {
  const shipment = await orderShipment(test);
  await bookShipment(deps, { shipmentId: shipment.shipmentId, ...jobContext() });
  await transmitShipments(deps, { shipmentIds: [shipment.shipmentId], ...jobContext() });
  return shipment;
}

/** An event so many hours after midnight of 1 November. */
function event(hour: number, status: EventStatus, overrides: Partial<CarrierEvent> = {}): CarrierEvent {
  const at = new Date(Date.UTC(2026, 10, 1, hour));
  return { code: `c-${status}`, text: status, at, location: 'MI', note: '', status, ...overrides };
}

function report(events: CarrierEvent[], related: TrackingReport['related'] = []): TrackingReport {
  return { events, related, found: true };
}

async function apply(...events: CarrierEvent[]): Promise<void> {
  await applyReport(deps, await readShipment(test, parcel.shipmentId), report(events));
}

async function statuses(): Promise<{ parcel: string | null; order: string; events: number }> {
  const { trackingStatus } = await readShipment(test, parcel.shipmentId);
  const order = await readOrderRow(test, parcel.orderId);
  const events = await database(test).count(TrackingEvent, { shipmentId: parcel.shipmentId });
  return { parcel: trackingStatus, order: order.status, events };
}

describe('a shipment after carrier events', () => {
  it('follows the parcel from the depot to the door', async () => {
    await apply(event(1, 'awaiting_pickup'));
    const announced = await statuses();
    await apply(event(1, 'awaiting_pickup'), event(4, 'picked_up'), event(9, 'in_transit'));
    const moving = await statuses();
    await apply(event(20, 'out_for_delivery'), event(24, 'delivered'));

    expect(announced).toEqual({ parcel: 'awaiting_pickup', order: 'transmitted', events: 1 });
    expect(moving).toEqual({ parcel: 'in_transit', order: 'shipped', events: 3 });
    expect(await statuses()).toEqual({ parcel: 'delivered', order: 'delivered', events: 5 });
    expect(await readShipment(test, parcel.shipmentId)).toMatchObject({
      pickedUpAt: event(4, 'picked_up').at,
      deliveredAt: event(24, 'delivered').at,
      nextPollAt: null,
    });
  });

  it('changes nothing for a repeated report', async () => {
    const events = [event(4, 'picked_up'), event(20, 'out_for_delivery')];
    await apply(...events);

    await apply(...events, ...events);
    await Promise.all([apply(...events), apply(...events)]);

    expect(await statuses()).toEqual({ parcel: 'out_for_delivery', order: 'shipped', events: 2 });
  });

  it('keeps a late event without going back', async () => {
    await apply(event(20, 'out_for_delivery'));

    await apply(event(9, 'in_transit'), event(1, 'awaiting_pickup'));

    expect(await statuses()).toEqual({ parcel: 'out_for_delivery', order: 'shipped', events: 3 });
  });

  it('lets a late event of a higher rank count', async () => {
    await apply(event(20, 'in_transit'));

    await apply(event(18, 'delivered'));

    expect(await statuses()).toMatchObject({ parcel: 'delivered', order: 'delivered' });
  });

  it('comes to the same end in whatever order the events arrive', async () => {
    await apply(event(24, 'delivered'), event(4, 'picked_up'), event(20, 'out_for_delivery'), event(9, 'in_transit'));

    expect(await statuses()).toEqual({ parcel: 'delivered', order: 'delivered', events: 4 });
    expect(await readShipment(test, parcel.shipmentId)).toMatchObject({ pickedUpAt: event(4, 'picked_up').at });
  });

  it('moves freely between transit and delivery, and not below', async () => {
    await apply(event(20, 'out_for_delivery'), event(22, 'attempt_failed'), event(30, 'in_transit'));
    const back = await statuses();
    await apply(event(31, 'picked_up'));

    expect(back.parcel).toBe('in_transit');
    expect(await statuses()).toMatchObject({ parcel: 'in_transit', events: 4 });
  });

  it.each(['delivered', 'returned', 'lost', 'destroyed'] as const)('lets nothing follow %s', async (end) => {
    await apply(event(20, end));

    await apply(event(30, 'in_transit'), event(40, end === 'delivered' ? 'returned' : 'delivered'));

    expect(await statuses()).toMatchObject({ parcel: end, events: 3 });
    expect((await readShipment(test, parcel.shipmentId)).nextPollAt).toBeNull();
  });

  it('keeps the code of an event it does not know, and the status it had', async () => {
    await apply(event(9, 'in_transit'));

    await apply(event(10, 'unrecognised', { code: '4711', text: 'Nuovo evento' }));
    const stored = await database(test).findOneOrFail(TrackingEvent, { shipmentId: parcel.shipmentId, code: '4711' });

    expect(await statuses()).toMatchObject({ parcel: 'in_transit', events: 2 });
    expect(stored).toMatchObject({ status: 'unrecognised', description: 'Nuovo evento' });
  });

  it('has no status when all it ever heard is unknown', async () => {
    await apply(event(10, 'unrecognised'));

    expect(await statuses()).toEqual({ parcel: null, order: 'transmitted', events: 1 });
  });

  it('remembers since when a parcel is held, until it is not', async () => {
    await apply(event(20, 'held', { location: 'MI' }));
    await apply(event(26, 'held', { location: 'LO' }));
    const held = await readShipment(test, parcel.shipmentId);
    const during = await statuses();
    await apply(event(40, 'out_for_delivery'));

    expect(held.heldSince).toEqual(event(20, 'held').at);
    expect(during.order).toBe('held');
    expect(await readShipment(test, parcel.shipmentId)).toMatchObject({ heldSince: null });
    expect(await statuses()).toMatchObject({ parcel: 'out_for_delivery', order: 'shipped' });
  });

  it('raises and lowers the flag of a delay without touching the rank', async () => {
    await apply(event(20, 'out_for_delivery'), event(21, 'in_transit', { delayed: true }));
    const late = await readShipment(test, parcel.shipmentId);
    await apply(event(30, 'out_for_delivery'));

    expect(late).toMatchObject({ trackingStatus: 'in_transit', isDelayed: true });
    expect(await readShipment(test, parcel.shipmentId)).toMatchObject({ isDelayed: false });
  });

  it('keeps the number a parcel goes back under, once', async () => {
    const related = [{ type: 'return' as const, trackingNumber: 'MI620000001', date: null }];
    const shipment = await readShipment(test, parcel.shipmentId);

    await applyReport(deps, shipment, report([event(20, 'returning')], related));
    await applyReport(deps, shipment, report([], related));

    const rows = await database(test).find(RelatedShipment, { shipmentId: parcel.shipmentId });
    expect(rows.map((row) => row.trackingNumber)).toEqual(['MI620000001']);
    expect(await statuses()).toMatchObject({ parcel: 'returning', order: 'shipped' });
  });

  it('closes the bordero with the first scan, and not with the announcement', async () => {
    const body = { carrierId: test.carrierId, orderIds: [parcel.orderId] };
    const { manifestId } = (await test.call('POST', '/bordero', body)).body;

    await apply(event(1, 'awaiting_pickup'));
    const announced = await database(test).findOneOrFail(Manifest, manifestId);
    await apply(event(4, 'picked_up'));

    expect(announced.status).toBe('created');
    expect(await database(test).findOneOrFail(Manifest, manifestId)).toMatchObject({ status: 'closed' });
    expect(await statuses()).toMatchObject({ order: 'shipped' });
  });
});

describe('polling', () => {
  it('queues each parcel that is due once, whatever the number of schedulers', async () => {
    await database(test).execute(`update shipments set next_poll_at = now() - interval '1 minute' where id = ?`, [
      parcel.shipmentId,
    ]);
    const { deps: recording, jobs } = recordingDeps(test);

    const found = await Promise.all([1, 2, 3].map(() => queueDueTracking(recording)));
    const later = await queueDueTracking(recording);

    const polled = jobs.flatMap((job) => (job.name === 'track' ? job.payload.shipmentIds : []));
    expect(found.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(polled).toEqual([parcel.shipmentId]);
    expect(later).toBe(0);
  });

  it('asks the carrier, and not about a parcel that has arrived', async () => {
    await apply(event(24, 'delivered'));

    await trackShipments(deps, { shipmentIds: [parcel.shipmentId], ...jobContext() });

    expect(await statuses()).toMatchObject({ events: 1 });
  });

  it('waits as long as the carrier asks before it goes on', async () => {
    await test.fault('gls-it', 'Tracking', 'status-429');

    const tracked = trackShipments(deps, { shipmentIds: [parcel.shipmentId], ...jobContext() });

    await expect(tracked).rejects.toMatchObject({ name: 'RetryLater', afterMs: 1000 });
    await trackShipments(deps, { shipmentIds: [parcel.shipmentId], ...jobContext() });
    expect(await statuses()).toMatchObject({ parcel: 'awaiting_pickup' });
  });

  it('stops after thirty days without news, and goes on when there is some', async () => {
    const late = recordingDeps(test, 31 * DAY_MINUTES).deps;
    const shipment = await readShipment(test, parcel.shipmentId);

    await applyReport(late, shipment, report([]));
    const expired = await readShipment(test, parcel.shipmentId);
    const news = event(0, 'in_transit', { at: new Date(Date.now() + 31 * DAY_MS) });
    await applyReport(late, shipment, report([news]));

    expect(expired).toMatchObject({ nextPollAt: null, expiredAt: expect.any(Date) });
    expect(await readShipment(test, parcel.shipmentId)).toMatchObject({
      expiredAt: null,
      nextPollAt: expect.any(Date),
      trackingStatus: 'in_transit',
    });
  });

  it('does not poll what has no label', async () => {
    const orderId = await createOrder(test);
    await test.call('POST', '/shipment/create', [{ orderId }], { prefer: 'respond-async' });
    const ahead = recordingDeps(test, DAY_MINUTES);

    await queueDueTracking(ahead.deps);

    const detail = await test.call('GET', `/orders/${orderId}`);
    const polled = ahead.jobs.flatMap((job) => (job.name === 'track' ? job.payload.shipmentIds : []));
    expect(polled).not.toContain(detail.body.shipments[0].id);
    expect(polled).toContain(parcel.shipmentId);
  });
});
