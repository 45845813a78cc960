import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { stringify } from 'yaml';
import type { LedgerEntry } from '../../sandbox/src/partner.ts';
import { demoCompany } from '../../src/demo/demo-company.ts';
import { buildOrder } from '../support/build-order.ts';
import { cloneDatabase, type TestDatabase } from '../support/test-database.ts';
import { type RunningCommand, smista, startSmista } from './run-command.ts';

const KEY = Buffer.alloc(32, 3).toString('base64');
const SHIPMENTS = 16;
const SLOW_MS = 1500;
const ELECTED = /leader elected/;
const LONG = { timeout: 170_000 };
/** The sweep comes every ten seconds; a job that nobody ended is given to another worker after four. */
const PATIENCE = { timeout: 120_000, interval: 100 };

/** A logical database of its own keeps other test files apart. */
function ownRedis(): string | null {
  const shared = inject('redisUrl');
  return shared && new URL('/7', shared).href;
}

/** Six processes as they run in production, with Redis where there is one. */
describe('the roles as processes of their own', LONG, () => {
  const redisUrl = ownRedis();
  let directory: string;
  let database: TestDatabase;
  let client: pg.Client;
  let env: Record<string, string>;
  let sandboxUrl: string;
  let apiUrl: string;
  let apiKey: string;
  let api: RunningCommand;
  let workers: RunningCommand[];
  let schedulers: RunningCommand[];
  const running: RunningCommand[] = [];

  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'smista-roles-'));
    database = await cloneDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await emptyRedis();
    env = {
      DATABASE_URL: database.url,
      ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
      DATA_DIR: directory,
      SECRET_KEY: KEY,
      PORT: '0',
      SANDBOX_PORT: '0',
      LOG_LEVEL: 'debug',
      WORKER_CONCURRENCY: '3',
      JOB_LOCK_SECONDS: '4',
      SETTLING_SECONDS: '3',
      RETRY_BASE_MS: '50',
      DATABASE_POOL: '5',
      QUEUE_POOL: '12',
    };
    const sandbox = run('sandbox', '--port', '0');
    [, sandboxUrl = ''] = await sandbox.says(/The sandbox is ready at (http:\S+);/);
    const file = path.join(directory, 'company.yaml');
    writeFileSync(file, stringify(demoCompany(sandboxUrl)));
    await smista(['apply', file], env);
    apiKey = (await smista(['key', 'create', 'demo'], env)).stdout.trim();

    api = run('start', '--role', 'api');
    workers = [
      run('start', '--role', 'worker', '--queues', 'carrier-gls-it,marketplace-woocommerce'),
      run('start', '--role', 'worker'),
    ];
    schedulers = [run('start', '--role', 'scheduler'), run('start', '--role', 'scheduler')];
    [, apiUrl = ''] = await api.says(/"url":"(http:[^"]+)".*"msg":"ready"/);
    for (const one of [...workers, ...schedulers]) await one.says(/"msg":"ready"/);
  }, LONG.timeout);
  afterAll(async () => {
    await Promise.all(running.map((one) => one.end()));
    await emptyRedis();
    await client.end();
    await database.drop();
    rmSync(directory, { recursive: true, force: true });
  }, LONG.timeout);

  async function emptyRedis(): Promise<void> {
    if (!redisUrl) return;
    const redis = new Redis(redisUrl);
    const keys = await redis.keys('bullmq:*');
    if (keys.length > 0) await redis.del(keys);
    redis.disconnect();
  }

  function run(...args: string[]): RunningCommand {
    const one = startSmista(args, env);
    running.push(one);
    return one;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  async function call(method: string, url: string, body?: unknown, prefer = ''): Promise<any> {
    const response = await fetch(`${apiUrl}/api/v1/external${url}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', prefer },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  }

  async function createOrders(count: number, overrides: Record<string, unknown> = {}): Promise<number[]> {
    const made = await Promise.all(Array.from({ length: count }, () => call('POST', '/orders', buildOrder(overrides))));
    return made.map(({ order }) => order.id);
  }

  async function count(where: string): Promise<number> {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from shipments where ${where}`,
    );
    return rows[0]?.count ?? 0;
  }

  async function ledger(partner: string): Promise<Map<string, LedgerEntry>> {
    const books = await (await fetch(`${sandboxUrl}/_control/ledger?partner=${partner}`)).json();
    const entries = (books as Record<string, LedgerEntry[]>)[partner] ?? [];
    return new Map(entries.map((entry) => [entry.reference, entry]));
  }

  it('give way to the api where they share a machine', () => {
    const priorities = [api, ...workers, ...schedulers].map(({ child }) => getPriority(child.pid));
    const own = getPriority();

    expect(priorities).toEqual([own, 5, 5, 5, 5]);
  });

  it('work on their own queues only', () => {
    const [some, all] = workers.map((one) =>
      [...one.output().matchAll(/"queues":(\[[^\]]*\])/g)].flatMap(([, names = '']) => JSON.parse(names) as string[]),
    );

    expect(some?.toSorted()).toEqual(['carrier-gls-it', 'marketplace-woocommerce']);
    expect(all).toEqual(
      expect.arrayContaining(['carrier-brt', 'carrier-gls-it', 'marketplace-woocommerce', 'tracking-gls-it']),
    );
  });

  it('take one order from its creation to the marketplace', async () => {
    const marketplace = { connection_id: 1, order_id: '1001', order_number: '1001' };
    const [orderId] = await createOrders(1, { marketplace });

    const created = await call('POST', '/shipment/create', [{ orderId }]);
    const transmitted = await call('POST', '/shipment/transmit', [{ orderId }]);
    const [contract] = await call('GET', '/carriers/contracts');
    const manifest = await call('POST', '/bordero', { carrierId: contract.carrier.id, orderIds: [orderId] });
    const sent = await call('POST', `/orders/${orderId}/send-to-marketplace`);
    const { shipments } = await call('GET', `/orders/${orderId}`);

    expect(created.details.success).toEqual([orderId]);
    expect(transmitted.details.success).toEqual([orderId]);
    expect(manifest).toMatchObject({ totalShipments: 1 });
    expect(sent).toMatchObject({ Result: 'OK', OrderID: '1001' });
    expect((await ledger('gls-it')).get(shipments[0].reference)).toMatchObject({ labelsSold: 1, confirmed: 1 });
    expect((await ledger('woocommerce')).get('1001')).toMatchObject({ confirmed: 1 });
  });

  it('lose nothing and buy nothing twice when a worker is killed in the middle of its calls', async () => {
    const orderIds = await createOrders(SHIPMENTS);
    const fault = { partner: 'gls-it', operation: 'AddParcel', fault: 'delay', times: 8, delayMs: SLOW_MS };
    await fetch(`${sandboxUrl}/_control/faults`, { method: 'POST', body: JSON.stringify(fault) });
    await call(
      'POST',
      '/shipment/create',
      orderIds.map((orderId) => ({ orderId })),
      'respond-async',
    );
    await vi.waitFor(async () => expect(await count(`process_status = 'submitting'`)).toBe(6), PATIENCE);

    await workers[0]?.end('SIGKILL');
    await vi.waitFor(async () => expect(await count(`process_status = 'queued'`)).toBe(0), PATIENCE);
    const inCall = `process_status = 'submitting' and updated_at > now() - interval '${2 * SLOW_MS} milliseconds'`;
    await vi.waitFor(async () => expect(await count(inCall)).toBe(0), PATIENCE);
    const orphans = await count(`process_status = 'submitting'`);
    await client.query(
      `update shipments set updated_at = now() - interval '10 minutes' where process_status = 'submitting'`,
    );
    await vi.waitFor(
      async () => expect(await count(`process_status not in ('created', 'transmitted')`)).toBe(0),
      PATIENCE,
    );

    const { rows } = await client.query<{ reference: string }>(
      'select reference from shipments where order_id = any($1)',
      [orderIds],
    );
    const books = await ledger('gls-it');
    expect(orphans).toBeGreaterThan(0);
    expect(rows).toHaveLength(SHIPMENTS);
    for (const { reference } of rows) expect(books.get(reference)).toMatchObject({ labelsSold: 1, cancelled: 0 });
    const again = await call(
      'POST',
      '/shipment/create',
      orderIds.map((orderId) => ({ orderId })),
    );
    expect(again).toMatchObject({ success: true, total: SHIPMENTS });
  });

  it('have one scheduler that fires, and another that takes over when it is killed', async () => {
    const elected = schedulers.filter((one) => ELECTED.test(one.output()));
    const [other] = schedulers.filter((one) => !ELECTED.test(one.output()));

    await elected[0]?.end('SIGKILL');
    await other?.says(ELECTED);

    expect(elected).toHaveLength(1);
  });
});
