import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ruleCommands } from '../../src/cli/rules.ts';
import { addCompany, demoContract, type SecondCompany } from '../api/second-company.ts';
import { buildOrder } from '../support/build-order.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';
import type { CommandResult } from './run-command.ts';

const tariff = (key: string, price: number) => ({
  key,
  name: key,
  zones: [
    { code: 'IT', name: 'Italia', match: { countries: ['IT'] }, sale: { brackets: [{ upToGrams: 50_000, price }] } },
  ],
});

describe('smista rules try', () => {
  let test: TestApp;
  let company: SecondCompany;
  let directory: string;

  beforeAll(async () => {
    test = await startTestApp();
    directory = mkdtempSync(path.join(tmpdir(), 'smista-rules-'));
    const gls = demoContract(test);
    company = await addCompany(test, 'domani', {
      tariffs: [tariff('dear', 9), tariff('cheap', 4)],
      contracts: [
        { ...gls, key: 'first', tariff: 'dear' },
        { ...gls, key: 'second', tariff: 'cheap', default: false },
      ],
    });
    const { body: contracts } = await test.call('GET', '/carriers/contracts', undefined, company.headers);
    await send({}, 5);
    await send({ parcels: [{ weight_kg: 2 }] }, 3);
    await send({ parcels: [{ weight_kg: 30 }] }, 3);
    await send({ carrier_company_id: contracts[1].id, parcels: [{ weight_kg: 40 }] }, 1);
    await send({}, null);
  });
  afterAll(async () => {
    await test.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Ships an order, which arrives after a number of days; null: never. */
  async function send(overrides: Record<string, unknown>, days: number | null): Promise<void> {
    const { body } = await test.call('POST', '/orders', buildOrder(overrides), company.headers);
    await test.call('POST', '/shipment/create', [{ orderId: body.order.id }], company.headers);
    await database(test).execute(
      `update shipments set transmitted_at = now(), delivered_at = now() + make_interval(days => ?) where order_id = ?`,
      [days, body.order.id],
    );
  }

  const run = (...args: string[]): Promise<CommandResult> =>
    runInProcess(test.app, ruleCommands, ['rules', 'try', '--company', 'domani', '--side', 'sale', ...args]);
  const file = (text: string): string => {
    const name = path.join(directory, 'rules.yaml');
    writeFileSync(name, text);
    return name;
  };

  it('shows carriers, euros and days that shift under other rules', async () => {
    const rules = file(
      'rules:\n  - key: heavy\n    when: { weight_kg: { from: 20 } }\n    then: { contract: second }\n',
    );

    const { code, stdout } = await run('--last', '2d', '--file', rules);

    expect(code).toBe(0);
    const table = stdout.split('\n\n')[0] ?? '';
    expect(table.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['CONTRACT', 'SHIPMENTS', 'THEN', 'EUROS', 'THEN', 'DAYS', 'THEN'],
      ['first', '4', '3', '36.00', '27.00', '3.7', '3.7'],
      ['second', '1', '2', '4.00', '8.00', '1.0', '1.0'],
      ['all', '5', '5', '40.00', '35.00', '3.1', '2.6'],
    ]);
    expect(stdout).toMatch(/first +now +█+ 4\n +then +█+ 3/);
    expect(stdout).toMatch(/no rule matched +3\nrule heavy +2/);
    expect(stdout).toContain('1 of 5 shipments would have left under another contract.');
  });

  it('tries the rules in force when it is given no file, and says when nothing was sent', async () => {
    const inForce = await run();
    await database(test).execute(`update shipments set created_at = now() - interval '9 days'`);
    const nothing = await run('--last', '2');
    await database(test).execute('update shipments set created_at = now()');

    expect(inForce.stdout).toContain('0 of 5 shipments');
    expect(nothing.stdout.trim()).toBe('There are no shipments in that time.');
  });

  it('sends the shipments of a rule that is left out where orders without a rule go', async () => {
    const em = database(test);
    const inForce = [{ key: 'all', when: {}, then: { contract: 'first' } }];
    await em.execute(`update companies set shipping_rules = ?::jsonb where key = 'domani'`, [JSON.stringify(inForce)]);
    const toDefault = await run('--file', file('rules: []\n'));
    await em.execute(`update companies set default_contract_id = null where key = 'domani'`);
    const toCheapest = await run('--file', file('rules: []\n'));
    await em.execute(`update companies set shipping_rules = '[]' where key = 'domani'`);

    expect(toDefault.stdout).toContain('0 of 5 shipments would');
    expect(toCheapest.stdout).toContain('4 of 5 shipments would');
    expect(toCheapest.stdout).toMatch(/^second +1 +5 /m);
  });

  it('names the place of a fault in the file', async () => {
    const { code, stderr } = await run('--file', file('rules:\n  - key: a\n    when: { cod: maybe }\n    then: {}\n'));

    expect(code).toBe(2);
    expect(stderr).toMatch(/rules\.yaml:3:\d+ rules\[0\]\.when\.cod/);
    expect(stderr).toMatch(/rules\[0\]\.then: must say what to do/);
  });
});
