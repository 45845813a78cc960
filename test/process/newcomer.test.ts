import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DemoAccount } from '../../src/demo/demo-account.ts';
import { BASH_ARGS } from '../support/bash.ts';
import { command, type RunningCommand, smista, startSmista } from './run-command.ts';

const READY = /"msg":"ready"/;
/** Shops are imported at full minutes. */
const PATIENCE = { timeout: 80_000, interval: 200 };

describe('the first minutes with a fresh data directory', { timeout: 180_000 }, () => {
  let directory: string;
  let account: DemoAccount;
  let running: RunningCommand;

  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'smista-newcomer-'));
    running = startSmista(['start'], env());
    await running.says(READY);
    account = JSON.parse(readFileSync(path.join(directory, 'demo.json'), 'utf8')) as DemoAccount;
  });
  afterAll(async () => {
    await running.end();
    rmSync(directory, { recursive: true, force: true });
  });

  const env = () => ({ DATA_DIR: directory, PORT: '0', SANDBOX_PORT: '0', LOG_LEVEL: 'info' });

  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  async function read(url: string): Promise<any> {
    const headers = { 'x-api-key': account.apiKey };
    return (await fetch(`${account.baseUrl}/api/v1/external${url}`, { headers })).json();
  }

  it("follow the README to the label of the newcomer's own order", async () => {
    await vi.waitFor(async () => expect(await read('/orders')).toHaveLength(3), PATIENCE);
    const [, script = ''] = /^```sh\n(API=[\s\S]*?)^```/m.exec(readFileSync('README.md', 'utf8')) ?? [];
    const label = path.join(directory, 'label.pdf');

    const result = await command('bash', [...BASH_ARGS, `set -euo pipefail\n${here(script, label)}`]);
    const { order, shipments } = await read('/orders/4');

    expect(result.code, result.stderr).toBe(0);
    expect(readFileSync(label).subarray(0, 5).toString()).toBe('%PDF-');
    expect(order.buyerOrderNote).toContain('Citofono Colombini');
    expect(shipments).toHaveLength(1);
    for (const id of [1, 2, 3]) expect((await read(`/orders/${id}`)).shipments).toEqual([]);
  });

  it('use the command line beside the running service', async () => {
    const made = await smista(['key', 'create', 'demo', '--name', 'till'], env());
    const listed = await smista(['key', 'list'], env());
    const examined = await smista(['doctor'], env());
    const shop = path.join(directory, 'shop.yaml');
    writeFileSync(shop, 'companies: [{ key: shop, name: Shop }]');
    const applied = await smista(['apply', shop], env());
    const migrated = await smista(['migrate'], env());
    const others = await Promise.all(
      [
        ['exchanges', '--help'],
        ['tariffs', 'list', 'demo'],
        ['shipments', 'held'],
        ['connections', 'list'],
      ].map((args) => smista(args, env())),
    );
    const key = made.stdout.trim();
    const answer = await fetch(`${account.baseUrl}/api/v1/external/orders`, { headers: { 'x-api-key': key } });
    const second = await smista(['start'], env());

    expect(made.code, made.stderr).toBe(0);
    expect(listed.stdout).toContain('valid  till');
    expect(examined.stdout).toContain('ok   migrations: all applied');
    expect(examined.stdout).not.toContain('FAIL');
    expect(applied.stdout).toBe('created   company shop\nnot in the file, left alone: company demo\n');
    expect(migrated.stdout).toBe('The database is up to date.\n');
    for (const other of others) expect(other.stderr).not.toContain('is using');
    expect(answer.status).toBe(200);
    expect(second).toMatchObject({ code: 2, stdout: '' });
    expect(second.stderr).toContain(`Another smista (process ${running.child.pid}) is using ${directory}`);
  });

  function here(script: string, label: string): string {
    return script
      .replaceAll('http://127.0.0.1:3000', account.baseUrl)
      .replaceAll('.data/demo.json', path.join(directory, 'demo.json'))
      .replaceAll('label.pdf', label)
      .replaceAll('curl ', 'curl --silent --show-error --fail ');
  }
});
