import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemEm } from '../../src/db/orm.ts';
import { buildOrder } from '../support/build-order.ts';
import { type Answer, startTestApp, type TestApp } from '../support/test-app.ts';
import { ATTEMPTS, type Own, type Targets } from './foreign-ids.ts';
import { addCompany, type SecondCompany } from './second-company.ts';
import { bookOrder, createOrder, readOrder, transmitOrder } from './ship-orders.ts';

const NOBODYS = 2_000_000_000;
/** Ids of the other company start here, so that none of them is part of another number in an answer. */
const FIRST_OF_OTHER = 700_000;
const PRODUCT = '0b8f2f6e-3a86-4d4a-9d0e-5b7f3c1a2d4e';
const NO_PRODUCT = '0b8f2f6e-3a86-4d4a-9d0e-000000000000';

let test: TestApp;
let other: SecondCompany;
let targets: Targets;
let own: Own;

async function raiseIds(): Promise<void> {
  for (const name of await companyTables()) {
    await systemEm(test.app.deps.orm).execute(`select setval(pg_get_serial_sequence(?, 'id'), ?)`, [
      name,
      FIRST_OF_OTHER,
    ]);
  }
}

async function companyTables(): Promise<string[]> {
  const tables = await systemEm(test.app.deps.orm).execute<{ name: string }[]>(
    `select table_name as name from information_schema.columns
      where column_name = 'company_id' and table_schema = 'public' order by 1`,
  );
  return tables.map((table) => table.name);
}

/** Everything the database holds for the other company. */
async function everythingOfOther(): Promise<Record<string, unknown>> {
  const em = systemEm(test.app.deps.orm);
  const dump: Record<string, unknown> = {};
  for (const name of await companyTables()) {
    dump[name] = await em.execute(
      `select row_to_json(t)::text as row from "${name}" t where company_id = ? order by t.id`,
      [other.companyId],
    );
  }
  return dump;
}

/** Status and body, without what differs between any two requests: the request id, and the id that was asked for. */
// biome-ignore lint/suspicious/noExplicitAny: any body may be compared
function comparable({ status, body }: Answer<any>, id: number | string): unknown {
  return { status, body: JSON.stringify({ ...body, requestId: '' }).replaceAll(String(id), 'ID') };
}

beforeAll(async () => {
  test = await startTestApp();
  own = {
    contract: test.contractId,
    carrier: test.carrierId,
    order: await createOrder(test),
    transmittedOrder: (await transmitOrder(test)).orderId,
  };
  await raiseIds();
  other = await addCompany(test, 'altra', {
    products: [{ id: PRODUCT, sku: 'SEGRETO-1', title: 'Prodotto segreto', weight_kg: 7 }],
  });
  const marketplace = { order_id: '1001', order_number: '1001' };
  const connections = await test.call('GET', '/marketplace/connected', undefined, other.headers);
  const contracts = await test.call('GET', '/carriers/contracts', undefined, other.headers);
  const connection = connections.body[0].id;
  const booked = await bookOrder(test, { marketplace: { ...marketplace, connection_id: connection } }, other.headers);
  const manifested = await transmitOrder(test, {}, other.headers);
  const orderIds = [manifested.orderId];
  const bordero = await test.call('POST', '/bordero', { carrierId: test.carrierId, orderIds }, other.headers);
  const [row] = await systemEm(test.app.deps.orm).execute<
    { warehouse: number; operation: number; exchange: number; document: number }[]
  >(
    `select (select max(id) from warehouses where company_id = ?) as warehouse,
            (select max(id) from operations where company_id = ?) as operation,
            (select max(id) from exchanges where company_id = ?) as exchange,
            (select max(id) from documents where company_id = ?) as document`,
    Array(4).fill(other.companyId),
  );
  const endpoint = await test.call('POST', '/event-endpoints', { url: 'https://altra.example/' }, other.headers);
  targets = {
    order: await createOrder(test, { order_number: 'SOLO-ALTRA' }, other.headers),
    booked: booked.shipmentId,
    bookedOrder: booked.orderId,
    transmittedOrder: (await transmitOrder(test, {}, other.headers)).orderId,
    manifest: bordero.body.manifestId,
    manifestedOrder: manifested.orderId,
    operation: row?.operation ?? 0,
    exchange: row?.exchange ?? 0,
    contract: contracts.body[0].id,
    connection,
    warehouse: row?.warehouse ?? 0,
    document: row?.document ?? 0,
    endpoint: endpoint.body.id,
  };
});
afterAll(() => test.stop());

describe('another company', () => {
  it.each(ATTEMPTS)('answers $name as if it did not exist, and stays as it is', async (attempt) => {
    const id = targets[attempt.target];
    const before = await everythingOfOther();

    const theirs = await test.call(attempt.method, attempt.path(id, own), attempt.body?.(id, own));
    const nobodys = await test.call(attempt.method, attempt.path(NOBODYS, own), attempt.body?.(NOBODYS, own));

    expect(id).toBeGreaterThan(FIRST_OF_OTHER);
    expect(theirs.status).toBe(attempt.status);
    expect(comparable(theirs, id)).toEqual(comparable(nobodys, NOBODYS));
    expect(await everythingOfOther()).toEqual(before);
  });

  it('keeps its products to itself, by id and by sku', async () => {
    const items = (item: object) => ({ items: [{ ...item, quantity: 1, price: 1 }] });
    const byId = await test.call('POST', '/orders', buildOrder(items({ product_id: PRODUCT, name: 'X' })));
    const unknown = await test.call('POST', '/orders', buildOrder(items({ product_id: NO_PRODUCT, name: 'X' })));
    const bySku = await test.call('POST', '/orders', buildOrder(items({ sku: 'SEGRETO-1' })));
    const own = await test.call('POST', '/orders', buildOrder(items({ sku: 'SEGRETO-1' })), other.headers);

    expect(byId.status).toBe(201);
    expect(byId.body.orderItems[0]).toMatchObject({ title: 'X', sku: '', companyProductId: PRODUCT });
    expect(byId.headers.get('x-product-doubts')).toBe(unknown.headers.get('x-product-doubts'));
    expect(bySku.body.orderItems[0]).toMatchObject({ title: 'SEGRETO-1', companyProductId: '' });
    expect(own.body.orderItems[0]).toMatchObject({ title: 'Prodotto segreto', companyProductId: PRODUCT });
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
