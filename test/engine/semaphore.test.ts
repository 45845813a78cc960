import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { Exchange } from '../../src/db/entities/index.ts';
import { backends, startTestApp, type TestApp } from '../support/test-app.ts';
import { createOrder, database, readOrderRow } from '../usecases/engine.ts';

describe.each(backends())('turns at the partner, queue on %s', (backend) => {
  let test: TestApp;
  afterEach(() => test.stop());

  async function start(concurrency: number): Promise<void> {
    test = await startTestApp({ backend, env: { WORKER_CONCURRENCY: String(concurrency) } });
  }

  /** Orders whose shipments are queued. */
  async function order(count: number): Promise<number[]> {
    const orderIds: number[] = [];
    for (let at = 0; at < count; at++) orderIds.push(await createOrder(test));
    const body = orderIds.map((orderId) => ({ orderId }));
    await test.call('POST', '/shipment/create', body, { prefer: 'respond-async' });
    return orderIds;
  }
  const calls = () => database(test).find(Exchange, { operation: 'AddParcel' });
  const statuses = (orderIds: readonly number[]) =>
    Promise.all(orderIds.map(async (id) => (await readOrderRow(test, id)).status));

  it('are no more than the settings say', async () => {
    await start(2);
    await test.fault('gls-it', 'AddParcel', 'delay', 4);
    const orderIds = await order(4);

    await test.until(
      () => statuses(orderIds),
      (all) => all.every((status) => status === 'shipment_created'),
    );

    const spans = (await calls()).map(({ startedAt, durationMs }) => ({
      from: startedAt.getTime(),
      to: startedAt.getTime() + durationMs,
    }));
    const atATime = spans.map(({ from }) => spans.filter((one) => one.from <= from && from < one.to).length);
    expect(spans).toHaveLength(4);
    expect(Math.max(...atATime)).toBe(2);
  });

  it('go to the next booking while the one before is written down', async () => {
    await start(1);
    const client = new pg.Client({ connectionString: test.app.config.databaseUrl ?? '' });
    await client.connect();
    try {
      const body = [{ orderId: await createOrder(test) }, { orderId: await createOrder(test) }];
      // Whoever settles a booking moves its order.
      await client.query('begin');
      await client.query('select 1 from orders for no key update');
      await test.call('POST', '/shipment/create', body, { prefer: 'respond-async' });

      const made = await test.until(calls, (all) => all.length === 2);
      const waiting = await statuses(body.map(({ orderId }) => orderId));
      await client.query('commit');

      expect(made.map(({ status }) => status)).toEqual([200, 200]);
      expect(waiting).toEqual(['pending', 'pending']);
      await test.until(
        () => statuses(body.map(({ orderId }) => orderId)),
        (all) => all.every((status) => status === 'shipment_created'),
      );
    } finally {
      await client.end();
    }
  });
});
