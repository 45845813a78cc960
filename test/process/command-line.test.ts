import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../support/test-database.ts';
import { smista } from './run-command.ts';

const KEY = Buffer.alloc(32, 1).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 2).toString('base64');

describe('the command line', () => {
  let directory: string;
  let database: TestDatabase;
  let env: Record<string, string>;

  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'smista-cli-'));
    database = await cloneDatabase();
    env = { DATABASE_URL: database.url, DATA_DIR: directory, SECRET_KEY: KEY, PORT: '0', SANDBOX_PORT: '0' };
  });
  afterAll(async () => {
    await database.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  function file(name: string, text: string): string {
    const where = path.join(directory, name);
    writeFileSync(where, text);
    return where;
  }

  /** A mistake of a person: one message, exit code 2, no stack. */
  function expectMistake(result: { code: number; stderr: string }, ...messages: (string | RegExp)[]): void {
    for (const message of messages) expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toMatch(/^\s+at /m);
    expect(result.code).toBe(2);
  }

  async function query(url: string, sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(sql);
    await client.end();
  }

  it('prints its help, its version and the options of start', async () => {
    const [help, version, start] = [
      await smista(['--help']),
      await smista(['--version']),
      await smista(['start', '--help']),
    ];

    expect(help.code).toBe(0);
    for (const name of ['start', 'demo', 'migrate', 'apply', 'export', 'key', 'sandbox', 'doctor'])
      expect(help.stdout).toContain(name);
    expect(help.stdout).toContain('Exit codes: 0 done, 1 failed, 2 invalid arguments or settings');
    expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    expect(start).toMatchObject({ code: 0, stdout: expect.stringContaining('--role') });
  });

  it('refuses what it does not understand', async () => {
    const wrong: [string[], string][] = [
      [['fly'], 'unknown command'],
      [['start', '--role', 'driver'], 'Allowed choices are api, worker, scheduler'],
      [['sandbox', '--port', 'many'], 'whole number'],
      [['key', 'create', 'demo', '--expires', 'soon'], 'YYYY-MM-DD'],
      [['apply'], 'missing required argument'],
    ];

    const results = await Promise.all(wrong.map(([args]) => smista(args, env)));

    for (const [at, result] of results.entries()) expectMistake(result, wrong[at]?.[1] ?? '');
  });

  it('names everything that is wrong with the environment at once', async () => {
    const wrong = {
      PORT: 'abc',
      DATABASE_URL: 'mysql://db',
      SECRET_KEY: 'short',
      RETRY_ATTEMPTS: '0',
      LOG_LEVEL: 'loud',
    };

    const result = await smista(['start'], { ...env, ...wrong });

    expectMistake(result, ...Object.keys(wrong));
    expect(result.stderr).not.toContain('short');
  });

  it('says that a database cannot be reached, without its password', async () => {
    const result = await smista(['doctor'], { ...env, DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/smista' });

    expectMistake(result, 'The database at 127.0.0.1:1 cannot be used');
    expect(result.stderr).not.toContain('hush');
  });

  it('says that a database needs to be migrated, and migrates it', async () => {
    const url = inject('postgresUrl').replace(/\/postgres$/, `/empty_${process.pid}`);
    await query(inject('postgresUrl'), `create database empty_${process.pid}`);
    const empty = { ...env, DATABASE_URL: url };

    const [api, before] = [await smista(['start', '--role', 'api'], empty), await smista(['key', 'list'], empty)];
    const [migrated, again] = [await smista(['migrate'], empty), await smista(['migrate'], empty)];
    const after = await smista(['key', 'list'], empty);
    await query(inject('postgresUrl'), `drop database empty_${process.pid} with (force)`);

    for (const refused of [api, before]) expectMistake(refused, 'run `smista migrate` first');
    for (const done of [migrated, again])
      expect(done).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });
    expect(after).toMatchObject({ code: 0, stdout: 'There are no keys.\n' });
  });

  it('leaves alone a database that a newer version migrated', async () => {
    const newer = await cloneDatabase();
    await query(newer.url, `insert into smista_migrations (name, executed_at) values ('99991231-later', now())`);
    const there = { ...env, DATABASE_URL: newer.url };

    const results = [
      await smista(['migrate'], there),
      await smista(['start'], there),
      await smista(['key', 'list'], there),
    ];
    await newer.drop();

    for (const result of results)
      expectMistake(result, 'The database is newer than this smista (it has 99991231-later)');
  });

  it('refuses a key that the database was not sealed with', async () => {
    const right = await smista(['migrate'], env);
    const wrong = await smista(['migrate'], { ...env, SECRET_KEY: OTHER_KEY });

    expect(right.code).toBe(0);
    expectMistake(wrong, 'SECRET_KEY does not match this database: set the key it was first started with');
  });

  describe('with a port that is taken', () => {
    let taken: Server;
    let port: string;

    beforeAll(async () => {
      taken = createServer();
      await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
      const address = taken.address();
      port = String(typeof address === 'object' && address ? address.port : 0);
    });
    afterAll(() => new Promise((resolve) => taken.close(resolve)));

    it('says which setting to change', async () => {
      const api = await smista(['start'], { ...env, PORT: port });
      const partners = await smista(['start'], { ...env, SANDBOX: 'true', SANDBOX_PORT: port });
      const alone = await smista(['sandbox', '--port', port], env);

      expectMistake(api, `Port ${port} is in use: set PORT to another one`);
      expectMistake(partners, `Port ${port} is in use: set SANDBOX_PORT to another one`);
      expectMistake(alone, `Port ${port} is in use`);
    });
  });

  describe('applying a file', () => {
    const company = [
      'companies:',
      '  - key: shop',
      '    name: Shop',
      '    connections:',
      '      - key: web',
      '        label: Web',
      '        marketplace: woocommerce',
      '        account: { url: "https://shop.example", consumerKey: ck_secret, consumerSecret: cs_secret }',
    ].join('\n');

    it('tells what it did, once', async () => {
      const where = file('company.yaml', company);

      const [first, second] = [await smista(['apply', where], env), await smista(['apply', where], env)];

      expect(first).toMatchObject({ code: 0, stderr: '' });
      expect(first.stdout).toBe('created   company shop\ncreated   company shop connection web\n');
      expect(second.stdout).toBe('unchanged company shop\nunchanged company shop connection web\n');
    });

    it.each([
      ['is not there', null, /nowhere\.yaml cannot be read: .*no such file/],
      ['is no YAML', 'companies: [', /cannot be read:\n.*wrong\.yaml:1:13 /],
      [
        'has a field nobody knows',
        company.replace('name:', 'nmae:'),
        /wrong\.yaml:3:5 companies\[0\]\.nmae: is not a known field; did you mean name\?/,
      ],
      ['has an account without keys', company.replace('consumerKey: ck_secret, ', ''), /account\.consumerKey/],
    ])('refuses one that %s', async (_what, text, message) => {
      const where = text === null ? path.join(directory, 'nowhere.yaml') : file('wrong.yaml', text);

      const result = await smista(['apply', where], env);

      expectMistake(result, message);
      expect(result.stderr).not.toContain('cs_secret');
    });
  });

  it('makes, lists and revokes keys', async () => {
    await smista(['apply', file('keys.yaml', 'companies: [{ key: keys, name: Keys }]')], env);

    const made = await smista(['key', 'create', 'keys', '--name', 'till'], env);
    const old = await smista(['key', 'create', 'keys', '--expires', '2020-01-01'], env);
    const unknown = await smista(['key', 'create', 'nobody'], env);
    const listed = await smista(['key', 'list', 'keys'], env);
    const [id = ''] = /^\s*\d+(?= {2}keys .*till)/m.exec(listed.stdout) ?? [];
    const revoked = await smista(['key', 'revoke', id.trim()], env);
    const after = await smista(['key', 'list', 'keys'], env);

    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^smista_[\w-]{43}\n$/) });
    expect(old.code).toBe(0);
    expectMistake(unknown, 'There is no company nobody');
    expect(listed.stdout).toContain(`${made.stdout.slice(0, 12)}…  valid  till  *  never used`);
    expect(listed.stdout).toContain('expired  api  *');
    expect(listed.stdout).not.toContain(made.stdout.trim());
    expect(revoked).toMatchObject({ code: 0, stdout: `Key ${id.trim()} is revoked.\n` });
    expect(after.stdout).toContain('revoked  till');
  });
});
