import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/lib/errors.ts';
import { type WhatIfQuestion, whatIf } from '../../src/usecases/quotes/what-if.ts';
import { addCompany, demoContract, type SecondCompany } from '../api/second-company.ts';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { type CommandResult, smista } from './run-command.ts';

const brackets = (price: number) => [{ upToGrams: 5000, price }];
const zone = (code: string, name: string, match: object, [sale, purchase]: [number, number]) => ({
  code,
  name,
  match,
  sale: { brackets: brackets(sale) },
  purchase: { brackets: brackets(purchase) },
});
const SATURDAY = { id: 1, code: 'SATURDAY', name: 'Sabato', kind: 'fixed' };

const TARIFFS = [
  {
    key: 'a',
    name: 'A',
    zones: [
      zone('ISOLE', 'Isole', { areas: ['ISLANDS'] }, [12, 8]),
      zone('IT', 'Italia', { countries: ['IT'] }, [7, 5]),
    ],
    options: [{ ...SATURDAY, price: 3, carrierCodes: ['07'] }],
  },
  {
    key: 'b',
    name: 'B',
    zones: [zone('IT', 'Tutta Italia', { countries: ['IT'] }, [8, 4])],
    options: [{ ...SATURDAY, price: 1 }],
  },
  { key: 'b', name: 'B 2027', valid_from: '2027-01-01', zones: [zone('IT', 'Italia', { countries: ['IT'] }, [9, 6])] },
];

describe('smista quotes what-if', () => {
  let test: TestApp;
  let company: SecondCompany;
  let env: Record<string, string>;
  let directory: string;

  beforeAll(async () => {
    test = await startTestApp();
    directory = mkdtempSync(path.join(tmpdir(), 'smista-what-if-'));
    const { databaseUrl = '', dataDir } = test.app.config;
    env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, DATABASE_POOL: '2', QUEUE_POOL: '2' };
    const gls = demoContract(test);
    company = await addCompany(test, 'domani', {
      tariffs: TARIFFS,
      contracts: [
        { ...gls, key: 'now', tariff: 'a' },
        { ...gls, key: 'other', tariff: 'b', default: false, support_cod: false },
        { ...gls, key: 'bare', tariff: undefined, default: false },
      ],
    });
    await send('2026-09-30', {});
    await send('2026-10-01', {});
    await send('2026-10-31', { carrier_options: ['07'] });
    await send('2026-10-31', { shipping: { city: 'Palermo', province: 'PA', zip: '90133' } });
    await send('2026-10-15', { parcels: [{ weight_kg: 9 }] });
    await send('2026-10-15', { payment_method: 'COD', cod_amount: 10 });
    await send('2026-11-01', {});
  });
  afterAll(async () => {
    await test.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** A shipment made at noon of a day. */
  async function send(day: string, { shipping = {}, ...more }: Record<string, unknown> & { shipping?: object }) {
    const plain = buildOrder({ parcels: [{ weight_kg: 2 }] });
    const order = { ...plain, ...more, shipping: { ...(plain.shipping as object), ...shipping } };
    const { body } = await test.call('POST', '/orders', order, company.headers);
    const orderId: number = body.order.id;
    await test.call('POST', '/shipment/create', [{ orderId }], company.headers);
    await test.app.deps.orm.em
      .fork()
      .execute('update shipments set created_at = ?::timestamptz where order_id = ?', [`${day}T12:00:00Z`, orderId]);
  }

  const october = ['--company', 'domani', '--from', '2026-10-01', '--to', '2026-10-31', '--contract', 'other'];
  const run = (...args: string[]): Promise<CommandResult> => smista(['quotes', 'what-if', ...args], env);

  it('shows the difference by zone and month, and says what was left out and why', async () => {
    const file = path.join(directory, 'october.csv');

    const { code, stdout, stderr } = await run(...october, '--csv', file);

    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['MONTH', 'ZONE', 'SHIPMENTS', 'NOW', 'THEN', 'DIFFERENCE', 'PERCENT'],
      ['2026-10', 'Isole', '1', '12.00', '8.00', '-4.00', '-33.3'],
      ['2026-10', 'Italia', '2', '17.00', '17.00', '0.00', '0.0'],
      ['all', '3', '29.00', '25.00', '-4.00', '-13.8'],
      [''],
      ['Not compared:'],
      ['', '1', 'Now: Price list "A" has no price above 5 kg in zone IT: 9 kg count'],
      ['', '1', 'Then: the contract takes no cash on delivery'],
      [''],
    ]);
    expect(readFileSync(file, 'utf8')).toBe(
      'month,zone,shipments,now,then,difference,percent\n2026-10,Isole,1,12.00,8.00,-4.00,-33.3\n2026-10,Italia,2,17.00,17.00,0.00,0.0\n',
    );
  });

  const asked = (more: Partial<WhatIfQuestion> = {}) =>
    whatIf(test.app.deps, {
      companyKey: 'domani',
      from: '2026-10-01',
      to: '2026-10-31',
      contractKey: 'other',
      service: null,
      side: 'sale',
      pricesOf: null,
      ...more,
    });

  it('compares what carriers ask, and prices to come', async () => {
    const purchase = await asked({ side: 'purchase' });
    const next = await asked({ pricesOf: '2027-02-01' });

    expect(purchase.rows[0]).toMatchObject({ zone: 'Isole', nowCents: 800, otherCents: 400 });
    expect(next.rows[0]).toMatchObject({ zone: 'Isole', nowCents: 1200, otherCents: 900 });
    expect(next.left.map(({ reason }) => reason)).toContain(
      'Then: Price list "B 2027" has no option SATURDAY: add it, with price 0 if it costs nothing',
    );
  });

  it('counts days as the company does', async () => {
    const september = await asked({ from: '2026-09-01', to: '2026-09-30' });

    expect(september.total).toMatchObject({ shipments: 1, nowCents: 700, otherCents: 800 });
  });

  it.each<[Partial<WhatIfQuestion>, string]>([
    [{ companyKey: 'nobody' }, 'There is no company nobody'],
    [{ contractKey: 'nothing' }, 'There is no contract nothing'],
    [{ contractKey: 'bare' }, 'The contract bare has no price list'],
    [{ service: '22' }, 'The contract other has no tariff for 22'],
    [{ to: '2026-09-01' }, 'The period ends before it begins'],
  ])('says in a sentence what is wrong with %j', async (wrong, sentence) => {
    await expect(asked(wrong)).rejects.toThrow(new UsageError(sentence));
  });

  it('says what is wrong with an argument, and when there is nothing', async () => {
    const [wrong, nothing] = await Promise.all([
      run(...october, '--prices-of', '2026-02-31'),
      run('--company', 'domani', '--from', '2020-01-01', '--to', '2020-12-31', '--contract', 'other'),
    ]);

    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toContain('It must be YYYY-MM-DD');
    expect(nothing.stdout).toBe('There are no shipments in that time.\n');
  });
});
