import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CarrierEvent } from '../../../src/carriers/adapter.ts';
import { HeldCase, OperationItem, Shipment } from '../../../src/db/entities/index.ts';
import type { EventStatus } from '../../../src/domain/tracking-status.ts';
import { listAttention } from '../../../src/usecases/attention/attention.ts';
import { decideInPortal } from '../../../src/usecases/held/decide-held.ts';
import { listHeldCases } from '../../../src/usecases/held/read-held.ts';
import { releaseHeld } from '../../../src/usecases/held/release-held.ts';
import { bookShipment } from '../../../src/usecases/shipments/book-shipment.ts';
import { transmitShipments } from '../../../src/usecases/shipments/transmit-shipments.ts';
import { applyReport } from '../../../src/usecases/tracking/take-report.ts';
import { sweep } from '../../../src/usecases/upkeep/sweep.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import {
  attemptsOf,
  type Deps,
  database,
  jobContext,
  type OrderedShipment,
  orderShipment,
  readShipment,
  recordingDeps,
} from '../engine.ts';

const now = { prefer: 'respond-async' };
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
  parcel = await orderShipment(test);
  await bookShipment(deps, { shipmentId: parcel.shipmentId, ...jobContext() });
  await transmitShipments(deps, { shipmentIds: [parcel.shipmentId], ...jobContext() });
});
afterEach(() => test.clearFaults());
afterAll(() => test.stop());

/** An event so many hours after midnight of 2 November, a Monday. */
function event(hour: number, status: EventStatus, more: Partial<CarrierEvent> = {}): CarrierEvent {
  const at = new Date(Date.UTC(2026, 10, 2, hour));
  return { code: `c-${status}`, text: status, at, location: 'MI', note: '', status, ...more };
}
const warned = (hour: number) => event(hour, 'attempt_failed', { code: 'W', announcesHeld: { inDays: 2 } });
const held = (hour: number, more: Partial<CarrierEvent> = {}) => event(hour, 'held', more);

async function apply(...events: CarrierEvent[]): Promise<void> {
  await applyReport(deps, await readShipment(test, parcel.shipmentId), { events, related: [], found: true });
}
async function cases(): Promise<HeldCase[]> {
  return database(test).find(HeldCase, { shipmentId: parcel.shipmentId }, { orderBy: { id: 'asc' } });
}
async function onlyCase(): Promise<HeldCase> {
  const all = await cases();
  expect(all).toHaveLength(1);
  return all[0] as HeldCase;
}
const page = { limit: 500, beforeId: null };
async function isListed(by = deps): Promise<boolean> {
  const views = await listHeldCases(by, { companyId: test.demo.companyId, status: 'all', ...page });
  return views.some(({ shipment }) => shipment.id === parcel.shipmentId);
}
async function deskReasons(by = deps): Promise<string[]> {
  const views = await listAttention(by, { companyId: test.demo.companyId, ...page });
  return views.find(({ shipment }) => shipment.id === parcel.shipmentId)?.notes.map(({ reason }) => reason) ?? [];
}
async function askedToRelease(action = 'RETURN_TO_SENDER'): Promise<number> {
  const { shipmentId } = parcel;
  const { body } = await test.call('POST', `/shipment/${shipmentId}/release-held`, { action }, now);
  expect(body.blockingError).toBeNull();
  const [item] = await database(test).find(
    OperationItem,
    { shipmentId, kind: 'release' },
    { orderBy: { id: 'desc' }, limit: 1 },
  );
  return item?.id ?? 0;
}
/** What GLS answers to a release of a parcel that it does not hold is a refusal: here it does hold it. */
async function heldInEarnest(): Promise<void> {
  parcel = await orderShipment(test, { address: 'Via Torino, 5 GIACENZA' });
  await bookShipment(deps, { shipmentId: parcel.shipmentId, ...jobContext() });
  await transmitShipments(deps, { shipmentIds: [parcel.shipmentId], ...jobContext() });
  await test.advance(60);
  await apply(held(50));
}

