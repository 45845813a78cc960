import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EVENTS_QUEUE } from '../../src/queue/jobs.ts';
import { sweep } from '../../src/usecases/upkeep/sweep.ts';
import { type EventReceiver, startEventReceiver } from '../support/event-receiver.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';
import { createOrder } from './ship-orders.ts';

let test: TestApp;
let receiver: EventReceiver;

beforeAll(async () => {
  receiver = await startEventReceiver();
  test = await startTestApp({
    roles: ['api', 'worker', 'scheduler'],
    queues: [EVENTS_QUEUE],
    env: { EVENTS_ALLOW_PRIVATE: 'true', EVENTS_TIMEOUT_SECONDS: '2' },
  });
});
afterEach(async () => {
  receiver.answer(204);
  receiver.received.length = 0;
  for (const { id } of (await test.call('GET', '/event-endpoints')).body) {
    await test.call('DELETE', `/event-endpoints/${id}`);
  }
});
afterAll(async () => {
  await test.stop();
  await receiver.close();
});

async function declare(changes: object = {}) {
  const { body } = await test.call('POST', '/event-endpoints', { url: receiver.url, ...changes });
  await test.app.workers?.refresh();
  return body;
}
const shown = async (id: number) =>
  (await test.call('GET', '/event-endpoints')).body.find((one: { id: number }) => one.id === id);
const untilDelivered = (id: number) =>
  test.until(
    () => shown(id),
    (one) => one.deliveredSequence === one.lastSequence,
  );

describe('an event endpoint', () => {
  it('gets its events at another address and of other types once it was changed', async () => {
    const other = await startEventReceiver();
    const { id, secret } = await declare();
    const changed = await test.call('PATCH', `/event-endpoints/${id}`, {
      url: other.url,
      types: ['order.created', 'order.created'],
    });
    const orderId = await createOrder(test);
    await test.call('POST', `/orders/${orderId}/cancel`);
    await untilDelivered(id);
    const untouched = await test.call('PATCH', `/event-endpoints/${id}`, {});
    const all = await test.call('PATCH', `/event-endpoints/${id}`, { types: null });
    await other.close();

    expect(changed).toMatchObject({ status: 200, body: { id, url: other.url, types: ['order.created'] } });
    expect(other.received.map(({ body }) => body.type)).toEqual(['order.created']);
    expect(() =>
      new Webhook(secret).verify(other.received[0]?.raw ?? '', other.received[0]?.headers as never),
    ).not.toThrow();
    expect(receiver.received).toEqual([]);
    expect(untouched.body).toMatchObject({ url: other.url, types: ['order.created'] });
    expect(all.body.types).toBeNull();
  });

  it('starts again at a new address after its receiver was gone, and stays off where its owner disabled it', async () => {
    const { id } = await declare({ url: 'http://127.0.0.1:9/nowhere' });
    await createOrder(test);
    const failing = await test.until(
      () => shown(id),
      (one) => one.status === 'failing',
    );
    const moved = await test.call('PATCH', `/event-endpoints/${id}`, { url: receiver.url });
    await untilDelivered(id);
    await test.call('POST', `/event-endpoints/${id}/disable`);
    const off = await test.call('PATCH', `/event-endpoints/${id}`, { url: `${receiver.url}/2` });

    expect(failing.failing).toMatchObject({ error: 'unreachable' });
    expect(moved.body).toMatchObject({ status: 'active', failing: null });
    expect(receiver.received.map(({ body }) => body.type)).toEqual(['order.created']);
    expect(off.body).toMatchObject({ status: 'disabled', disabled: { reason: 'switched-off' } });
  });

  it('gets nothing while it is disabled, and everything once it is enabled', async () => {
    const { id } = await declare();
    const first = await test.call('POST', `/event-endpoints/${id}/disable`);
    const again = await test.call('POST', `/event-endpoints/${id}/disable`);
    await createOrder(test);
    const waiting = await shown(id);
    await test.call('POST', `/event-endpoints/${id}/enable`, {});
    await untilDelivered(id);

    expect(first.body).toMatchObject({ status: 'disabled', disabled: { reason: 'switched-off' } });
    expect(again.body.disabled).toEqual(first.body.disabled);
    expect(waiting.lastSequence - waiting.deliveredSequence).toBe(1);
    expect(receiver.received.map(({ body }) => body.type)).toEqual(['order.created']);
  });

  it('is refused a change that breaks a rule, with the field at fault', async () => {
    const { id } = await declare();
    const ask = async (body: object) => {
      const { status, body: problem } = await test.call('PATCH', `/event-endpoints/${id}`, body);
      return [status, problem.violations[0].pointer];
    };

    expect(await ask({ url: 'https://user:pass@example.com' })).toEqual([422, '/url']);
    expect(await ask({ url: 'nowhere' })).toEqual([400, '/url']);
    expect(await ask({ types: [] })).toEqual([400, '/types']);
    expect(await ask({ types: ['order.eaten'] })).toEqual([400, '/types/0']);
  });
});

