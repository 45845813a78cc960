import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/usecases/setup/api-keys.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany } from './second-company.ts';
import { createOrder } from './ship-orders.ts';

interface Row {
  contractLabel: string;
  province: string;
  shipments: number;
}

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.stop());

/** The demo company's zones; the first price is another one, one bracket is new, and one is gone. */
const PRICES = [
  'Peso;Italia;Sicilia, Sardegna e Calabria;Venezia laguna',
  'fino a 3 kg;7,20;8,90;14,90',
  'fino a 5 kg;8,10;10,00;20,00',
  'fino a 30 kg;14,90;19,90;29,00',
  'ogni 10 kg in più;4,00;5,50;-',
].join('\n');

function upload(
  text: string,
  query = '',
  { id = test.contractId, headers = {}, type = 'text/csv' }: { id?: number; headers?: object; type?: string } = {},
) {
  const path = `/carriers/contracts/${id}/price-list${query}`;
  return test.call('POST', path, text, { 'content-type': type, ...headers });
}

const preview = (text: string, query = '') => upload(text, `?dryRun=true${query}`);
const headOf = async () => (await test.call('GET', '/carriers/state')).body[0].tariff;

describe('the preview of a price list', () => {
  it('shows each price that is added, changed or removed, and writes nothing', async () => {
    const before = await headOf();
    const { status, body } = await preview(PRICES, '&from=2027-01-01');

    expect(status).toBe(200);
    expect(body).toMatchObject({
      carrierCompanyId: test.contractId,
      tariff: 'gls-2026',
      isDryRun: true,
      change: 'created',
      from: '2027-01-01',
      to: null,
      counts: { added: 3, changed: 1, removed: 2 },
      otherParts: [],
      problems: [],
      alsoUsedBy: [],
    });
    expect(body.digest).toMatch(/^[\w-]{43}$/);
    expect(body.changes).toContainEqual({
      ...{ change: 'changed', side: 'sale', zone: 'ITALIA', row: 'bracket', grams: 3000 },
      ...{ before: '6.90', after: '7.20' },
    });
    expect(body.changes).toContainEqual({
      ...{ change: 'removed', side: 'sale', zone: 'ISOLE', row: 'bracket', grams: 10_000 },
      ...{ before: '12.50', after: null },
    });
    expect(await headOf()).toEqual(before);
  });

  it('names the cells that cannot be taken, and says nothing of changes', async () => {
    const { status, body } = await preview('Peso;Italia\nfino a 3 kg;sette\nfino a 5 kg;8,10\n', '&from=2027-01-01');

    expect(status).toBe(200);
    expect(body).toMatchObject({ change: null, digest: null, changes: [] });
    expect(body.problems).toContainEqual({ place: 'CSV!B2', message: expect.stringContaining('sette') });
  });
});

