import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { DemoAccount } from '../../src/demo/demo-account.ts';
import { buildOrder } from '../support/build-order.ts';
import { type RunningCommand, smista, startSmista } from './run-command.ts';

const PATIENCE = { timeout: 40_000, interval: 200 };
const MAX_ORDERS = 1000;

/** A file system of its own; null where this process may not mount one. */
function mountSmall(): string | null {
  const place = mkdtempSync(path.join(tmpdir(), 'smista-full-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', place], { stdio: 'ignore' });
    return place;
  } catch {
    rmSync(place, { recursive: true, force: true });
    return null;
  }
}
const small = mountSmall();

describe.skipIf(small === null)('a full disk', { timeout: 180_000 }, () => {
  const place = small ?? '';
  const env = { DATA_DIR: path.join(place, 'data'), PORT: '0', SANDBOX_PORT: '0', LOG_LEVEL: 'info' };
  const filler = path.join(place, 'filler');
  let running: RunningCommand | undefined;

  afterEach(async () => {
    await running?.end();
    running = undefined;
  });
  afterAll(() => {
    execFileSync('umount', ['-l', place]);
    rmSync(place, { recursive: true, force: true });
  });

  function account(): DemoAccount {
    return JSON.parse(readFileSync(path.join(env.DATA_DIR, 'demo.json'), 'utf8')) as DemoAccount;
  }

  async function createOrder() {
    const { baseUrl, apiKey } = account();
    const response = await fetch(`${baseUrl}/api/v1/external/orders`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(buildOrder()),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
    return { status: response.status, body: (await response.json()) as any };
  }

  async function readiness(): Promise<number> {
    return (await fetch(`${account().baseUrl}/health/ready`)).status;
  }

  it('is told in one sentence by the first start, which leaves nothing in the way of the next', async () => {
    const result = await smista(['start'], env);

    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(/^The embedded database could not be made in \S+: The disk is full: \d+ MB are free/);
    expect(result.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('is a 503 to be repeated and a red readiness, until there is room again, and loses nothing', async () => {
    execFileSync('mount', ['-o', 'remount,size=200m', place]);
    running = startSmista(['start'], env);
    await running.says(/"msg":"ready"/);
    const kept: number[] = [(await createOrder()).body.order.id];
    fill();

    let refused = await createOrder();
    for (let made = 0; refused.status === 201 && made < MAX_ORDERS; made++) {
      kept.push(refused.body.order.id);
      refused = await createOrder();
    }
    const whileFull = await readiness();
    rmSync(filler);
    await vi.waitFor(async () => expect(await readiness()).toBe(200), PATIENCE);
    const after = await createOrder();
    const { baseUrl, apiKey } = account();
    const headers = { 'x-api-key': apiKey };
    const found = await Promise.all(
      kept.map(async (id) => (await fetch(`${baseUrl}/api/v1/external/orders/${id}`, { headers })).status),
    );

    expect(refused).toMatchObject({ status: 503, body: { code: 'not-ready', retryable: true } });
    expect(whileFull).toBe(503);
    expect(after.status).toBe(201);
    expect(new Set(found)).toEqual(new Set([200]));
  });

  it('that ended the database is over as soon as it can be started again', async () => {
    running = startSmista(['start'], env);
    await running.says(/"msg":"ready"/);
    const { body } = await createOrder();
    const [pid] = readFileSync(path.join(env.DATA_DIR, 'postgres', 'postmaster.pid'), 'utf8').split('\n');

    process.kill(Number(pid), 'SIGQUIT');

    await vi.waitFor(async () => expect((await createOrder()).status).toBe(201), PATIENCE);
    const { baseUrl, apiKey } = account();
    const orderUrl = `${baseUrl}/api/v1/external/orders/${body.order.id}`;
    // A connection that died with the server answers 503 once.
    await vi.waitFor(async () => {
      expect((await fetch(orderUrl, { headers: { 'x-api-key': apiKey } })).status).toBe(200);
    }, PATIENCE);
  });

  function fill(): void {
    try {
      writeFileSync(filler, Buffer.alloc(200 * 2 ** 20));
    } catch {
      // It took what there was.
    }
  }
});

it.skipIf(small !== null)('needs a file system of its own to fill, which cannot be mounted here', () => undefined);
