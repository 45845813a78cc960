import { get, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { systemEm } from '../../src/db/orm.ts';
import { carrierQueue, trackingQueue } from '../../src/queue/jobs.ts';
import { exportCompanies } from '../../src/usecases/setup/export-companies.ts';
import { queueDueTracking } from '../../src/usecases/tracking/queue-tracking.ts';
import { type Answer, backends, startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany, demoContract } from './second-company.ts';
import { createOrder } from './ship-orders.ts';

const UNKNOWN = 1_000_000_000;
const batch = (size: number) => Array.from({ length: size }, (_, index) => ({ orderId: UNKNOWN + index }));

let test: TestApp;
afterEach(() => test.stop());

describe('the points of a company', () => {
  it('are spent by a batch per element, and a batch with too few left spends one', async () => {
    test = await startTestApp({ roles: ['api'], env: { RATE_LIMIT_PER_MINUTE: '100' } });
    const { headers } = await addCompany(test, 'punti');
    const transmit = (size: number) => test.call('POST', '/shipment/transmit', batch(size), headers);
    const left = (answer: Answer<unknown>) => answer.headers.get('RateLimit')?.match(/r=(\d+)/)?.[1];

    const first = await transmit(60);
    const labels = await test.call('GET', `/labels?orderIds=${UNKNOWN},${UNKNOWN + 1}`, undefined, headers);
    const refused = await transmit(60);
    const limits = await test.call('GET', '/limits', undefined, headers);

    expect([first.status, left(first)]).toEqual([200, '40']);
    expect([labels.status, left(labels)]).toEqual([422, '38']);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-requests', retryable: true } });
    expect(left(refused)).toBe('37');
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect(limits.body).toEqual({
      points: { limit: 100, left: 36, resetSeconds: expect.any(Number) },
      concurrentRequests: { limit: 4 },
      share: 1,
    });
  });

  it('are enough for one batch above the whole limit', async () => {
    test = await startTestApp({ roles: ['api'], env: { RATE_LIMIT_PER_MINUTE: '100' } });
    const { headers } = await addCompany(test, 'tanti');
    const transmit = () => test.call('POST', '/shipment/transmit', batch(5000), headers);

    expect([(await transmit()).status, (await transmit()).status]).toEqual([200, 429]);
  });

  it('have the limit that the apply file gives the company, and no limit without any', async () => {
    test = await startTestApp({ roles: ['api'] });
    const declared = { settings: { limits: { points_per_minute: 7, concurrent_requests: 2 } } };
    const limited = await addCompany(test, 'limitata', declared);

    const own = await test.call('GET', '/limits', undefined, limited.headers);
    const other = await test.call('GET', '/limits');
    const exported = await exportCompanies(test.app.deps, 'limitata');

    expect(own.headers.get('RateLimit-Policy')).toBe('"default";q=7;qu="points";w=60');
    expect(own.body).toMatchObject({ points: { limit: 7, left: 6 }, concurrentRequests: { limit: 2 } });
    expect(other.headers.get('RateLimit')).toBeNull();
    expect(other.body).toEqual({ points: null, concurrentRequests: { limit: 4 }, share: 1 });
    expect(exported).toMatchObject({ companies: [declared] });
  });
});

describe.each(backends())('the share of a company, queue in %s', (backend) => {
  it('gives its jobs that many places per turn, in the queue of bookings and in that of polls', async () => {
    test = await startTestApp({ backend, roles: ['api'] });
    const limits = { share: 3 };
    const large = await addCompany(test, 'grande', { contracts: [demoContract(test)], settings: { limits } });
    const turnsIn = async (queue: string): Promise<number[]> => {
      const jobs = await test.app.deps.queues.queue(queue).getPrioritized();
      return jobs.map(({ opts }) => opts.priority ?? 0);
    };
    const book = async (headers: Record<string, string>) => {
      const ids = [];
      for (let at = 0; at < 6; at++) ids.push(await createOrder(test, {}, headers));
      const elements = ids.map((orderId) => ({ orderId }));
      await test.call('POST', '/shipment/create', elements, { prefer: 'respond-async', ...headers });
    };

    await book({});
    await book(large.headers);
    const booked = await turnsIn(carrierQueue('gls-it'));
    await systemEm(test.app.deps.orm).execute(
      `update shipments set next_poll_at = now() - interval '1 minute' where company_id = ?`,
      [large.companyId],
    );
    await queueDueTracking(test.app.deps);

    expect((await test.call('GET', '/limits', undefined, large.headers)).body).toMatchObject(limits);
    expect(booked).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3, 4, 5, 6]);
    expect(await turnsIn(trackingQueue('gls-it'))).toEqual([2]);
    expect(await exportCompanies(test.app.deps, 'grande')).toMatchObject({ companies: [{ settings: { limits } }] });
  });
});

