import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { sandboxPartners } from '../../sandbox/src/index.ts';
import type { LedgerEntry } from '../../sandbox/src/partner.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { type App, startApp } from '../../src/app.ts';
import type { Role } from '../../src/config.ts';
import { readConfig } from '../../src/config.ts';
import { Exchange, Shipment, ShipmentAttempt } from '../../src/db/entities/index.ts';
import { systemEm } from '../../src/db/orm.ts';
import { demoCompany } from '../../src/demo/demo-company.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createKey } from '../../src/usecases/setup/api-keys.ts';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { buildOrder } from '../support/build-order.ts';
import { backends } from '../support/test-app.ts';
import { cloneDatabase, type TestDatabase } from '../support/test-database.ts';

const PATIENCE = { timeout: 15_000, interval: 20 };

describe.each(backends())('stopping, queue on %s', (backend) => {
  let database: TestDatabase;
  let sandbox: Sandbox;
  let dataDir: string;
  let api: App;
  let apiKey: string;
  let queuePrefix: string;
  const running = new Set<App>();

  beforeEach(async () => {
    database = await cloneDatabase();
    dataDir = mkdtempSync(path.join(tmpdir(), 'smista-stop-'));
    queuePrefix = `test-${randomBytes(6).toString('hex')}`;
    sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: sandboxPartners });
    api = await start(['api']);
    await apply(api.deps, ApplyDocument.parse(demoCompany(sandbox.url)));
    apiKey = (await createKey(api.deps, { companyKey: 'demo', name: 'test', expiresAt: null })).key;
  });
  afterEach(async () => {
    for (const app of running) await app.stop();
    running.clear();
    await sandbox.close();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** One process of the product; all of a test share database, queue and partners. */
  async function start(roles: readonly Role[], env: Record<string, string> = {}): Promise<App> {
    const redisUrl = backend === 'redis' ? inject('redisUrl') : null;
    const config = readConfig({
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
      DATABASE_POOL: '5',
      QUEUE_POOL: '8',
      RETRY_ATTEMPTS: '5',
      RETRY_BASE_MS: '20',
      RATE_LIMIT_PER_MINUTE: '0',
      WORKER_CONCURRENCY: '2',
      SHUTDOWN_SECONDS: '10',
      ...env,
    });
    const app = await startApp({ config, log: silentLog, roles, migrate: false, queuePrefix });
    running.add(app);
    return app;
  }

  async function stop(app: App): Promise<number> {
    const started = Date.now();
    running.delete(app);
    await app.stop();
    return Date.now() - started;
  }

  async function call(method: string, url: string, body: unknown, prefer = 'respond-async'): Promise<Response> {
    return fetch(`${api.url}/api/v1/external${url}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', prefer },
      body: JSON.stringify(body),
    });
  }

  async function orderShipments(count: number): Promise<number[]> {
    const orderIds: number[] = [];
    for (let at = 0; at < count; at++) {
      const { order } = (await (await call('POST', '/orders', buildOrder())).json()) as { order: { id: number } };
      orderIds.push(order.id);
    }
    await call(
      'POST',
      '/shipment/create',
      orderIds.map((orderId) => ({ orderId })),
    );
    return orderIds;
  }

  /** Without a delay, what hangs does so until somebody cuts it off. */
  async function fault(name: string, times: number, delayMs?: number): Promise<void> {
    const body = { partner: 'gls-it', operation: 'AddParcel', fault: name, times, delayMs };
    await fetch(`${sandbox.url}/_control/faults`, { method: 'POST', body: JSON.stringify(body) });
  }

  async function count(...statuses: Shipment['processStatus'][]): Promise<number> {
    return systemEm(api.deps.orm).count(Shipment, { processStatus: { $in: statuses } });
  }

  async function ledger(): Promise<LedgerEntry[]> {
    const books = await (await fetch(`${sandbox.url}/_control/ledger?partner=gls-it`)).json();
    return (books as Record<string, LedgerEntry[]>)['gls-it'] ?? [];
  }

  it('lets a worker finish what it began, and leaves the rest to the next one', async () => {
    await orderShipments(8);
    await fault('delay', 4, 300);
    const first = await start(['worker']);
    await vi.waitFor(async () => expect(await count('submitting')).toBeGreaterThan(0), PATIENCE);

    await stop(first);
    const after = {
      submitting: await count('submitting'),
      created: await count('created'),
      queued: await count('queued'),
    };
    await start(['worker']);
    await vi.waitFor(async () => expect(await count('created')).toBe(8), PATIENCE);

    expect(after.submitting).toBe(0);
    expect(after.created).toBeGreaterThan(0);
    expect(after.created + after.queued).toBe(8);
    expect(await systemEm(api.deps.orm).count(Exchange, { operation: 'AddParcel' })).toBe(8);
    expect((await ledger()).map((entry) => entry.labelsSold)).toEqual(Array.from({ length: 8 }, () => 1));
  });

  it('cuts off what does not end, and the next worker finds out what became of it', async () => {
    await orderShipments(1);
    await fault('accept-then-hang', 1);
    const first = await start(['worker'], { SHUTDOWN_SECONDS: '1' });
    await vi.waitFor(async () => expect(await ledger()).toHaveLength(1), PATIENCE);

    const ms = await stop(first);
    const after = await count('unknown_outcome');
    await start(['worker']);
    await vi.waitFor(async () => expect(await count('created')).toBe(1), PATIENCE);

    expect(ms).toBeGreaterThan(900);
    expect(ms).toBeLessThan(6000);
    expect(after).toBe(1);
    expect(await systemEm(api.deps.orm).count(Exchange, { operation: 'AddParcel' })).toBe(1);
    expect(await ledger()).toMatchObject([{ labelsSold: 1 }]);
  });

  it('does not begin what waited for its turn when it was cut off', async () => {
    await orderShipments(2);
    await fault('accept-then-hang', 1);
    const first = await start(['worker'], { SHUTDOWN_SECONDS: '1', WORKER_CONCURRENCY: '1' });
    await vi.waitFor(async () => expect(await ledger()).toHaveLength(1), PATIENCE);

    await stop(first);
    const attempts = await systemEm(api.deps.orm).count(ShipmentAttempt, {});
    await start(['worker']);
    await vi.waitFor(async () => expect(await count('created')).toBe(2), PATIENCE);

    expect(attempts).toBe(1);
    expect((await ledger()).map((entry) => entry.labelsSold)).toEqual([1, 1]);
  });

  it('answers clients that wait with what is known', async () => {
    const [orderId] = await orderShipments(1);
    const waiting = call('POST', '/shipment/create', [{ orderId }], 'wait=20');
    await vi.waitFor(async () => {
      const rows = await systemEm(api.deps.orm).execute('select 1 from operations');
      expect(rows).toHaveLength(2);
    }, PATIENCE);

    const ms = await stop(api);
    const answer = await waiting;

    expect(ms).toBeLessThan(6000);
    expect(answer.status).toBe(202);
    expect(await answer.json()).toMatchObject({ success: false, total: 1 });
  });

  it('stops twice to the same end', async () => {
    const worker = await start(['worker', 'scheduler']);

    await Promise.all([stop(worker), worker.stop()]);
    await worker.stop();

    expect(running.has(worker)).toBe(false);
  });
});