describe('a price list that is used', () => {
  it('is what the preview showed; what changed meanwhile is refused; a repeat changes nothing', async () => {
    const shown = (await preview(PRICES, '&from=2027-02-01')).body;
    const other = await upload(PRICES.replace('7,20', '7,30'), '?from=2027-02-01');
    const late = await upload(PRICES, `?from=2027-02-01&digest=${shown.digest}`);
    const again = (await preview(PRICES, '&from=2027-02-01')).body;
    const used = await upload(PRICES, `?from=2027-02-01&digest=${again.digest}&name=Listino%20di%20febbraio`);
    const named = (await preview(PRICES, '&from=2027-02-01&name=Listino%20di%20febbraio')).body;
    const done = await upload(PRICES, `?from=2027-02-01&digest=${named.digest}&name=Listino%20di%20febbraio`);
    const repeated = await upload(PRICES, '?from=2027-02-01');

    expect(other.body).toMatchObject({ change: 'created', isDryRun: false });
    expect(late).toMatchObject({ status: 409, body: { code: 'preview-changed' } });
    expect(again).toMatchObject({ change: 'changed' });
    expect(again.changes).toMatchObject([{ before: '7.30', after: '7.20' }]);
    expect(used.status).toBe(409);
    expect(done.body).toMatchObject({ change: 'changed', name: 'Listino di febbraio' });
    expect(repeated.body).toMatchObject({ change: 'unchanged', counts: { added: 0, changed: 0, removed: 0 } });
    expect((await headOf()).next).toMatchObject({ name: 'Listino di febbraio', from: '2027-02-01' });
  });

  it('is refused as a whole with a problem, without a first day, or with a period that ends before it begins', async () => {
    const faulty = await upload('Peso;Italia\nfino a 3 kg;sette\nfino a 5 kg;8,10\n', '?from=2027-03-01');
    const undated = await upload(PRICES);
    const falling = await upload(PRICES, '?from=2027-03-02&to=2027-03-01');

    expect(faulty).toMatchObject({ status: 422, body: { code: 'rule-broken' } });
    expect(faulty.body.violations[0].message).toContain('sette');
    expect(undated.status).toBe(422);
    expect(undated.body.detail).toContain('2027-02-01');
    expect(falling).toMatchObject({ status: 422, body: { detail: 'The period ends before it begins' } });
  });

  it.each([
    ['a day that is none', '?from=2027-02-30', PRICES, 'text/csv', 400],
    ['a parameter that is none', '?form=2027-01-01', PRICES, 'text/csv', 400],
    ['a side that is none', '?side=both', PRICES, 'text/csv', 400],
    ['an empty file', '', '', 'text/csv', 400],
    ['a file that is no table', '', '%PDF-1.7', 'text/csv', 400],
    ['JSON', '', '{}', 'application/json', 415],
  ])('refuses %s', async (_name, query, text, type, status) => {
    expect((await upload(text, query, { type })).status).toBe(status);
  });

  it('needs its scope, a contract with a tariff, and one of the own company', async () => {
    const { key } = await createKey(test.app.deps, {
      companyKey: 'demo',
      name: 'read',
      expiresAt: null,
      scopes: ['partners:read', 'partners:write'],
    });
    const other = await addCompany(test, 'altra');
    const [foreign] = (await test.call('GET', '/carriers/state', undefined, other.headers)).body;
    const dhl = (await test.call('GET', '/carriers/state')).body[2].carrierCompanyId;

    expect((await upload(PRICES, '?dryRun=true', { headers: { 'x-api-key': key } })).status).toBe(403);
    expect((await upload(PRICES, '', { id: foreign.carrierCompanyId })).status).toBe(404);
    expect((await upload(PRICES, '', { id: 999_999 })).status).toBe(404);
    expect(await upload(PRICES, '', { id: dhl })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('no tariff') },
    });
  });
});

const SHIPPING = {
  full_name: 'Chiara Prova',
  address: 'Via Torino, 5',
  country_code: 'IT',
  phone: '0200000001',
};

describe('past shipments on a contract', () => {
  const day = () => new Date().toISOString().slice(0, 10);
  const whatIf = (query: string, id = test.contractId, headers = {}) =>
    test.call('GET', `/carriers/contracts/${id}/what-if?${query}`, undefined, headers);

  it('are summed by contract and province, at the prices of each list', async () => {
    for (const province of ['MI', 'MI', 'TO']) {
      const place =
        province === 'MI'
          ? { city: 'Milano', zip: '20123', province: 'MI' }
          : { city: 'Torino', zip: '10126', province: 'TO' };
      const orderId = await createOrder(test, { shipping: { ...SHIPPING, ...place } });
      await test.call('POST', '/shipment/create', [{ orderId }]);
    }
    const same = await whatIf(`from=${day()}&to=${day()}`);
    const later = await whatIf(`from=${day()}&to=${day()}&pricesOf=2027-02-01`);
    const brt = (await test.call('GET', '/carriers/state')).body[1].carrierCompanyId;
    const other = await whatIf(`from=${day()}&to=${day()}`, brt);

    expect(same.body).toMatchObject({ isCapped: false, left: [], total: { shipments: 3 } });
    expect(same.body.total.now).toBe(same.body.total.then);
    expect(same.body.rows.map((row: Row) => [row.contractLabel, row.province, row.shipments])).toEqual([
      ['GLS Bologna', 'MI', 2],
      ['GLS Bologna', 'TO', 1],
    ]);
    expect(Number(later.body.total.then)).not.toBe(Number(same.body.total.then));
    expect(other.body.total).toMatchObject({ shipments: 3, now: same.body.total.now });
    expect(other.body.total.then).not.toBe(other.body.total.now);
  });

  it('are asked for by a period of 31 days at most, of a contract with prices', async () => {
    const dhl = (await test.call('GET', '/carriers/state')).body[2].carrierCompanyId;

    expect((await whatIf('from=2026-10-01&to=2026-11-01')).status).toBe(400);
    expect((await whatIf('from=2026-11-02&to=2026-11-01')).status).toBe(400);
    expect((await whatIf('from=2026-11-01')).status).toBe(400);
    expect((await whatIf('from=2026-11-01&to=2026-11-30', dhl)).status).toBe(422);
    expect((await whatIf('from=2026-11-01&to=2026-11-30', 999_999)).status).toBe(404);
  });
});