/** Holds the lock of an order while `run` is running, so that requests for it hang in the database. */
async function whileLocked<Value>(orderId: number, run: () => Promise<Value>): Promise<Value> {
  const client = new pg.Client({ connectionString: test.app.config.databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select id from orders where id = $1 for update', [orderId]);
    return await run();
  } finally {
    await client.end();
  }
}

describe('requests of a company that hang', () => {
  const hang = (orderId: number, count: number, filler = '') =>
    Array.from({ length: count }, () => test.call('PATCH', `/orders/${orderId}`, { note: 'hangs', filler }));
  const statuses = async (answers: Promise<Answer<{ code?: string }>>[]) =>
    Map.groupBy(await Promise.all(answers), ({ status, body }) => `${status} ${body.code ?? ''}`.trim());

  it('leave connections to other companies, and wait in a bounded queue', async () => {
    test = await startTestApp({ roles: ['api'] });
    const neighbour = await addCompany(test, 'serena');
    const orderId = await createOrder(test);

    const { hanging, reads } = await whileLocked(orderId, async () => {
      const hanging = hang(orderId, 250);
      const refused = await Promise.any(hanging);
      expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-at-once', retryable: true } });
      const reads: { status: number; ms: number }[] = [];
      for (let read = 0; read < 5; read++) {
        const started = performance.now();
        const { status } = await test.call('GET', '/orders', undefined, neighbour.headers);
        reads.push({ status, ms: performance.now() - started });
      }
      return { hanging, reads };
    });
    const answered = await statuses(hanging);

    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(Math.max(...reads.map(({ ms }) => ms))).toBeLessThan(2000);
    expect(answered.get('429 too-many-at-once')).toHaveLength(46);
    expect([...answered.keys()].filter((status) => status.startsWith('5'))).toEqual([]);
  });

  it('hold at most 32 MB of bodies', async () => {
    test = await startTestApp({ roles: ['api'] });
    const orderId = await createOrder(test);
    const filler = 'x'.repeat(1_900_000);

    const hanging = await whileLocked(orderId, async () => {
      const hanging = hang(orderId, 20, filler);
      await Promise.any(hanging);
      return hanging;
    });
    const answered = await statuses(hanging);

    expect(answered.get('429 too-many-at-once')).toHaveLength(3);
    expect([...answered.keys()].filter((status) => status.startsWith('5'))).toEqual([]);
  });

  it('keep their permit while an export is sent, and give it back when its client goes away', async () => {
    test = await startTestApp({ roles: ['api'] });
    const { headers } = await addCompany(test, 'lenta', { settings: { limits: { concurrent_requests: 1 } } });
    const orderId = await createOrder(test, {}, headers);
    // Far more than the sockets of an export that is not read can hold.
    await systemEm(test.app.deps.orm).transactional(async (tx) => {
      await tx.execute('set local session_replication_role = replica');
      await tx.execute(
        `insert into orders select copy.* from orders o, generate_series(1, 5000) n,
                jsonb_populate_record(o, jsonb_build_object('id', 1000000 + n, 'buyer_order_note', repeat('x', 10000))) copy where o.id = ?`,
        [orderId],
      );
    });
    const paused = Promise.withResolvers<IncomingMessage>();
    get(`${test.app.url}/api/v1/external/orders?format=csv`, { headers }, paused.resolve);
    const exported = await paused.promise;

    const waiting = Array.from({ length: 201 }, () => test.call('GET', '/limits', undefined, headers));
    const first = await Promise.any(waiting);
    exported.destroy();
    const answered = await statuses(waiting);

    expect(exported.statusCode).toBe(200);
    expect(first).toMatchObject({ status: 429, body: { code: 'too-many-at-once' } });
    expect(answered.get('200')).toHaveLength(200);
  });

  it('make the service busy when they take every connection, and never its database unreachable', async () => {
    const env = { DATABASE_POOL: '2', COMPANY_CONCURRENCY: '10' };
    test = await startTestApp({ roles: ['api'], env });
    const orderId = await createOrder(test);

    const { hanging, read } = await whileLocked(orderId, async () => {
      const hanging = hang(orderId, 4);
      await test.until(
        async () => waitingConnections(),
        (count) => count === 2,
      );
      return { hanging, read: await test.call('GET', '/orders') };
    });
    await Promise.all(hanging);

    expect(read).toMatchObject({ status: 503, body: { code: 'busy', source: 'platform', retryable: true } });
    expect(read.body.detail).toBe('The service is busy: repeat the request');
    expect(read.headers.get('Retry-After')).toBe('2');
  });
});

/** Counts connections of the service that wait for a lock. */
async function waitingConnections(): Promise<number> {
  const client = new pg.Client({ connectionString: test.app.config.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0].count;
  } finally {
    await client.end();
  }
}
