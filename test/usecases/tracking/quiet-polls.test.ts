import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CarrierEvent, TrackingReport } from '../../../src/carriers/adapter.ts';
import { Exchange, RelatedShipment, type Shipment, TrackingEvent } from '../../../src/db/entities/index.ts';
import { TRACKING_STATUSES, type TrackingStatus } from '../../../src/domain/tracking-status.ts';
import { bookShipment } from '../../../src/usecases/shipments/book-shipment.ts';
import { applyReport, saysNothingNew } from '../../../src/usecases/tracking/take-report.ts';
import { trackShipments } from '../../../src/usecases/tracking/track-shipments.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { type Deps, database, jobContext, orderShipment, readShipment, recordingDeps } from '../engine.ts';

const DAY_MS = 86_400_000;
const DAY_MINUTES = 1440;
const LONG_AGO_MINUTES = 100 * DAY_MINUTES;

let test: TestApp;
let deps: Deps;
let shipmentId: number;

beforeAll(async () => {
  // No worker: each test is the worker.
  test = await startTestApp({ roles: ['api'] });
  ({ deps } = recordingDeps(test));
});
beforeEach(async () => {
  shipmentId = await bookedShipment();
});
afterAll(() => test.stop());

async function bookedShipment(): Promise<number> {
  const { shipmentId: id } = await orderShipment(test);
  await bookShipment(deps, { shipmentId: id, ...jobContext() });
  return id;
}

/** An event so many hours after midnight of this day. */
function event(hour: number, status: TrackingStatus): CarrierEvent {
  const midnight = Math.floor(deps.now().getTime() / DAY_MS) * DAY_MS;
  return {
    code: `c-${status}`,
    text: status,
    at: new Date(midnight + hour * 3_600_000),
    location: '',
    note: '',
    status,
  };
}

function report(events: CarrierEvent[], related: TrackingReport['related'] = []): TrackingReport {
  return { events, related, found: true };
}

/** Returns whether the report was taken as news. */
const take = async (given: TrackingReport, on = deps): Promise<boolean> =>
  takeAs(on, await readShipment(test, shipmentId), given);

async function takeAs(on: Deps, shipment: Shipment, given: TrackingReport): Promise<boolean> {
  if (await saysNothingNew(on, shipment, given)) return false;
  await applyReport(on, shipment, given);
  return true;
}

describe('a report that says nothing new', () => {
  it('only moves the next poll', async () => {
    const events = [event(1, 'awaiting_pickup'), event(2, 'picked_up')];
    await take(report(events));
    const before = await readShipment(test, shipmentId);

    const later = recordingDeps(test, 60).deps;
    const isNew = await take(report(events), later);

    const { polledAt, nextPollAt, ...after } = await readShipment(test, shipmentId);
    expect(isNew).toBe(false);
    expect({ ...before, polledAt: null, nextPollAt: null }).toMatchObject({ ...after });
    expect(polledAt?.getTime()).toBeGreaterThan(before.polledAt?.getTime() ?? 0);
    expect(nextPollAt?.getTime()).toBeGreaterThan(before.nextPollAt?.getTime() ?? 0);
  });

  it('ends the polls of a cancelled parcel', async () => {
    await take(report([event(1, 'in_transit')]));
    await database(test).execute(`update shipments set process_status = 'cancelled' where id = ?`, [shipmentId]);

    const isNew = await take(report([event(1, 'in_transit')]));

    expect(isNew).toBe(false);
    expect(await readShipment(test, shipmentId)).toMatchObject({ nextPollAt: null });
  });

  it('leaves a row without texts, and a report with news one with them', async () => {
    const look = () => trackShipments(deps, { shipmentIds: [shipmentId], ...jobContext() });
    const exchanges = () =>
      database(test).find(Exchange, { shipmentId, operation: 'Tracking' }, { orderBy: { id: 'asc' } });
    await test.advance(12);
    await look();
    const events = await database(test).count(TrackingEvent, { shipmentId });

    await look();

    const [news, nothing] = await exchanges();
    expect(events).toBeGreaterThan(0);
    expect(news?.bodies).not.toBeNull();
    expect(nothing).toMatchObject({ bodies: null, status: 200, error: null });
  });

  it('leaves a failed poll with its texts', async () => {
    await test.fault('gls-it', 'Tracking', 'status-503');
    await expect(trackShipments(deps, { shipmentIds: [shipmentId], ...jobContext() })).rejects.toThrow();

    const [failed] = await database(test).find(Exchange, { shipmentId, operation: 'Tracking' });

    expect(failed).toMatchObject({ status: 503 });
    expect(failed?.bodies).not.toBeNull();
  });
});