describe('a stay in giacenza', () => {
  it('is one case, however often and however parallel its events are reported', async () => {
    const events = [warned(10), held(30), held(31, { location: 'LO' })];
    await apply(...events);

    await Promise.all([apply(...events), apply(...events), apply(held(30), warned(10))]);

    expect(await onlyCase()).toMatchObject({
      warnedAt: warned(10).at,
      opensAt: new Date(Date.UTC(2026, 10, 4, 10)),
      openedAt: held(30).at,
      closedAt: null,
    });
  });

  it('is opened once by two reports that come at the same moment', async () => {
    await Promise.all([apply(held(30)), apply(held(31, { location: 'LO' })), apply(warned(29))]);

    // The report that is stored first opens it.
    expect([held(30).at, held(31).at]).toContainEqual((await onlyCase()).openedAt);
  });

  it('is not begun, ended or begun again by events that come late', async () => {
    await apply(event(40, 'out_for_delivery'));
    await apply(warned(10), held(20));
    const before = await cases();
    await apply(held(50));
    await apply(event(45, 'in_transit'), event(46, 'out_for_delivery'));
    const during = await onlyCase();
    await apply(event(60, 'out_for_delivery'));
    await apply(held(55, { location: 'LO' }));

    expect(before).toEqual([]);
    expect(during).toMatchObject({ openedAt: held(50).at, closedAt: null });
    expect(await onlyCase()).toMatchObject({ outcome: 'out_for_delivery', closedAt: event(60, 'in_transit').at });
  });

  it('goes on through another failure or a delay, and ends with the last word', async () => {
    await apply(held(30));
    await apply(event(31, 'attempt_failed'), event(32, 'exception'), event(33, 'in_transit', { delayed: true }));
    const during = await onlyCase();
    const isShown = await isListed();
    await apply(event(70, 'delivered'));

    expect([during.closedAt, isShown]).toEqual([null, true]);
    expect(await onlyCase()).toMatchObject({ outcome: 'delivered', confirmedAt: null });
    expect(await isListed()).toBe(false);
  });

  it('after another is another case, with reasons of its own', async () => {
    await apply(event(20, 'attempt_failed', { code: '1', heldReason: 'absent' }), held(30));
    await apply(event(40, 'in_transit'), held(60));

    const [first, second] = await cases();
    expect(first).toMatchObject({ cause: 'absent', reasonCode: '1', outcome: 'in_transit' });
    expect(second).toMatchObject({ cause: 'unknown', reasonCode: 'c-held', closedAt: null });
  });

  it('does not begin any more when the parcel has arrived', async () => {
    await apply(event(40, 'delivered'));
    await apply(held(50), warned(51));

    expect(await cases()).toEqual([]);
  });

  it('has the deadline of the carrier rules', async () => {
    await apply(held(30));

    // Opened on Tuesday the 3rd, ten days: the beginning of the 13th in Italy.
    expect(await onlyCase()).toMatchObject({
      deadline: new Date('2026-11-12T23:00:00Z'),
      deadlineSource: 'rule',
    });
  });

  it('of a cancelled shipment needs no decision', async () => {
    await apply(held(30));
    await database(test).nativeUpdate(Shipment, { id: parcel.shipmentId }, { processStatus: 'cancelled' });

    expect(await isListed()).toBe(false);
    expect(await deskReasons()).toEqual([]);
  });
});

