import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DemoAccount } from '../../src/demo/demo-account.ts';
import { buildOrder } from '../support/build-order.ts';
import { type RunningCommand, smista, startSmista } from './run-command.ts';

const READY = /"url":"(http:[^"]+)".*"msg":"ready"/;
/** Starting a database takes a while on two cores that others use too. */
const LONG = { timeout: 120_000 };

describe('one command without a database, Redis or Docker', LONG, () => {
  let dataDir: string;
  let running: RunningCommand | undefined;

  beforeAll(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'smista-embedded-'));
  });
  afterEach(async () => {
    await running?.end();
    running = undefined;
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  const env = () => ({ DATA_DIR: dataDir, PORT: '0', SANDBOX_PORT: '0', LOG_LEVEL: 'info' });

  async function start(): Promise<RunningCommand> {
    running = startSmista(['start'], env());
    await running.says(READY);
    return running;
  }

  function readAccount(): DemoAccount {
    return JSON.parse(readFileSync(path.join(dataDir, 'demo.json'), 'utf8')) as DemoAccount;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  async function call(method: string, url: string, body?: unknown): Promise<any> {
    const { baseUrl, apiKey } = readAccount();
    const response = await fetch(`${baseUrl}/api/v1/external${url}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  }

  /** A booked order; answers its id and tracking number. */
  async function ship(): Promise<{ orderId: number; trackingNumber: string }> {
    const { order } = await call('POST', '/orders', buildOrder());
    await call('POST', '/shipment/create', [{ orderId: order.id }]);
    const { shipments } = await call('GET', `/orders/${order.id}`);
    return { orderId: order.id, trackingNumber: shipments[0].trackingNumber };
  }

  it('is ready to be used, and writes down how, for its owner only', async () => {
    const { says } = await start();
    const [, url] = await says(READY);

    const account = readAccount();
    const file = statSync(path.join(dataDir, 'demo.json'));
    const ready = await fetch(`${account.baseUrl}/health/ready`);
    const shipped = await ship();

    expect(Object.keys(account)).toEqual(['baseUrl', 'apiKey', 'companyId', 'sandboxUrl', 'admin', 'person']);
    expect(Object.keys(account.admin)).toEqual(['user', 'password']);
    expect(account.baseUrl).toBe(url);
    expect(file.mode & 0o777).toBe(0o600);
    expect(statSync(path.join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(ready.status).toBe(200);
    expect(shipped.trackingNumber).toMatch(/^YA\d{9}$/);
  });

  it('keeps everything over a stop, and ends with 0 although the signal comes twice', async () => {
    const first = await start();
    const { apiKey } = readAccount();
    const shipped = await ship();
    first.child.kill('SIGINT');
    const code = await first.end('SIGINT');

    await start();
    const account = readAccount();
    const detail = await call('GET', `/orders/${shipped.orderId}`);

    expect(code).toBe(0);
    expect(existsSync(path.join(dataDir, 'postgres', 'postmaster.pid'))).toBe(true);
    expect(account.apiKey).toBe(apiKey);
    expect(detail.shipments[0].trackingNumber).toBe(shipped.trackingNumber);
  });

  it('keeps everything when it is killed', async () => {
    const first = await start();
    const { apiKey } = readAccount();
    const shipped = await ship();
    // The pretend carrier writes its books down twice a second.
    const sold = `"number":"${shipped.trackingNumber.slice(2)}"`;
    await vi.waitFor(() => expect(readFileSync(path.join(dataDir, 'sandbox.json'), 'utf8')).toContain(sold), 5000);
    const code = await first.end('SIGKILL');
    // Its database ends by itself, not only at the next start.
    await vi.waitFor(() => expect(existsSync(path.join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false), {
      timeout: 20_000,
      interval: 100,
    });

    await start();
    const detail = await call('GET', `/orders/${shipped.orderId}`);
    const next = await ship();

    expect(code).toBeNull();
    expect(readAccount().apiKey).toBe(apiKey);
    expect(detail.shipments[0].trackingNumber).toBe(shipped.trackingNumber);
    expect(next.trackingNumber).not.toBe(shipped.trackingNumber);
  });

  it('keeps a second process off its data', async () => {
    const first = await start();

    const second = await smista(['start'], env());

    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`Another smista (process ${first.child.pid}) is using ${dataDir}`);
  });

  it('serves short commands with its database while it does not run, and leaves nothing running', async () => {
    // One waits for the other, whose database ends with it.
    const lists = await Promise.all([smista(['key', 'list'], env()), smista(['key', 'list'], env())]);

    for (const list of lists) {
      expect(list.code, list.stderr).toBe(0);
      expect(list.stdout).toMatch(/demo {2}smista_\S+…\s+valid/);
    }
    expect(existsSync(path.join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    expect(existsSync(path.join(dataDir, 'smista.pid'))).toBe(false);
  });

  it('is set up by commands while it runs', async () => {
    await start();
    const file = path.join(dataDir, 'fresh.yaml');
    writeFileSync(file, 'companies: [{ key: fresh, name: Fresh }]');

    const applied = await smista(['apply', file], env());
    const exported = await smista(['export', 'fresh'], env());
    const key = await smista(['key', 'create', 'fresh'], env());
    const orders = await fetch(`${readAccount().baseUrl}/api/v1/external/orders`, {
      headers: { 'x-api-key': key.stdout.trim() },
    });

    expect(applied).toMatchObject({ code: 0, stdout: expect.stringMatching(/^created {3}company fresh\n/) });
    expect(exported.stdout).toContain('- key: fresh\n');
    expect([orders.status, await orders.json()]).toEqual([200, []]);
  });

  it('says so when its secrets were spoiled, and makes no others', async () => {
    const file = path.join(dataDir, 'secrets.json');
    const secrets = readFileSync(file, 'utf8');
    writeFileSync(file, '{"databasePassword":');

    const result = await smista(['start'], env());
    writeFileSync(file, secrets);

    expect(result.code).toBe(2);
    expect(result.stderr).toContain('secrets.json cannot be read: restore it from a backup');
    expect(result.stderr).not.toMatch(/^\s+at /m);
  });
});

describe('the demo', LONG, () => {
  it('walks one order through its whole life, and leaves a label and a bordero', async () => {
    const output = mkdtempSync(path.join(tmpdir(), 'smista-demo-'));

    const result = await smista(['demo', '--output', output]);
    const written = readdirSync(output).toSorted();
    const heads = written.map((name) => readFileSync(path.join(output, name)).subarray(0, 5).toString());
    rmSync(output, { recursive: true, force: true });

    expect(result.code, result.stderr).toBe(0);
    expect(result.stdout).toContain('Done: one order, one label, and every answer was true.');
    expect(written).toEqual(['bordero.pdf', 'label.pdf']);
    expect(heads).toEqual(['%PDF-', '%PDF-']);
  });
});
