import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createUser } from '../../src/usecases/people/users.ts';
import { createKey } from '../../src/usecases/setup/api-keys.ts';
import { addCompany } from '../api/second-company.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { type CommandResult, type Environment, smista } from './run-command.ts';

const FAULTY = [
  'companies:',
  '  - key: My Company',
  '    nmae: Shop',
  '    postal_code: 00123',
  '    contracts:',
  '      - key: gls',
  '        label: GLS',
  '        carrier: gls-it',
  '        account: { sedeGls: YAX, codiceClienteGls: 012345, passwordClienteGls: 00987, codiceContrattoGls: 0001 }',
  '    settings: { default_parcel: { weight_kg: x } }',
].join('\n');

describe('apply and export with --url', { timeout: 120_000 }, () => {
  let test: TestApp;
  let directory: string;
  /** The settings of commands on the database of the service. */
  let here: Environment;
  /** The settings of commands that know its address alone. */
  let elsewhere: Environment;

  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'] });
    directory = mkdtempSync(path.join(tmpdir(), 'smista-at-service-'));
    const { databaseUrl = '', dataDir } = test.app.config;
    here = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
    elsewhere = { DATA_DIR: directory, SMISTA_TOKEN: await installationSession() };
  });
  afterAll(async () => {
    await test.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Logs an admin of the installation in; returns the token of the session. */
  async function installationSession(): Promise<string> {
    const email = 'ops@example.com';
    const { password } = await createUser(test.app.deps, { email, name: '', role: 'admin', companyKey: null });
    const answer = await fetch(`${test.app.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: test.app.url },
      body: JSON.stringify({ email, password }),
    });
    return /smista_session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? '';
  }

  function file(name: string, text: string): string {
    const where = path.join(directory, name);
    writeFileSync(where, text);
    return where;
  }
  const there = (args: string[], env: Environment = {}): Promise<CommandResult> =>
    smista([...args, '--url', `${test.app.url}/`], { ...elsewhere, ...env });

  it('say the same as beside the database, in the same lines and with the same exit codes', async () => {
    const fresh = file(
      'fresh.yaml',
      stringify({ companies: [{ key: 'fresh', name: 'Fresh', products: [{ sku: 'A', title: 'A' }] }] }),
    );
    const commands = [
      ['apply', '--dry-run', fresh],
      ['apply', file('faulty.yaml', FAULTY)],
      ['apply', file('no-yaml.yaml', 'companies:\n  - key: "open\n')],
      ['apply', file('list.yaml', '[1, 2]')],
      ['apply', file('placeholder.yaml', 'companies: [{ key: fresh, name: COMPANY NAME S.r.l. }]')],
      ['export', 'demo'],
      ['export', 'nowhere'],
    ];

    for (const command of commands) expect(await there(command)).toEqual(await smista(command, here));
    const applied = await there(['apply', fresh]);
    const again = await smista(['apply', fresh], here);

    expect(applied).toEqual({
      code: 0,
      stdout: 'created   company fresh\ncreated   company fresh product A\nnot in the file, left alone: company demo\n',
      stderr: '',
    });
    expect(again.stdout).toBe(applied.stdout.replaceAll('created  ', 'unchanged'));
  });

  it('are noticed by the service at once, also when another process applies', async () => {
    const limits = async () => (await test.call('GET', '/limits')).body.concurrentRequests.limit;
    const declare = (limit: number) =>
      file(
        `${limit}.yaml`,
        stringify({ companies: [{ key: 'demo', name: 'Demo', settings: { limits: { concurrent_requests: limit } } }] }),
      );
    await limits();

    await smista(['apply', declare(11)], here);
    const beside = await test.until(limits, (limit) => limit === 11);
    await there(['apply', declare(12)]);
    const inside = await test.until(limits, (limit) => limit === 12);

    expect([beside, inside]).toEqual([11, 12]);
  });

  it('set up one company with its own key, and name every other company and the limits', async () => {
    await addCompany(test, 'altra');
    const { key } = await createKey(test.app.deps, {
      companyKey: 'altra',
      name: 'ci',
      expiresAt: null,
      scopes: ['admin'],
    });
    const tokenFile = { SMISTA_TOKEN: '', SMISTA_TOKEN_FILE: file('token', `${key}\n`) };
    const where = file(
      'two.yaml',
      'companies:\n  - { key: altra, name: Altra, settings: { limits: { points_per_minute: 9 } } }\n  - { key: demo, name: 3 }',
    );
    const own = file('own.yaml', 'companies: [{ key: altra, name: Altra, phone: "051" }]');

    const refused = await there(['apply', where], tokenFile);
    const applied = await there(['apply', own], tokenFile);
    const exported = await there(['export'], tokenFile);
    const foreign = await there(['export', 'demo'], tokenFile);

    expect(refused).toEqual({
      code: 2,
      stdout: '',
      stderr: [
        `${where} is not right:`,
        `${where}:2:52 companies[0].settings.limits: are up to an admin of the installation`,
        `${where}:3:12 companies[1].key: demo is up to an admin of the installation; you set up altra`,
        `${where}:3:24 companies[1].name: must be text, not a number; quote it: "3"\n`,
      ].join('\n'),
    });
    expect(applied.stdout).toContain('changed   company altra (name, phone)\n');
    expect(applied.stdout).not.toContain('demo');
    expect(exported.stdout.match(/^ {2}- key: .*$/gm)).toEqual(['  - key: altra']);
    expect(foreign).toEqual({ code: 2, stdout: '', stderr: 'There is no company demo\n' });
  });

  it('end with 2 without a right key, and with 1 without a service', async () => {
    const small = file('small.yaml', 'companies: [{ key: demo, name: Demo }]');

    const answers = [
      await there(['apply', small], { SMISTA_TOKEN: '' }),
      await there(['apply', small], { SMISTA_TOKEN: 'wrong' }),
      await there(['apply', small], { SMISTA_TOKEN: test.demo.apiKey }),
      await smista(['export', '--url', 'smista.example.com'], elsewhere),
      await smista(['export', '--url', 'http://127.0.0.1:1'], elsewhere),
    ];

    expect(answers.map(({ code, stderr }) => [code, stderr.trimEnd()])).toEqual([
      [2, 'Set SMISTA_TOKEN, or SMISTA_TOKEN_FILE, to an API key with the scope admin'],
      [2, 'The header x-api-key must hold a valid key'],
      [2, 'This needs a key with the scope admin, or a person with the role admin'],
      [2, 'smista.example.com is no address of a service: use one such as https://smista.example.com'],
      [1, expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 cannot be reached: /)],
    ]);
  });
});