describe('a report goes the whole way', () => {
  it('when it has an event more, or fewer known ones beside a new one', async () => {
    await take(report([event(1, 'picked_up'), event(2, 'in_transit')]));

    const answers = [
      await take(report([event(1, 'picked_up'), event(2, 'in_transit'), event(3, 'in_transit')])),
      await take(report([event(4, 'in_transit')])),
      await take(report([])),
    ];

    expect(answers).toEqual([true, true, false]);
    expect(await database(test).count(TrackingEvent, { shipmentId })).toBe(4);
  });

  it('when it names a further number', async () => {
    const related = [{ type: 'return' as const, trackingNumber: 'BACK-1', date: null }];
    await take(report([event(1, 'in_transit')]));

    expect([
      await take(report([event(1, 'in_transit')], related)),
      await take(report([event(1, 'in_transit')], related)),
    ]).toEqual([true, false]);
    expect(await database(test).count(RelatedShipment, { shipmentId })).toBe(1);
  });

  it('when another poll was there first', async () => {
    await take(report([event(1, 'picked_up')]));
    const old = await readShipment(test, shipmentId);
    await take(report([event(5, 'out_for_delivery')]));

    const isNew = await takeAs(deps, old, report([event(1, 'picked_up')]));

    expect(isNew).toBe(true);
    expect(await readShipment(test, shipmentId)).toMatchObject({ trackingStatus: 'out_for_delivery' });
  });

  it('when the parcel has been silent for too long, and when it is heard of again', async () => {
    await take(report([event(1, 'in_transit')]));
    const late = recordingDeps(test, LONG_AGO_MINUTES).deps;

    const gone = await take(report([event(1, 'in_transit')]), late);
    const expired = await readShipment(test, shipmentId);
    const back = await take(report([event(1, 'in_transit')]));

    expect([gone, back]).toEqual([true, true]);
    expect(expired).toMatchObject({ nextPollAt: null, expiredAt: expect.any(Date) });
    expect(await readShipment(test, shipmentId)).toMatchObject({ nextPollAt: expect.any(Date), expiredAt: null });
  });
});

describe('any series of reports', () => {
  it('ends where the whole way ends', { timeout: 240_000 }, async () => {
    const statuses = fc.constantFrom(...(Object.keys(TRACKING_STATUSES) as TrackingStatus[]));
    const events = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), statuses), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(events, { minLength: 1, maxLength: 4 }), async (series) => {
        const [quick, whole] = [await bookedShipment(), await bookedShipment()];
        for (const one of series) {
          const said = report(one.map(([hour, status]) => event(hour, status)));
          await takeAs(deps, await readShipment(test, quick), said);
          await applyReport(deps, await readShipment(test, whole), said);
        }
        const [a, b] = [await readShipment(test, quick), await readShipment(test, whole)];
        const endOf = (row: typeof a) => [
          ...[row.trackingStatus, row.isDelayed, row.lastEventAt, row.deliveredAt, row.pickedUpAt],
          ...[row.heldSince, row.expiredAt, row.nextPollAt === null],
        ];
        expect(endOf(a)).toEqual(endOf(b));
      }),
      { numRuns: 25 },
    );
  });
});
