import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HeldCase } from '../../src/db/entities/index.ts';
import { trackNow } from '../../src/usecases/tracking/queue-tracking.ts';
import { watchHeld } from '../../src/usecases/tracking/watch-held.ts';
import { buildOrderTo } from '../support/build-order.ts';
import { backends, startTestApp, type TestApp } from '../support/test-app.ts';
import { database, jobContext } from '../usecases/engine.ts';
import { addCompany } from './second-company.ts';
import { transmitOrder } from './ship-orders.ts';

const QUEUES = ['gls-it', 'brt', 'poste-it'].flatMap((code) => [`carrier-${code}`, `tracking-${code}`]);
const ONE_PARCEL = { parcels: [{ weight_kg: 1, length_cm: 30, width_cm: 20, height_cm: 10 }] };

describe.each(backends())('giacenza, with the queue in %s', (backend) => {
  let test: TestApp;
  const contracts = new Map<string, number>();

  beforeAll(async () => {
    test = await startTestApp({ backend, queues: QUEUES });
    for (const { id, carrier } of (await test.call('GET', '/carriers/contracts')).body) contracts.set(carrier.code, id);
  });
  afterAll(() => test.stop());

  async function send(carrier: string, address: string): Promise<number> {
    const contract = { carrier_company_id: contracts.get(carrier), ...ONE_PARCEL };
    const { shipmentId } = await transmitOrder(test, buildOrderTo(address, contract));
    return shipmentId;
  }
  const tracking = (id: number) => test.call('GET', `/shipment/${id}/tracking`);
  /** Turns the clock and waits until tracking shows it. */
  async function travel(shipmentId: number, hours: number, status: string): Promise<void> {
    await test.advance(hours);
    await trackNow(test.app.deps, [shipmentId]);
    await test.until(
      () => tracking(shipmentId),
      ({ body }) => body.shipment.status === status,
    );
  }
  async function heldOf(shipmentId: number, status = 'all') {
    const { body } = await test.call('GET', `/shipments/held?status=${status}`);
    return body.find((one: { shipmentId: number }) => one.shipmentId === shipmentId);
  }
  const release = (id: number, body: object) => test.call('POST', `/shipment/${id}/release-held`, body);
  const done = (id: number, body: object) => test.call('POST', `/shipments/held/${id}/done-in-portal`, body);
  const caseOf = (shipmentId: number) => database(test).findOneOrFail(HeldCase, { shipmentId });

  // First, while the clock of the carriers is not far ahead: the list is asked for by the days of ours.
  it('has the deadline of the carrier where its list names one', async () => {
    const shipmentId = await send('poste-it', 'Via GIACENZA, 5');
    const late = await send('poste-it', 'Via GIACENZA, 7');
    await test.advance(80);
    const contractId = contracts.get('poste-it') ?? 0;
    for (let round = 0; round < 2; round++) await watchHeld(test.app.deps, { contractId, ...jobContext() });
    const open = await heldOf(shipmentId);
    const nowhere = await release(shipmentId, { action: 'PICKUP_AT_SHOP' });
    const released = await release(shipmentId, { action: 'PICKUP_AT_SHOP', pickupPointId: 'RTZ-20121-S1' });

    expect(open).toMatchObject({
      status: 'open',
      reason: { cause: 'absent' },
      deadlineSource: 'carrier',
      isReleasable: true,
      byDefault: null,
    });
    expect((Date.parse(open.deadline) - Date.parse(open.since)) / 86_400_000).toBeCloseTo(14, 0);
    expect(nowhere.body.blockingError).toContain('needs pickupPointId');
    expect(released.body).toMatchObject({ success: true });
    await database(test).nativeUpdate(HeldCase, { shipmentId: late }, { isReleasable: false });
    const refused = await release(late, { action: 'RETURN_TO_SENDER' });
    expect(refused.body.blockingError).toContain('no longer releases the parcel');
    expect(await heldOf(late)).toMatchObject({ isReleasable: false, allowedActions: [] });
    expect(await heldOf(shipmentId)).toMatchObject({ status: 'decided', decision: { action: 'PICKUP_AT_SHOP' } });
  });

  it('is announced, opens, is released, confirmed by tracking, and ends with the delivery', async () => {
    const shipmentId = await send('gls-it', 'Via Torino, 5 PREAVVISO');
    await travel(shipmentId, 34, 'exception');
    const warning = await heldOf(shipmentId, 'warning');
    const early = await release(shipmentId, { action: 'RETURN_TO_SENDER' });
    const desk = await test.call('GET', `/attention/${shipmentId}`);
    await travel(shipmentId, 40, 'held');
    const open = await heldOf(shipmentId, 'open');
    const atDesk = await test.call('GET', `/attention/${shipmentId}`);
    const released = await release(shipmentId, { action: 'REDISPATCH_SAME_ADDRESS', note: 'called' });
    const decided = await heldOf(shipmentId, 'decided');
    const again = await release(shipmentId, { action: 'RETURN_TO_SENDER' });
    const after = await test.call('GET', `/attention/${shipmentId}`);
    await travel(shipmentId, 30, 'delivered');

    expect(warning).toMatchObject({
      status: 'warning',
      reason: { code: '75', cause: 'booking', explanation: { it: expect.any(String), en: expect.any(String) } },
      since: null,
      allowedActions: [],
      decision: null,
    });
    expect(Date.parse(warning.opensAt) - Date.parse(warning.warnedAt)).toBe(2 * 86_400_000);
    expect(early.body.blockingError).toContain('only announced');
    expect(desk.body.reasons ?? []).not.toContainEqual(expect.objectContaining({ reason: 'held' }));
    expect(open).toMatchObject({
      status: 'open',
      reason: { code: '75', cause: 'booking' },
      deadlineSource: 'rule',
      byDefault: 'return_or_destroy',
      isReleasable: null,
      portalSteps: null,
    });
    expect(open.allowedActions).toContainEqual({ action: 'RETURN_TO_SENDER', via: 'api', billed: true });
    expect(open.allowedActions).toContainEqual({ action: 'DESTROY', via: 'api', billed: false });
    const days = (Date.parse(open.deadline) - Date.parse(open.since)) / 86_400_000;
    expect(days).toBeGreaterThan(9);
    expect(days).toBeLessThanOrEqual(10.05);
    expect(atDesk.body).toMatchObject({
      reasons: [{ reason: 'held' }],
      held: { status: 'open', deadline: open.deadline },
    });
    expect(released.body).toMatchObject({ success: true, blockingError: null });
    expect(decided.decision).toMatchObject({
      action: 'REDISPATCH_SAME_ADDRESS',
      via: 'api',
      note: 'called',
      isCertain: true,
      isOverdue: false,
    });
    expect(again.body.blockingError).toContain('REDISPATCH_SAME_ADDRESS was decided');
    expect(after.status).toBe(404);
    expect(await heldOf(shipmentId)).toBeUndefined();
    expect(await caseOf(shipmentId)).toMatchObject({
      confirmedAt: expect.any(Date),
      closedAt: expect.any(Date),
      outcome: 'in_transit',
    });
  });

  it('of a carrier without an interface is a task for the portal', async () => {
    const shipmentId = await send('brt', 'Via Torino, 5 GIACENZA');
    await travel(shipmentId, 55, 'attempt_failed');
    const warning = await heldOf(shipmentId, 'warning');
    await travel(shipmentId, 5, 'held');
    const open = await heldOf(shipmentId);
    const blocked = await release(shipmentId, { action: 'REDISPATCH_SAME_ADDRESS', note: 'she is at home now' });
    const task = await heldOf(shipmentId);
    const { body: number } = await tracking(shipmentId);
    await fetch(`${test.demo.sandboxUrl}/brt/_portal/decisions`, {
      method: 'POST',
      body: JSON.stringify({ number: number.shipment.trackingNumber, decision: 'redeliver' }),
    });
    const closed = await done(shipmentId, { action: 'REDISPATCH_SAME_ADDRESS', note: 'by Anna' });
    const twice = await done(shipmentId, { action: 'REDISPATCH_SAME_ADDRESS', note: 'by Anna' });
    await travel(shipmentId, 30, 'delivered');

    expect(warning).toMatchObject({ status: 'warning', reason: { code: '017', cause: 'absent' } });
    expect(warning.allowedActions).toContainEqual({ action: 'RETURN_TO_SENDER', via: 'portal', billed: null });
    expect(open).toMatchObject({
      status: 'open',
      reason: { code: '017', cause: 'absent' },
      deadline: null,
      byDefault: null,
      task: null,
    });
    expect(blocked.status).toBe(200);
    expect(blocked.body).toMatchObject({ success: false, items: [] });
    expect(blocked.body.blockingError).toMatch(/vas\.brt\.it.*done-in-portal$/);
    expect(task.task).toMatchObject({ action: 'REDISPATCH_SAME_ADDRESS', note: 'she is at home now' });
    expect(closed).toMatchObject({
      status: 200,
      body: { status: 'decided', decision: { via: 'portal', note: 'by Anna' } },
    });
    expect(twice.body).toEqual(closed.body);
    expect(await caseOf(shipmentId)).toMatchObject({ confirmedAt: expect.any(Date), outcome: 'in_transit' });
    expect((await done(shipmentId, { action: 'DESTROY' })).status).toBe(404);
  });

  it('that was only announced ends without anybody deciding', async () => {
    const shipmentId = await send('brt', 'Via Torino, 5 PREAVVISO');
    await travel(shipmentId, 55, 'attempt_failed');
    const warning = await heldOf(shipmentId, 'warning');
    await travel(shipmentId, 30, 'delivered');

    // Nobody home announces nothing here, but it is why.
    expect(warning.reason).toMatchObject({ code: 'AVV', cause: 'absent' });
    expect(Date.parse(warning.opensAt) - Date.parse(warning.warnedAt)).toBe(5 * 86_400_000);
    expect(await caseOf(shipmentId)).toMatchObject({ openedAt: null, confirmedAt: null, outcome: 'out_for_delivery' });
  });

  it('is listed in pages, and faults of a question are named', async () => {
    const [first] = (await test.call('GET', '/shipments/held?limit=1')).body;
    const page = await test.call('GET', '/shipments/held?limit=1&status=decided');
    const next = /external(\/shipments\/held\?[^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    const second = await test.call('GET', next);
    const bad = await test.call('GET', '/shipments/held?status=late&limit=0');

    expect(first.status).toBe('open');
    expect(page.body[0].status).toBe('decided');
    expect(next).toContain('status=decided');
    expect(second.body).toEqual([]);
    expect([bad.status, bad.body.violations.map((one: { pointer: string }) => one.pointer)]).toEqual([
      400,
      ['/status', '/limit'],
    ]);
  });

  it('is seen by its own company alone', async () => {
    const other = await addCompany(test, `altra-${backend}`);

    const list = await test.call('GET', '/shipments/held', undefined, other.headers);
    const [own] = (await test.call('GET', '/shipments/held')).body;
    const path = `/shipments/held/${own.shipmentId}/done-in-portal`;
    const foreign = await test.call('POST', path, { action: 'DESTROY' }, other.headers);

    expect(list.body).toEqual([]);
    expect(foreign.status).toBe(404);
    expect(await heldOf(own.shipmentId)).toEqual(own);
  });

  it('takes no decision that the carrier does not offer, and an Idempotency-Key once', async () => {
    const shipmentId = await send('brt', 'Via Torino, 5 RIFIUTA');
    await travel(shipmentId, 60, 'held');
    const key = { 'Idempotency-Key': `portal-${backend}` };

    const odd = await done(shipmentId, { action: 'PICKUP_AT_LOCKER' });
    const path = `/shipments/held/${shipmentId}/done-in-portal`;
    const first = await test.call('POST', path, { action: 'DESTROY' }, key);
    const replayed = await test.call('POST', path, { action: 'DESTROY' }, key);

    expect(odd).toMatchObject({ status: 422, body: { violations: [{ pointer: '/action' }] } });
    expect(first.body.decision).toMatchObject({ action: 'DESTROY', via: 'portal' });
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.body).toEqual(first.body);
  });
});