describe('a test event', () => {
  const send = (id: number, headers = {}) => test.call('POST', `/event-endpoints/${id}/test`, undefined, headers);

  it('is signed, has no number, is in no list, and reaches a disabled endpoint too', async () => {
    const { id, secret } = await declare();
    await test.call('POST', `/event-endpoints/${id}/disable`);
    const before = (await test.call('GET', '/events')).body.length;
    const { status, body } = await send(id);
    const [got] = receiver.received;
    const after = (await test.call('GET', '/events')).body.length;

    expect(status).toBe(200);
    expect(body).toMatchObject({ endpointId: id, status: 'delivered', httpStatus: 204, error: null });
    expect(body.eventId).toBe(got?.id);
    expect(body.request).toEqual({ url: receiver.url, body: got?.raw });
    expect(new Webhook(secret).verify(got?.raw ?? '', got?.headers as never)).toMatchObject({
      type: 'endpoint.test',
      data: { endpointId: id },
    });
    expect(got?.body.data).not.toHaveProperty('sequence');
    expect(after).toBe(before);
    expect((await test.call('GET', `/event-endpoints/${id}/deliveries`)).body).toEqual([]);
  });

  it('says what a receiver answered that refuses, and leaves the state of the endpoint as it is', async () => {
    const { id } = await declare();
    receiver.answer(500);
    const refused = await send(id);
    receiver.answer(() => undefined);
    const hanging = await send(id);
    const state = await shown(id);

    expect(refused.body).toMatchObject({ status: 'failed', httpStatus: 500, error: 'refused' });
    expect(hanging.body).toMatchObject({ status: 'failed', httpStatus: null, error: 'timed-out' });
    expect(hanging.body.durationMs).toBeGreaterThanOrEqual(1900);
    expect(state).toMatchObject({ status: 'active', failing: null });
    expect(receiver.received).toHaveLength(2);
  });

  it('is one at a time for a company: an equal one shares its answer, another endpoint has to wait', async () => {
    const [first, second] = [await declare(), await declare()];
    receiver.answer(() => undefined);
    const [running, equal] = [
      await send(first.id, { prefer: 'respond-async' }),
      await send(first.id, { prefer: 'respond-async' }),
    ];
    const other = await send(second.id);
    const location = running.headers.get('location')?.replace('/api/v1/external', '') ?? '';
    const settled = await test.until(
      () => test.call('GET', location),
      ({ status }) => status === 200,
    );

    expect(running).toMatchObject({ status: 202, body: { status: 'pending', request: null } });
    expect(equal.headers.get('location')).toBe(running.headers.get('location'));
    expect(other).toMatchObject({ status: 409, body: { code: 'test-running' } });
    expect(other.headers.get('retry-after')).toBe('5');
    expect(settled.body.error).toBe('timed-out');
    expect(receiver.received).toHaveLength(1);
  });

  it('is sent by the sweep when the queue lost it, and fails where the endpoint was deleted', async () => {
    const { id } = await declare();
    await test.app.deps.queues.queue(EVENTS_QUEUE).pause();
    const { headers } = await send(id, { prefer: 'respond-async' });
    await test.app.deps.queues.queue(EVENTS_QUEUE).obliterate({ force: true });
    await test.call('DELETE', `/event-endpoints/${id}`);
    await test.app.deps.queues.queue(EVENTS_QUEUE).resume();
    await database(test).execute(
      `update operation_items set updated_at = now() - interval '1 minute' where kind = 'test-endpoint' and status = 'pending'`,
    );
    await sweep(test.app.deps);
    const settled = await test.until(
      () => test.call('GET', headers.get('location')?.replace('/api/v1/external', '') ?? ''),
      ({ status }) => status === 200,
    );

    expect(settled.body).toMatchObject({ status: 'failed', error: expect.stringContaining('deleted'), request: null });
    expect(receiver.received).toEqual([]);
  });
});