describe('a decision about a held parcel', () => {
  it('leaves the desk, and comes back when tracking does not show it for days', async () => {
    await heldInEarnest();
    const before = await deskReasons();
    await releaseHeld(deps, { itemId: await askedToRelease(), ...jobContext() });
    const decided = await deskReasons();
    const { deps: later } = recordingDeps(test, 3 * DAY_MINUTES + 1);
    const overdue = await deskReasons(later);
    await apply(event(200, 'returning'));

    expect([before, decided, overdue]).toEqual([['held'], [], ['release-unconfirmed']]);
    expect(await deskReasons(later)).toEqual([]);
    expect(await onlyCase()).toMatchObject({ decidedVia: 'api', confirmedAt: event(200, 'returning').at });
  });

  it('is not confirmed by the opposite', async () => {
    await heldInEarnest();
    await releaseHeld(deps, { itemId: await askedToRelease('REDISPATCH_SAME_ADDRESS'), ...jobContext() });
    await apply(event(200, 'returning'));

    expect(await onlyCase()).toMatchObject({ outcome: 'returning', confirmedAt: null });
  });

  it('whose answer was lost is uncertain, stays at the desk, and may be taken again', async () => {
    await heldInEarnest();
    await test.fault('gls-it', 'ReleaseShipmentStock', 'accept-then-500');
    await releaseHeld(deps, { itemId: await askedToRelease(), ...jobContext() }).catch(() => undefined);

    expect(await onlyCase()).toMatchObject({ decidedAction: 'RETURN_TO_SENDER', isDecisionCertain: false });
    expect(await deskReasons()).toEqual(['release-unconfirmed']);
    expect(await askedToRelease()).toBeGreaterThan(0);
  });

  it('whose worker died is uncertain too', async () => {
    await heldInEarnest();
    const itemId = await askedToRelease();
    await database(test).execute(
      `update operation_items set status = 'running', updated_at = now() - interval '1 hour' where id = ?`,
      [itemId],
    );
    await sweep(deps);

    expect(await onlyCase()).toMatchObject({ decidedAction: 'RETURN_TO_SENDER', isDecisionCertain: false });
  });

  it('that the carrier refused is none', async () => {
    await apply(held(50));
    await releaseHeld(deps, { itemId: await askedToRelease(), ...jobContext() });

    expect(await onlyCase()).toMatchObject({ decidedAction: null, decidedAt: null });
    expect(await deskReasons()).toEqual(['held']);
  });

  it('is kept although tracking was faster than the answer', async () => {
    await heldInEarnest();
    const itemId = await askedToRelease();
    await apply(event(200, 'returning'));
    await releaseHeld(deps, { itemId, ...jobContext() });

    expect(await onlyCase()).toMatchObject({
      decidedAction: 'RETURN_TO_SENDER',
      confirmedAt: event(200, 'returning').at,
      outcome: 'returning',
    });
  });

  it('in the portal waits for a release that is under way, and is on record', async () => {
    await heldInEarnest();
    const portal = { companyId: test.demo.companyId, requestId: 'r', shipmentId: parcel.shipmentId, note: 'seen' };
    const itemId = await askedToRelease();
    await expect(decideInPortal(deps, { ...portal, action: 'DESTROY' })).rejects.toMatchObject({ status: 409 });
    await test.fault('gls-it', 'ReleaseShipmentStock', 'status-503');
    await releaseHeld(deps, { itemId, ...jobContext({ isLastTry: true }) }).catch(() => undefined);

    await decideInPortal(deps, { ...portal, action: 'DESTROY' });
    await decideInPortal(deps, { ...portal, action: 'DESTROY' });
    await decideInPortal(deps, { ...portal, action: 'RETURN_TO_SENDER' });

    expect(await onlyCase()).toMatchObject({ decidedAction: 'RETURN_TO_SENDER', decidedVia: 'portal' });
    expect((await attemptsOf(test, parcel.shipmentId)).slice(-2)).toEqual(['resolve succeeded', 'resolve succeeded']);
  });

  it('taken beforehand is requested again when giacenza opens anyway', async () => {
    await apply(warned(10));
    const portal = { companyId: test.demo.companyId, requestId: 'r', shipmentId: parcel.shipmentId, note: '' };
    await decideInPortal(deps, { ...portal, action: 'REDISPATCH_NEW_ADDRESS' });
    await apply(held(30));

    expect(await onlyCase()).toMatchObject({ decidedAction: null, openedAt: held(30).at });
    expect(await deskReasons()).toEqual(['held']);
  });

  it("is nothing for another company's people", async () => {
    await apply(held(30));
    const foreign = { companyId: test.demo.companyId + 1, requestId: 'r', shipmentId: parcel.shipmentId, note: '' };

    await expect(decideInPortal(deps, { ...foreign, action: 'DESTROY' })).rejects.toMatchObject({ status: 404 });
    expect(await listHeldCases(deps, { companyId: foreign.companyId, status: 'all', ...page })).toEqual([]);
    expect(await onlyCase()).toMatchObject({ decidedAction: null });
  });
});
