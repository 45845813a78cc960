import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemEm } from '../../src/db/orm.ts';
import { sealAudit } from '../../src/usecases/audit/seal-audit.ts';
import { createUser } from '../../src/usecases/people/users.ts';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { type Environment, smista } from './run-command.ts';

describe('smista audit', { timeout: 170_000 }, () => {
  let test: TestApp;
  let env: Environment;

  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'] });
    const { config } = test.app;
    env = {
      DATABASE_URL: config.databaseUrl ?? '',
      DATA_DIR: config.dataDir,
      DATABASE_POOL: '4',
      QUEUE_POOL: '4',
    };
  });
  afterAll(() => test.stop());

  it('lists each command that writes, with what it touched and how it ended, and none that reads', async () => {
    const ada = await createUser(test.app.deps, {
      email: 'ada@example.com',
      name: 'Ada',
      role: 'viewer',
      companyKey: 'demo',
    });
    const { body } = await test.call('POST', '/orders', buildOrder());
    const orderId = body.order.id;
    const run = (...args: string[]) => smista(args, env);

    const created = await run('key', 'create', 'demo', '--name', 'Geheim');
    const done = [
      await run('key', 'revoke', '2'),
      await run('user', 'disable', 'ada@example.com'),
      await run('user', 'disable', 'noone@example.com'),
      await run('orders', 'edit', String(orderId), '--company', 'demo', '--name', 'Grace Hopper'),
      await run('orders', 'cancel', '987654'),
      await run('key', 'list'),
      await run('orders', 'import', 'README.md', '--company', 'demo', '--dry-run'),
    ];

    expect([created, ...done].map(({ code }) => code)).toEqual([0, 0, 0, 2, 0, 2, 0, 2]);
    const rows = JSON.parse((await run('audit', 'list', '--actor', 'cli', '--json')).stdout).toReversed();
    const shown = rows.map((row: Record<string, unknown>) => [row.operation, row.company, row.targets, row.code]);
    const key = expect.stringMatching(/^key:\d+$/);
    expect(shown).toEqual([
      ['key create', 'demo', [key], null],
      ['key revoke', 'demo', ['key:2'], null],
      ['user disable', 'demo', [`user:${ada.id}`], null],
      ['user disable', null, [], 'refused'],
      ['orders edit', 'demo', [`order:${orderId}`], null],
      ['orders cancel', null, ['order:987654'], 'refused'],
    ]);
    expect(rows[0]).toMatchObject({ actor: 'cli', channel: 'cli', address: null, status: null });
    expect(JSON.stringify(rows)).not.toMatch(/Geheim|Grace|example\.com|smista_/);

    const table = (await run('audit', 'list', '--company', 'demo', '--target', `user:${ada.id}`)).stdout;
    expect(table).toMatch(/^ID +AT +COMPANY +ACTOR[\s\S]*demo +cli +cli +- +user disable +ok +user:\d+\n$/);
    expect(await run('audit', 'list', '--company', 'nowhere')).toMatchObject({
      code: 2,
      stderr: 'There is no company nowhere\n',
    });
  });

  it('verifies the chain, and ends with 1 when it is broken or lacks an earlier head', async () => {
    await test.call('POST', '/orders', buildOrder());
    await test.call('POST', '/orders', buildOrder());
    await sealAudit(test.app.deps);
    await test.call('POST', '/orders', buildOrder());

    const whole = await smista(['audit', 'verify'], env);
    const head = /^Head: (\d+:\S+)$/m.exec(whole.stdout)?.[1] ?? '';
    const again = await smista(['audit', 'verify', '--head', head], env);
    const em = systemEm(test.app.deps.orm);
    await em.execute(
      `alter table audit_log disable trigger append_only; update audit_log set actor = 'key:7' where id = 2;
       alter table audit_log enable trigger append_only`,
    );
    const broken = await smista(['audit', 'verify'], env);

    expect(whole).toMatchObject({ code: 0, stderr: '' });
    expect(whole.stdout).toMatch(/^\d+ rows are sealed, 1 wait\.\nHead: \d+:[\w-]{43}\nThe chain is whole\.\n$/);
    expect(again).toEqual(whole);
    expect(broken).toMatchObject({ code: 1, stderr: 'The chain is broken: row 2 or its link 2 was changed.\n' });
    expect((await smista(['audit', 'verify', '--head', 'x'], env)).code).toBe(2);
  });
});
