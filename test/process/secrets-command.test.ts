import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TOTP, URI } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sandboxPartners } from '../../sandbox/src/index.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { type App, startApp } from '../../src/app.ts';
import { type Role, readConfig } from '../../src/config.ts';
import { EventEndpoint, Shipment } from '../../src/db/entities/index.ts';
import { systemEm } from '../../src/db/orm.ts';
import { demoCompany } from '../../src/demo/demo-company.ts';
import { silentLog } from '../../src/lib/log.ts';
import { activeSecrets } from '../../src/usecases/events/event-secrets.ts';
import { beginSecondFactor, confirmSecondFactor, endSecondFactor } from '../../src/usecases/people/second-factor.ts';
import { createUser } from '../../src/usecases/people/users.ts';
import { createKey } from '../../src/usecases/setup/api-keys.ts';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { buildOrder } from '../support/build-order.ts';
import { cloneDatabase, type TestDatabase } from '../support/test-database.ts';
import { smista } from './run-command.ts';

const OLD = Buffer.alloc(32, 1).toString('base64');
const NEW = Buffer.alloc(32, 2).toString('base64');
const ORDERS = 12;
const PATIENCE = { timeout: 60_000, interval: 50 };
const LONG = { timeout: 170_000 };

describe('smista secrets rotate', LONG, () => {
  const queuePrefix = `test-${randomBytes(6).toString('hex')}`;
  let database: TestDatabase;
  let sandbox: Sandbox;
  let env: Record<string, string>;
  let apiKey = '';
  const running = new Set<App>();

  beforeAll(async () => {
    database = await cloneDatabase();
    env = {
      DATABASE_URL: database.url,
      DATA_DIR: mkdtempSync(path.join(tmpdir(), 'smista-rotate-')),
      PORT: '0',
      DATABASE_POOL: '5',
      EVENTS_ALLOW_PRIVATE: 'true',
    };
    sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: sandboxPartners });
  });
  afterAll(async () => {
    for (const app of running) await app.stop();
    await sandbox.close();
    await database.drop();
    rmSync(env.DATA_DIR ?? '', { recursive: true, force: true });
  });

  async function start(secretKey: string, ...roles: Role[]): Promise<App> {
    const config = readConfig({ ...env, SECRET_KEY: secretKey, SANDBOX: 'false', RATE_LIMIT_PER_MINUTE: '0' });
    const queues = ['carrier-gls-it'];
    const app = await startApp({ config, log: silentLog, roles, migrate: false, queuePrefix, queues });
    running.add(app);
    return app;
  }

  async function stop(app: App): Promise<void> {
    running.delete(app);
    await app.stop();
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  async function call(api: App, method: string, url: string, body?: unknown): Promise<any> {
    const answer = await fetch(`${api.url}/api/v1/external${url}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', prefer: 'respond-async' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.ok).toBe(true);
    return answer.json();
  }

  async function ship(api: App, count: number): Promise<void> {
    const orders = [];
    for (let at = 0; at < count; at++) orders.push((await call(api, 'POST', '/orders', buildOrder())).order.id);
    await call(
      api,
      'POST',
      '/shipment/create',
      orders.map((orderId) => ({ orderId })),
    );
  }

  const booked = (api: App) => systemEm(api.deps.orm).count(Shipment, { processStatus: 'created' });

  async function linkToLabel(api: App): Promise<string> {
    const [shipment] = await systemEm(api.deps.orm).find(Shipment, { processStatus: 'created' }, { limit: 1 });
    const [document] = await call(api, 'GET', `/shipment/${shipment?.id}/documents`);
    const { pathname, search } = new URL(document.url);
    return `${pathname}${search}`;
  }

  it('seals everything with the new key while a worker books, and then the old key can go', async () => {
    let api = await start(OLD, 'api');
    await apply(api.deps, ApplyDocument.parse(demoCompany(sandbox.url)));
    apiKey = (await createKey(api.deps, { companyKey: 'demo', name: 'test', expiresAt: null })).key;
    const made = await call(api, 'POST', '/event-endpoints', { url: 'http://127.0.0.1:9/events' });
    await api.deps.tokens.get('ups:test:token', async () => ({ value: 'token', expiresInSeconds: 3600 }));
    const ada = await createUser(api.deps, { email: 'ada@example.com', name: '', role: 'viewer', companyKey: 'demo' });
    const holder = { userId: ada.id, sessionId: 0, email: 'ada@example.com' };
    const totp = URI.parse(await beginSecondFactor(api.deps, holder)) as TOTP;
    await confirmSecondFactor(api.deps, holder, totp.generate());
    await stop(api);

    // One key after the other, as processes are restarted.
    api = await start(`${OLD},${NEW}`, 'api');
    let worker = await start(`${NEW} ${OLD}`, 'worker');
    await ship(api, 1);
    await vi.waitFor(async () => expect(await booked(api)).toBe(1), PATIENCE);
    const oldLink = await linkToLabel(api);
    await stop(api);
    api = await start(`${NEW},${OLD}`, 'api');
    const both = { ...env, SECRET_KEY: `${NEW},${OLD}` };
    const before = await smista(['doctor'], both);
    await fetch(`${sandbox.url}/_control/faults`, {
      method: 'POST',
      body: JSON.stringify({ partner: 'gls-it', operation: 'AddParcel', fault: 'delay', times: ORDERS, delayMs: 300 }),
    });
    await ship(api, ORDERS);

    const rotated = await smista(['secrets', 'rotate'], both);
    const again = await smista(['secrets', 'rotate'], both);
    await vi.waitFor(async () => expect(await booked(api)).toBe(1 + ORDERS), PATIENCE);

    expect(before.stdout).toMatch(/FAIL seals: \d+ of \d+ are sealed with an older key: run smista secrets rotate/);
    expect(rotated).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Re-sealed \d{2}; \d{2} are sealed with the newest key\.\n$/),
      stderr: '',
    });
    const [sealed = ''] = /\d+ are sealed.*/.exec(rotated.stdout) ?? [];
    expect(again.stdout).toBe(`Re-sealed 0; ${sealed}\n`);
    expect((await fetch(`${api.url}${oldLink}`)).status).toBe(200);
    expect(await countBooksInSandbox()).toBe(1 + ORDERS);

    await stop(worker);
    await stop(api);
    api = await start(NEW, 'api');
    worker = await start(NEW, 'worker');
    await ship(api, 1);
    await vi.waitFor(async () => expect(await booked(api)).toBe(2 + ORDERS), PATIENCE);
    const endpoint = await systemEm(api.deps.orm).findOneOrFail(EventEndpoint, made.id);
    const fetchAgain = async (): Promise<never> => {
      throw new Error('The kept token must do');
    };

    const nextCode = totp.generate({ timestamp: Date.now() + 30_000 });

    expect(await endSecondFactor(api.deps, holder, nextCode)).toBe(true);
    expect(activeSecrets(api.deps.vault, endpoint, new Date())).toEqual([made.secret]);
    expect(await api.deps.tokens.get('ups:test:token', fetchAgain)).toBe('token');
    expect((await fetch(`${api.url}${oldLink}`)).status).toBe(404);
    const after = await smista(['doctor'], { ...env, SECRET_KEY: NEW });
    expect(after.stdout).toContain(`ok   seals: all ${Number.parseInt(sealed, 10) - 1} with the newest key`);
    expect(after.stdout).not.toMatch(/cannot be decrypted/);
    expect(await smista(['doctor'], { ...env, SECRET_KEY: OLD })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('SECRET_KEY does not match this database'),
    });
  });

  async function countBooksInSandbox(): Promise<number> {
    const books = (await (await fetch(`${sandbox.url}/_control/ledger?partner=gls-it`)).json()) as Record<
      string,
      unknown[]
    >;
    return books['gls-it']?.length ?? 0;
  }
});
