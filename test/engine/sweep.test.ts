import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { Shipment } from '../../src/db/entities/index.ts';
import { migrateQueue } from '../../src/queue/backends.ts';
import { requestSend } from '../../src/usecases/marketplaces/send-to-marketplace.ts';
import { requestCancel } from '../../src/usecases/shipments/cancel-shipment.ts';
import { sweep } from '../../src/usecases/upkeep/sweep.ts';
import { type Backend, backends, startTestApp, type TestApp } from '../support/test-app.ts';
import { createOrder, type Deps, database, lastItem, readShipment } from '../usecases/engine.ts';

/** Empties the queue as an operator would who knows nothing of it. */
async function loseQueue(test: TestApp, backend: Backend): Promise<void> {
  if (backend === 'redis') {
    const redis = new Redis(inject('redisUrl') ?? '');
    const prefix = test.app.deps.queues.queue('carrier-gls-it').opts.prefix;
    const keys = await redis.keys(`${prefix}:*`);
    if (keys.length > 0) await redis.del(keys);
    redis.disconnect();
    return;
  }
  const url = test.app.config.databaseUrl ?? '';
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('drop schema bullmq cascade');
  await client.end();
  await migrateQueue(url);
}

/** Makes open work look as old as work has to be before the sweep looks at it. */
async function age(test: TestApp, statuses: readonly string[]): Promise<void> {
  await database(test).execute(
    `update shipments set updated_at = now() - interval '10 minutes' where process_status = any(?::text[])`,
    [`{${statuses.join(',')}}`],
  );
  await database(test).execute(
    `update operation_items set updated_at = now() - interval '10 minutes' where status in ('pending', 'running')`,
  );
}

