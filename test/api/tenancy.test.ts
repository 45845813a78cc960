import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemEm } from '../../src/db/orm.ts';
import { buildOrder } from '../support/build-order.ts';
import { type Answer, startTestApp, type TestApp } from '../support/test-app.ts';
import { ATTEMPTS, type Own, type Targets } from './foreign-ids.ts';
import type { SecondCompany } from './second-company.ts';
import { createOrder, readOrder } from './ship-orders.ts';
import { addOtherCompany, everythingOf, FIRST_OF_OTHER, NOBODYS, PRODUCT_OF_OTHER } from './two-companies.ts';

const NO_PRODUCT = '0b8f2f6e-3a86-4d4a-9d0e-000000000000';

let test: TestApp;
let other: SecondCompany;
let targets: Targets;
let own: Own;

/** Status and body, without what differs between any two requests: the request id, and the id that was asked for. */
// biome-ignore lint/suspicious/noExplicitAny: any body may be compared
function comparable({ status, body }: Answer<any>, id: number | string): unknown {
  return { status, body: JSON.stringify({ ...body, requestId: '' }).replaceAll(String(id), 'ID') };
}

beforeAll(async () => {
  test = await startTestApp();
  ({ own, other, targets } = await addOtherCompany(test));
});
afterAll(() => test.stop());

describe('another company', () => {
  it.each(ATTEMPTS)('answers $name as if it did not exist, and stays as it is', async (attempt) => {
    const id = targets[attempt.target];
    const before = await everythingOf(test, other.companyId);

    const theirs = await test.call(attempt.method, attempt.path(id, own), attempt.body?.(id, own));
    const nobodys = await test.call(attempt.method, attempt.path(NOBODYS, own), attempt.body?.(NOBODYS, own));

    expect(id).toBeGreaterThan(FIRST_OF_OTHER);
    expect(theirs.status).toBe(attempt.status);
    expect(comparable(theirs, id)).toEqual(comparable(nobodys, NOBODYS));
    expect(await everythingOf(test, other.companyId)).toEqual(before);
  });

  it('keeps its products to itself, by id and by sku', async () => {
    const items = (item: object) => ({ items: [{ ...item, quantity: 1, price: 1 }] });
    const byId = await test.call('POST', '/orders', buildOrder(items({ product_id: PRODUCT_OF_OTHER, name: 'X' })));
    const unknown = await test.call('POST', '/orders', buildOrder(items({ product_id: NO_PRODUCT, name: 'X' })));
    const bySku = await test.call('POST', '/orders', buildOrder(items({ sku: 'SEGRETO-1' })));
    const own = await test.call('POST', '/orders', buildOrder(items({ sku: 'SEGRETO-1' })), other.headers);

    expect(byId.status).toBe(201);
    expect(byId.body.orderItems[0]).toMatchObject({ title: 'X', sku: '', companyProductId: PRODUCT_OF_OTHER });
    expect(byId.headers.get('x-product-doubts')).toBe(unknown.headers.get('x-product-doubts'));
    expect(bySku.body.orderItems[0]).toMatchObject({ title: 'SEGRETO-1', companyProductId: '' });
    expect(own.body.orderItems[0]).toMatchObject({ title: 'Prodotto segreto', companyProductId: PRODUCT_OF_OTHER });
  });

  it('is in no list of another company', async () => {
    const orders = await test.call('GET', '/orders?limit=1000');
    const byNumber = await test.call('GET', '/orders?orderNumber=SOLO-ALTRA');
    const byMarketplace = await test.call('GET', '/orders?marketplaceOrderId=1001');
    const beyond = await test.call('GET', `/orders?cursor=${NOBODYS}`);
    const manifests = await test.call('GET', '/bordero');
    const contracts = await test.call('GET', '/carriers/contracts');
    const connections = await test.call('GET', '/marketplace/connected');

    for (const { body } of [orders, beyond, contracts, connections]) {
      expect(body.length).toBeGreaterThan(0);
      expect(new Set(body.map((row: { companyId: string }) => row.companyId))).toEqual(
        new Set([String(test.demo.companyId)]),
      );
    }
    for (const { body } of [byNumber, byMarketplace, manifests]) expect(body).toEqual([]);
  });

  it('gets its own events and no others', async () => {
    const mine = await test.call('GET', '/events?limit=1000');
    const theirs = await test.call('GET', '/events?limit=1000', undefined, other.headers);
    const endpoints = await test.call('GET', '/event-endpoints');

    const owners = async (events: { data: { orderId: number } }[]) => {
      const ids = events.flatMap(({ data }) => data.orderId ?? []).join(',');
      const rows = await systemEm(test.app.deps.orm).execute<{ id: number }[]>(
        `select distinct company_id as id from orders where id = any(string_to_array(?, ',')::int[])`,
        [ids],
      );
      return rows.map((row) => row.id);
    };
    expect(await owners(mine.body)).toEqual([test.demo.companyId]);
    expect(await owners(theirs.body)).toEqual([other.companyId]);
    expect(endpoints.body).toEqual([]);
  });

  it('may use the same Idempotency-Key for something of its own', async () => {
    const key = { 'Idempotency-Key': 'una-chiave' };
    const mine = await test.call('POST', '/orders', buildOrder({ note: 'mio' }), key);
    const theirs = await test.call('POST', '/orders', buildOrder({ note: 'loro' }), { ...key, ...other.headers });
    const mineAgain = await test.call('POST', '/orders', buildOrder({ note: 'mio' }), key);

    expect([mine.status, theirs.status, mineAgain.status]).toEqual([201, 201, 201]);
    expect(theirs.headers.get('Idempotency-Replayed')).toBeNull();
    expect(theirs.body.order.companyId).toBe(String(other.companyId));
    expect(mineAgain.headers.get('Idempotency-Replayed')).toBe('true');
    expect(mineAgain.body).toEqual(mine.body);
  });

  it('may have an order of the same marketplace number and a bordero of the same number', async () => {
    const mine = await createOrder(test, { marketplace: { connection_id: test.connectionId, order_id: '1001' } });
    const bordero = await test.call('POST', '/bordero', {
      carrierId: test.carrierId,
      orderIds: [own.transmittedOrder],
    });
    const theirs = await test.call('GET', `/bordero/${targets.manifest}`, undefined, other.headers);

    expect((await readOrder(test, mine)).marketplace.orderId).toBe('1001');
    expect(bordero.body.manifestNumber).toBe(theirs.body.manifestNumber);
  });
});
