import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Installation, Shipment } from '../../src/db/entities/index.ts';
import { systemEm } from '../../src/db/orm.ts';
import { pollMany } from '../../src/usecases/tracking/poll-many.ts';
import { queueDueTracking } from '../../src/usecases/tracking/queue-tracking.ts';
import { backends, startTestApp, type TestApp } from '../support/test-app.ts';
import { transmitOrder } from './ship-orders.ts';

describe.each(backends())('looking at a shipment now, queue in %s', (backend) => {
  let test: TestApp;
  const poll = (shipmentId: number, headers: Record<string, string> = {}) =>
    test.call('POST', `/shipment/${shipmentId}/poll`, undefined, headers);
  const database = () => systemEm(test.app.deps.orm);

  beforeAll(async () => {
    test = await startTestApp({ backend });
  });
  afterAll(() => test.stop());

  it('answers what the carrier says, and from then on without asking once it has arrived', async () => {
    const { shipmentId } = await transmitOrder(test);
    await test.advance(24);

    const looked = await poll(shipmentId);
    const tracking = await test.call('GET', `/shipment/${shipmentId}/tracking`);
    await test.fault('gls-it', 'Tracking', 'delay');
    const unwaited = await poll(shipmentId, { Prefer: 'respond-async' });
    const followed = await test.until(
      () => test.call('GET', unwaited.headers.get('Location')?.replace('/api/v1/external', '') ?? ''),
      ({ status }) => status !== 202,
    );
    await test.advance(24 * 10);
    const arrived = await poll(shipmentId);
    const exchanges = async () => (await test.call('GET', `/shipment/${shipmentId}/exchanges`)).body.length;
    const before = await exchanges();
    const again = await poll(shipmentId);

    expect(looked.status).toBe(200);
    expect(looked.body).toMatchObject({ shipmentId, status: tracking.body.shipment.status });
    expect(looked.body.newEvents).toBe(tracking.body.trackingEvents.length);
    expect(looked.body.newEvents).toBeGreaterThan(0);
    expect(looked.body.polledAt).not.toBeNull();
    expect([unwaited.status, unwaited.body.newEvents]).toEqual([202, null]);
    expect(followed.body).toMatchObject({ shipmentId, newEvents: 0 });
    expect(arrived.body.status).toBe('delivered');
    expect(again).toMatchObject({ status: 200, body: { status: 'delivered', newEvents: 0 } });
    expect(await exchanges()).toBe(before);
  });

  it('is refused in words without a number, and when the budget of calls is used up', async () => {
    const { shipmentId } = await transmitOrder(test);
    const unsold = await transmitOrder(test);
    await database().nativeUpdate(Shipment, { id: unsold.shipmentId }, { trackingNumber: null });
    const { contractId } = await database().findOneOrFail(Shipment, shipmentId);
    await test.app.deps.budgets.report(`poll:${contractId}`, -500);

    const used = await poll(shipmentId);
    const byCommand = await pollMany(test.app.deps, [shipmentId], 0);
    await test.app.deps.budgets.report(`poll:${contractId}`, 50);
    const numberless = await poll(unsold.shipmentId);

    expect(used.status).toBe(429);
    expect(used.body).toMatchObject({ code: 'poll-budget-used', retryable: true });
    expect(Number(used.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(byCommand).toEqual([
      { shipmentId, text: expect.stringContaining('is used up: try again in'), isRefused: true },
    ]);
    expect(numberless).toMatchObject({ status: 422, body: { detail: expect.stringContaining('no tracking number') } });
  });

  it('says that the carrier does not work, without trying for long', async () => {
    const { shipmentId } = await transmitOrder(test);
    await test.fault('gls-it', '*', 'status-500');

    const failed = await poll(shipmentId);
    await test.clearFaults();
    const [again] = await pollMany(test.app.deps, [shipmentId], 10_000);

    expect(failed).toMatchObject({ status: 502, body: { source: 'carrier', retryable: true } });
    expect(again).toMatchObject({ shipmentId, isRefused: false, text: expect.stringContaining('new event') });
  });
});

describe('a carrier in an outage', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.stop());

  it('is left alone, also by those who ask now', async () => {
    const { shipmentId } = await transmitOrder(test);
    const poll = () => test.call('POST', `/shipment/${shipmentId}/poll`);
    await test.fault('gls-it', '*', 'status-500', 5);
    for (let silence = 0; silence < 5; silence++) await poll();

    const left = await poll();

    expect(left.status).toBe(502);
    expect(left.body.detail).toMatch(/does not answer; the next call is at 20/);
  });
});

describe('a changed tracking interval', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ roles: ['api', 'worker'], env: { TRACKING_INTERVAL_MINUTES: '60' } });
  });
  afterAll(() => test.stop());

  it('applies to what is already scheduled, once however many schedulers there are', async () => {
    const em = systemEm(test.app.deps.orm);
    const hour = 3_600_000;
    const now = Math.floor(Date.now() / 1000) * 1000;
    const { shipmentId } = await transmitOrder(test);
    await queueDueTracking(test.app.deps);
    const times = { polledAt: new Date(now - hour), nextPollAt: new Date(now + 3 * hour) };
    await em.nativeUpdate(Shipment, { id: shipmentId }, times);
    const faster = { ...test.app.deps, settings: { ...test.app.deps.settings, trackingIntervalMs: hour / 2 } };
    const slower = { ...test.app.deps, settings: { ...test.app.deps.settings, trackingIntervalMs: 100 * hour } };
    const dueIn = async () =>
      ((await em.findOneOrFail(Shipment, shipmentId, { refresh: true })).nextPollAt?.getTime() ?? 0) - now;

    await Promise.all([queueDueTracking(faster), queueDueTracking(faster)]);
    const sooner = await dueIn();
    await queueDueTracking(slower);

    expect(sooner).toBe(hour);
    expect(await dueIn()).toBe(99 * hour);
    expect((await em.findOneOrFail(Installation, 1, { refresh: true })).trackingIntervalMs).toBe(100 * hour);
  });
});
