import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CarrierEvent } from '../../src/carriers/adapter.ts';
import { type Shipment, TrackingEvent } from '../../src/db/entities/index.ts';
import {
  type EventStatus,
  isFinal,
  nextTrackingStatus,
  TRACKING_STATUSES,
  type TrackingStatus,
} from '../../src/domain/tracking-status.ts';
import { bookShipment } from '../../src/usecases/shipments/book-shipment.ts';
import { applyReport } from '../../src/usecases/tracking/take-report.ts';
import type { TestApp } from '../support/test-app.ts';
import {
  type Deps,
  database,
  jobContext,
  orderShipment,
  readOrderRow,
  readShipment,
  recordingDeps,
} from '../usecases/engine.ts';
import { anyStatus, carrierEvents } from './commands/carrier.ts';
import { startModelApp } from './model-app.ts';

const anyStatuses = fc.array(anyStatus, { maxLength: 12 });

function rankOf(status: TrackingStatus | null): number {
  return status === null ? -1 : TRACKING_STATUSES[status];
}

/** Every status that `events` may end with in some order of arrival, as far as the order cannot matter. */
function possibleEnds(events: readonly EventStatus[]): (TrackingStatus | null)[] {
  const known = events.filter((status) => status !== 'unrecognised');
  if (known.length === 0) return [null];
  const highest = Math.max(...known.map(rankOf));
  // Of several final ones the first that arrives stays; ranks 2 and 3 move freely, so there the time of an event decides.
  return known.filter((status) => rankOf(status) === highest || (highest === 3 && rankOf(status) === 2));
}

describe('the order of tracking events', () => {
  it('never moves a status to a lower rank but from 3 to 2, and never out of a final one', () => {
    fc.assert(
      fc.property(anyStatuses, (events) => {
        let status: TrackingStatus | null = null;
        for (const event of events) {
          const next: TrackingStatus | null = nextTrackingStatus(status, event);
          if (isFinal(status)) expect(next).toBe(status);
          expect(rankOf(next)).toBeGreaterThanOrEqual(rankOf(status) === 3 ? 2 : rankOf(status));
          status = next;
        }
      }),
    );
  });

  it('does not matter for the status, but for which of several final ones came first and for the way between ranks 2 and 3', () => {
    fc.assert(
      fc.property(anyStatuses, (events) => {
        const end = events.reduce<TrackingStatus | null>(nextTrackingStatus, null);

        expect(possibleEnds(events)).toContain(end);
      }),
    );
  });
});

describe('reports of a carrier', () => {
  let test: TestApp;
  let deps: Deps;
  let shipment: Shipment;

  beforeAll(async () => {
    test = await startModelApp();
    ({ deps } = recordingDeps(test));
    const { shipmentId } = await orderShipment(test);
    await bookShipment(deps, { shipmentId, ...jobContext() });
    shipment = await readShipment(test, shipmentId);
  });
  afterAll(() => test.stop());

  /** As it was before the first report: one database serves all runs. */
  async function beforeAnyReport(): Promise<void> {
    await database(test).transactional(async (tx) => {
      await tx.execute('set local session_replication_role = replica'); // past the guard
      await tx.execute('delete from tracking_events');
      await tx.execute(`update orders set status = 'shipment_created'`);
      await tx.execute(
        `update shipments set tracking_status = null, last_event_at = null, is_delayed = false, delivered_at = null,
                picked_up_at = null, held_since = null, expired_at = null`,
      );
    });
  }

  const apply = (events: CarrierEvent[]): Promise<void> =>
    applyReport(deps, shipment, { events, related: [], found: true });

  async function seen(): Promise<Record<string, unknown>> {
    const row = await readShipment(test, shipment.id);
    const { trackingStatus, isDelayed, lastEventAt, pickedUpAt, deliveredAt, heldSince } = row;
    const events = await database(test).count(TrackingEvent, {});
    const order = (await readOrderRow(test, row.orderId)).status;
    return { trackingStatus, isDelayed, lastEventAt, pickedUpAt, deliveredAt, heldSince, order, events };
  }

  /** The same events in any order, some of them again, in any number of reports. */
  const anyReports = fc.array(carrierEvents(anyStatus), { minLength: 1, maxLength: 8 }).chain((events) =>
    fc.record({
      events: fc.constant(events),
      reports: fc
        .tuple(fc.shuffledSubarray(events, { minLength: events.length }), fc.subarray(events), fc.array(fc.nat(3)))
        .map(([all, again, sizes]) => split([...all, ...again], sizes)),
    }),
  );

  it('are kept event by event once, move by rank, and end where no order of arrival matters at the same status', async () => {
    await fc.assert(
      fc.asyncProperty(anyReports, async ({ events, reports }) => {
        await beforeAnyReport();

        for (const report of reports) await apply(report); // the guard watches each step

        const { trackingStatus, events: kept } = await seen();
        expect(possibleEnds(events.map(({ status }) => status))).toContain(trackingStatus);
        expect(kept).toBe(new Set(events.map(({ at, code }) => `${at.getTime()} ${code}`)).size);
      }),
      { numRuns: 60 },
    );
  });

  it('change nothing when the whole of one comes again', async () => {
    await fc.assert(
      fc.asyncProperty(anyReports, async ({ events, reports }) => {
        await beforeAnyReport();
        for (const report of reports) await apply(report);
        const before = await seen();

        for (const report of [...reports, events]) await apply(report);

        expect(await seen()).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });
});

/** Cuts after so many, and again; what is left is the last part. */
function split<Value>(values: readonly Value[], sizes: readonly number[]): Value[][] {
  const parts: Value[][] = [];
  let rest = [...values];
  for (const size of sizes) {
    parts.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return [...parts, rest];
}
