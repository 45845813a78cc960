import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Shipment } from '../../src/db/entities/index.ts';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database, readOrderRow } from '../usecases/engine.ts';

let test: TestApp;
let contracts: { id: number; label: string; carrier: { code: string } }[];

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
  contracts = (await test.call('GET', '/carriers/contracts')).body;
});
afterEach(() => put([]));
afterAll(() => test.stop());

const put = (rules: unknown) => test.call('PUT', '/rules', { rules });
const contractOf = (code: string): number => contracts.find(({ carrier }) => carrier.code === code)?.id ?? 0;
const keyOf = async (code: string): Promise<string> => {
  const [row] = await database(test).execute<{ key: string }[]>('select key from contracts where id = ?', [
    contractOf(code),
  ]);
  return row?.key ?? '';
};

async function order(overrides: Record<string, unknown> = {}): Promise<number> {
  return (await test.call('POST', '/orders', buildOrder(overrides))).body.order.id;
}

async function shippedWith(orderId: number): Promise<{ contractId: number; options: string[] } | string> {
  const { body } = await test.call('POST', '/shipment/create', [{ orderId }], { prefer: 'respond-async' });
  const [error] = body.details.errors;
  if (error) return error.message;
  const { contractId, options } = await database(test).findOneOrFail(Shipment, { orderId });
  return { contractId, options };
}

describe('shipping rules', () => {
  it('choose the contract of the first rule that matches, and say so', async () => {
    const [gls, brt] = [await keyOf('gls-it'), await keyOf('brt')];
    await put([
      { key: 'heavy', when: { weight_kg: { from: 20 } }, then: { contract: gls } },
      { key: 'milan', when: { province: ['Milano'] }, then: { contract: brt } },
      { key: 'all', then: { contract: gls } },
    ]);
    const id = await order();

    const explained = await test.call('GET', `/orders/${id}/carrier-choice`);

    expect(explained.body).toMatchObject({ carrierCompanyId: contractOf('brt'), decidedBy: 'rule', rule: 'milan' });
    expect(explained.body.rules.map(({ isMatch }: { isMatch: boolean }) => isMatch)).toEqual([false, true, true]);
    expect(explained.body.rules[0].mismatches[0]).toContain('is not 20 or more');
    expect(await shippedWith(id)).toMatchObject({ contractId: contractOf('brt') });
  });

  it('yield to a contract that the order or the request names', async () => {
    await put([{ key: 'all', then: { contract: await keyOf('brt') } }]);
    const named = await order({ carrier_company_id: contractOf('gls-it') });
    const asked = await order();

    await test.call('POST', '/shipment/create', [{ orderId: asked, carrierCompanyId: contractOf('gls-it') }], {
      prefer: 'respond-async',
    });

    expect(await shippedWith(named)).toMatchObject({ contractId: contractOf('gls-it') });
    expect((await database(test).findOneOrFail(Shipment, { orderId: asked })).contractId).toBe(contractOf('gls-it'));
  });

  it('add options, and the warehouse of an order that names none', async () => {
    const key = 'rule-warehouse';
    const place = { address: 'Via Uno 1', city: 'Modena', zip: '41121', province: 'MO' };
    const { companyId } = await readOrderRow(test, await order());
    const [warehouse] = await database(test).execute<{ id: number }[]>(
      `insert into warehouses (company_id, key, name, address, city, zip, province) values (?, ?, 'Due', ?, ?, ?, ?) returning id`,
      [companyId, key, place.address, place.city, place.zip, place.province],
    );
    await put([{ key: 'all', then: { contract: await keyOf('brt'), options: ['SATURDAY'], warehouse: key } }]);
    const id = await order();

    const { options } = (await shippedWith(id)) as { options: string[] };

    expect(options).toContain('SATURDAY');
    expect((await readOrderRow(test, id)).warehouseId).toBe(warehouse?.id);
  });

  it('refuse an order whose chosen contract cannot take it, and name the rule', async () => {
    const key = await keyOf('gls-it');
    await put([{ key: 'mistake', then: { contract: key } }]);
    await database(test).execute('update contracts set support_cod = false where id = ?', [contractOf('gls-it')]);
    const id = await order({ payment_method: 'COD', cod_amount: 20 });

    const said = await shippedWith(id);
    await database(test).execute('update contracts set support_cod = true where id = ?', [contractOf('gls-it')]);

    expect(said).toMatch(/^Rule mistake: .*cash on delivery/);
  });

  it('are refused with pointers when they name what is not there, or cannot be read', async () => {
    const absent = await put([
      { key: 'one', then: { contract: 'nowhere' } },
      { key: 'two', when: { warehouse: ['nowhere'] }, then: { warehouse: 'nowhere' } },
    ]);
    const odd = await put([{ key: 'Big Key', when: { weight_kg: { from: 5, to: 1 } }, then: {} }]);

    expect(absent.status).toBe(422);
    expect(absent.body.violations.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/rules/0/then/contract',
      '/rules/1/then/warehouse',
      '/rules/1/when/warehouse/0',
    ]);
    expect(odd.status).toBe(400);
    expect(odd.body.violations.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      expect.arrayContaining(['/rules/0/key', '/rules/0/when/weight_kg/to', '/rules/0/then']),
    );
    expect((await test.call('GET', '/rules')).body).toEqual({ rules: [] });
  });
});
