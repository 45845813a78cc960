import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { demoCompany } from '../../src/demo/demo-company.ts';
import { cloneDatabase, type TestDatabase } from '../support/test-database.ts';
import { findOldNode } from './old-node.ts';
import { command, ROOT, type RunningCommand, smista, start, startSmista } from './run-command.ts';

const LAUNCHER = path.join(ROOT, 'bin', 'smista.js');
const KEY = Buffer.alloc(32, 1).toString('base64');

const oldNode = findOldNode();

describe('commands around the service', () => {
  let directory: string;
  let database: TestDatabase;
  let env: Record<string, string>;
  const running: RunningCommand[] = [];

  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'smista-service-'));
    database = await cloneDatabase();
    env = { DATABASE_URL: database.url, DATA_DIR: directory, SECRET_KEY: KEY, PORT: '0', SANDBOX_PORT: '0' };
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await one.end();
  });
  afterAll(async () => {
    await database.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function startSandbox(...args: string[]): Promise<{ url: string; sandbox: RunningCommand }> {
    const sandbox = startSmista(['sandbox', '--port', '0', ...args], env);
    running.push(sandbox);
    const [, url = ''] = await sandbox.says(/The sandbox is ready at (http:\S+);/);
    return { url, sandbox };
  }

  it('serves only the simulated partners, and keeps their ledgers in a file', async () => {
    const state = path.join(directory, 'books.json');
    const { url, sandbox } = await startSandbox('--state', state);

    const seeded = await fetch(`${url}/woocommerce/_seed/orders`, { method: 'POST', body: '{}' });
    const { id } = (await seeded.json()) as { id: number };
    const code = await sandbox.end();
    const next = await startSandbox('--state', state);
    const books = await (await fetch(`${next.url}/_control/ledger`)).text();

    expect(code).toBe(0);
    expect(readFileSync(state, 'utf8')).toContain(`"number":"${id}"`);
    expect(books).toContain(`"reference":"${id}"`);
  });

  it('examines everything the service leans on', async () => {
    const { url, sandbox } = await startSandbox();
    const file = path.join(directory, 'demo.yaml');
    writeFileSync(file, stringify(demoCompany(url)));
    await smista(['apply', file], env);

    const healthy = await smista(['doctor'], env);
    await sandbox.end();
    const partnersAway = await smista(['doctor'], env);

    expect(healthy.stdout).not.toContain('FAIL');
    for (const what of [
      'database: PostgreSQL',
      'migrations: all applied',
      'clock:',
      'connections:',
      'adapters: gls-it, ',
      'queue (postgres): answers',
    ]) {
      expect(healthy.stdout).toContain(`ok   ${what}`);
    }
    expect(healthy.stdout).toMatch(/^ok {3}contract \d+ GLS Bologna: credentials accepted$/m);
    expect(healthy.stdout).toMatch(/^ok {3}connection \d+ Negozio online: credentials accepted$/m);
    expect(healthy.code).toBe(0);
    expect(partnersAway.stdout).toMatch(/^FAIL contract \d+ GLS Bologna: GLS Italy could not be reached$/m);
    expect(partnersAway.stdout).toContain('ok   database');
    expect(partnersAway.code).toBe(1);
  });

  it('runs one role without the others', async () => {
    const worker = startSmista(['start', '--role', 'worker'], { ...env, LOG_LEVEL: 'info' });
    running.push(worker);
    await worker.says(/"msg":"ready"/);

    const code = await worker.end();

    expect(worker.output()).toContain('"roles":["worker"]');
    expect(worker.output()).not.toContain('"url"');
    expect(code).toBe(0);
  });

  it('warns of links that lead nowhere when an api that others reach has no PUBLIC_URL', {
    timeout: 120_000,
  }, async () => {
    const open = { ...env, HOST: '0.0.0.0', LOG_LEVEL: 'info' };
    const nameless = startSmista(['start', '--role', 'api'], open);
    running.push(nameless);
    await nameless.says(/"msg":"ready"/);
    const named = startSmista(['start', '--role', 'api'], { ...open, PUBLIC_URL: 'https://smista.example.com' });
    running.push(named);
    await named.says(/"msg":"ready"/);
    const local = startSmista(['start', '--role', 'api'], { ...open, HOST: '127.0.0.1' });
    running.push(local);
    await local.says(/"msg":"ready"/);

    expect(nameless.output()).toMatch(/"level":40,.*"msg":"PUBLIC_URL not set: /);
    expect(named.output()).not.toContain('PUBLIC_URL');
    expect(local.output()).not.toContain('PUBLIC_URL');
  });

  it('says when Redis cannot be reached, and still makes a key that a script can read', async () => {
    const away = { ...env, REDIS_URL: 'redis://127.0.0.1:1' };
    const file = path.join(directory, 'scripted.yaml');
    writeFileSync(file, 'companies: [{ key: scripted, name: Scripted }]');

    const examined = await smista(['doctor'], away);
    const applied = await smista(['apply', file], away);
    const made = await smista(['key', 'create', 'scripted'], away);

    expect(examined.stdout).toMatch(/^FAIL queue \(redis\): /m);
    expect(examined.code).toBe(1);
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringMatching(/^created {3}company scripted\n/) });
    expect(applied.stderr).toContain('redis connection failed');
    expect(made).toEqual({ code: 0, stdout: expect.stringMatching(/^smista_[\w-]{43}\n$/), stderr: '' });
  });

  describe('bin/smista.js', () => {
    it('runs on this Node', async () => {
      expect(await command(process.execPath, [LAUNCHER, '--version'], env)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      });
    });

    it.skipIf(!oldNode)('runs on an old Node with the one that npm brought, and passes exit codes on', async () => {
      const node = oldNode ?? '';

      const version = await command(node, [LAUNCHER, '--version'], env);
      const mistake = await command(node, [LAUNCHER, 'start'], { ...env, PORT: 'abc' });

      expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
      expect(mistake).toMatchObject({ code: 2, stderr: expect.stringContaining('PORT: must be a whole number') });
    });

    it('says what is missing where npm brought nothing', async () => {
      const bare = path.join(directory, 'bare');
      for (const file of ['bin/smista.js', 'src/main.ts', 'package.json']) {
        cpSync(path.join(ROOT, file), path.join(bare, file), { recursive: true });
      }

      const results = [await command(process.execPath, [path.join(bare, 'bin', 'smista.js'), 'start'], env)];
      if (oldNode) results.push(await command(oldNode, [path.join(bare, 'bin', 'smista.js'), 'start'], env));

      expect(results[0]?.stderr).toBe('The packages that smista needs are not installed: run `npm ci` first\n');
      if (oldNode)
        expect(results[1]?.stderr).toMatch(/^smista needs Node 22\.18 or newer, and this is \d+\.\d+\.\d+: /);
      for (const { code } of results) expect(code).toBe(1);
    });

    it.skipIf(!oldNode)('passes signals on, and waits for the end', async () => {
      const sandbox = start(oldNode ?? '', [LAUNCHER, 'sandbox', '--port', '0'], env);
      running.push(sandbox);
      const [, url = ''] = await sandbox.says(/The sandbox is ready at (http:\S+);/);

      const code = await sandbox.end('SIGTERM');

      expect(code).toBe(0);
      await expect(fetch(url)).rejects.toThrow();
    });
  });
});