describe.each(backends())('the sweep, queue on %s', (backend) => {
  let test: TestApp;
  /** As the product, but whatever is queued is lost at once. */
  let losing: Deps;

  beforeAll(async () => {
    test = await startTestApp({ backend, env: { WORKER_CONCURRENCY: '2' } });
    const lose = async (): Promise<void> => undefined;
    losing = { ...test.app.deps, queues: { add: lose, revive: lose } };
  });
  afterEach(() => test.clearFaults());
  afterAll(() => test.stop());

  async function book(orderIds: readonly number[], prefer: string): Promise<Shipment[]> {
    const body = orderIds.map((orderId) => ({ orderId }));
    await test.call('POST', '/shipment/create', body, { prefer });
    return database(test).find(Shipment, { orderId: { $in: [...orderIds] } });
  }
  async function countOpen(): Promise<number> {
    return database(test).count(Shipment, { processStatus: { $in: ['queued', 'submitting'] } });
  }

  it('finds everything again when the queue is emptied in the middle of the work', async () => {
    const orderIds = await Promise.all(Array.from({ length: 12 }, () => createOrder(test)));
    await test.fault('gls-it', 'AddParcel', 'delay', 3);
    const shipments = await book(orderIds, 'respond-async');
    await test.until(
      () => database(test).count(Shipment, { processStatus: 'submitting' }),
      (count) => count > 0,
    );

    await loseQueue(test, backend);
    await test.until(
      () => database(test).count(Shipment, { processStatus: 'submitting' }),
      (count) => count === 0,
    );
    const left = await countOpen();
    await age(test, ['queued']);
    const found = await sweep(test.app.deps);
    await test.until(countOpen, (count) => count === 0);
    const again = await sweep(test.app.deps);

    // A worker may still begin what it had fetched before the queue was lost.
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThanOrEqual(left);
    expect(again).toBe(0);
    for (const { id, reference, orderId } of shipments) {
      expect(await readShipment(test, id)).toMatchObject({ processStatus: 'created' });
      expect(await test.ledger('gls-it', reference ?? '')).toMatchObject({ labelsSold: 1, cancelled: 0 });
      expect(await lastItem(test, orderId)).toMatchObject({ status: 'succeeded' });
    }
  });

  it('adds nothing twice that the queue still has', async () => {
    const orderIds = await Promise.all(Array.from({ length: 6 }, () => createOrder(test)));
    await test.fault('gls-it', 'AddParcel', 'delay', 2);
    const shipments = await book(orderIds, 'respond-async');
    await age(test, ['queued']);

    await Promise.all([sweep(test.app.deps), sweep(test.app.deps)]);
    await test.until(countOpen, (count) => count === 0);

    for (const { reference } of shipments) {
      expect(await test.ledger('gls-it', reference ?? '')).toMatchObject({ labelsSold: 1, cancelled: 0 });
    }
  });

  it('finds a booking whose worker died, and adopts the label that was sold', async () => {
    const [shipment] = await book([await createOrder(test)], 'wait=10');
    const id = shipment?.id ?? 0;
    await database(test).execute(
      `update shipments set process_status = 'submitting', tracking_number = null where id = ?`,
      [id],
    );
    await database(test).execute(`delete from documents where shipment_id = ?`, [id]);

    const young = await sweep(test.app.deps);
    await age(test, ['submitting']);
    const old = await sweep(test.app.deps);
    const adopted = await test.until(
      () => readShipment(test, id),
      (row) => row.processStatus === 'created',
    );

    expect([young, old]).toEqual([0, 1]);
    expect(adopted.trackingNumber).toMatch(/^YA\d+$/);
    expect((await test.call('GET', `/shipment/${id}/label`)).status).toBe(200);
    expect(await test.ledger('gls-it', adopted.reference ?? '')).toMatchObject({ labelsSold: 1 });
  });

  it('finds a confirmation that was lost on its way, and one whose worker died', async () => {
    const orderIds = [await createOrder(test), await createOrder(test)];
    const shipments = await book(orderIds, 'wait=10');
    const [lost, died] = shipments.map(({ id }) => id);
    await database(test).execute(`update shipments set process_status = 'transmitting' where id = any(?::int[])`, [
      `{${lost},${died}}`,
    ]);
    await test.call(
      'POST',
      '/shipment/transmit',
      orderIds.map((orderId) => ({ orderId })),
      { prefer: 'respond-async' },
    );
    await test.until(
      () => test.app.deps.queues.queue('carrier-gls-it').getJobCountByTypes('waiting', 'prioritized', 'active'),
      (count) => count === 0,
    );
    await database(test).execute(`update shipments set process_status = 'created' where id = ?`, [lost]);

    await age(test, ['created', 'transmitting']);
    const found = await sweep(test.app.deps);
    await test.until(
      () =>
        database(test).count(Shipment, { id: { $in: shipments.map(({ id }) => id) }, processStatus: 'transmitted' }),
      (count) => count === 2,
    );

    expect(found).toBe(2);
    for (const { reference } of shipments) {
      expect(await test.ledger('gls-it', reference ?? '')).toMatchObject({ labelsSold: 1, confirmed: 1 });
    }
  });

  it('finds cancellations and marketplace confirmations that never reached the queue', async () => {
    const marketplace = { connection_id: test.connectionId, order_id: '1001' };
    const [sold, taken] = [await createOrder(test, { marketplace }), await createOrder(test)];
    await book([sold, taken], 'wait=10');
    const shipment = await database(test).findOneOrFail(Shipment, { orderId: taken });
    const asker = { companyId: test.demo.companyId, requestId: '' };
    await requestCancel(losing, { ...asker, shipmentId: shipment.id });
    await requestSend(losing, { ...asker, orderId: sold });

    await age(test, []);
    const found = await sweep(test.app.deps);

    expect(found).toBe(2);
    for (const orderId of [sold, taken]) {
      await test.until(
        () => lastItem(test, orderId),
        (item) => item.status === 'succeeded',
      );
    }
    expect(await test.ledger('gls-it', shipment.reference ?? '')).toMatchObject({ labelsSold: 0, cancelled: 1 });
    expect(await test.ledger('woocommerce', '1001')).toMatchObject({ confirmed: 1 });
  });

  it('leaves alone what is up to people', async () => {
    const orderId = await createOrder(test);
    await test.fault('gls-it', 'AddParcel', 'status-503', 3);
    await book([orderId], 'wait=10');

    await age(test, ['queued']);
    const found = await sweep(test.app.deps);

    expect((await lastItem(test, orderId)).status).toBe('failed');
    expect(found).toBe(0);
  });
});
