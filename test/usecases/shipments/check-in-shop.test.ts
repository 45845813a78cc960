import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Connection, Order } from '../../../src/db/entities/index.ts';
import { authorize } from '../../../src/marketplaces/woocommerce/auth.ts';
import { importOneOrder, importOrders } from '../../../src/usecases/marketplaces/import-orders.ts';
import { sendToMarketplace } from '../../../src/usecases/marketplaces/send-to-marketplace.ts';
import { bookShipment } from '../../../src/usecases/shipments/book-shipment.ts';
import { sweep } from '../../../src/usecases/upkeep/sweep.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import {
  database,
  jobContext,
  lastItem,
  type OrderedShipment,
  orderShipment,
  readExchanges,
  readOrderRow,
  readShipment,
  recordingDeps,
} from '../engine.ts';

const LINE = { name: 'Tazza', sku: 'MUG-01', quantity: 2, total: '20.49', total_tax: '4.51' };
const ADDRESS = {
  first_name: 'Chiara',
  last_name: 'Prova',
  address_1: 'Via Torino, 5',
  city: 'Milano',
  state: 'MI',
  postcode: '20123',
  country: 'IT',
};

let test: TestApp;
/** The clock is ahead: what was imported is old enough to be looked at again. */
let later: ReturnType<typeof recordingDeps>['deps'];

beforeAll(async () => {
  // No worker: each test is the worker.
  test = await startTestApp({ roles: ['api'] });
  later = recordingDeps(test, 5).deps;
});
afterEach(() => test.clearFaults());
afterAll(() => test.stop());

async function buyInShop(fields: Record<string, unknown> = {}): Promise<string> {
  const sold = { billing: ADDRESS, shipping: ADDRESS, total: '25.00', total_tax: '4.51', line_items: [LINE] };
  const response = await fetch(`${test.app.sandboxUrl}/woocommerce/_seed/orders`, {
    method: 'POST',
    body: JSON.stringify({ ...sold, ...fields }),
  });
  return String(((await response.json()) as { id: number }).id);
}

async function inShop(method: 'PUT' | 'DELETE', path: string, body?: object): Promise<void> {
  const account = { url: '', consumerKey: 'ck_sandbox', consumerSecret: 'cs_sandbox' };
  const url = `${test.app.sandboxUrl}/woocommerce/wp-json/wc/v3/orders/${path}`;
  const signed = authorize(account, { method, url, now: new Date() });
  const response = await fetch(signed.url, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`The shop refused: ${await response.text()}`);
}

async function shipmentOf(externalId: string): Promise<OrderedShipment> {
  const marketplace = { connection_id: test.connectionId, order_id: externalId, order_number: externalId };
  return orderShipment(test, { overrides: { marketplace } });
}

function book({ shipmentId }: OrderedShipment): Promise<void> {
  return bookShipment(later, { shipmentId, ...jobContext() });
}

async function countLooks(): Promise<number> {
  const operations = (await readExchanges(test)).map(({ row }) => row.operation);
  return operations.filter((operation) => operation === 'orders.list' || operation === 'orders.get').length;
}

describe('an imported order, just before its label is bought', () => {
  it.each([
    ['cancelled', (id: string) => inShop('PUT', id, { status: 'cancelled' }), 'The marketplace cancelled the order'],
    ['put into the trash', (id: string) => inShop('DELETE', id), 'The marketplace cancelled the order'],
    ['deleted for good', (id: string) => inShop('DELETE', `${id}?force=true`), 'no longer has the order'],
  ])('is not shipped when it was %s in the shop', async (_what, change, reason) => {
    const externalId = await buyInShop();
    const shipment = await shipmentOf(externalId);
    await change(externalId);

    await book(shipment);

    expect(await test.ledger('gls-it', shipment.reference)).toBeUndefined();
    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({ processStatus: 'cancelled' });
    expect(await readOrderRow(test, shipment.orderId)).toMatchObject({
      status: 'cancelled',
      error: expect.stringContaining(reason),
    });
    expect(await lastItem(test, shipment.orderId)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining(reason),
    });
  });

  it('is asked about together with the others of its shop', async () => {
    const shipments: OrderedShipment[] = [];
    for (let at = 0; at < 5; at++) shipments.push(await shipmentOf(await buyInShop()));
    const before = await countLooks();
    // While the first question is under way, the others come together.
    await test.fault('woocommerce', 'orders.list', 'delay', 5);

    await Promise.all(shipments.map(book));

    expect((await countLooks()) - before).toBeLessThan(3);
    for (const { shipmentId } of shipments) {
      expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'created' });
    }
  });

  it('is shipped without the word of a shop that is away', async () => {
    const shipment = await shipmentOf(await buyInShop());
    const next = await shipmentOf(await buyInShop());
    await test.fault('woocommerce', 'orders.list', 'status-503');

    await book(shipment);
    const looks = await countLooks();
    await book(next);

    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({ processStatus: 'created' });
    expect(await readShipment(test, next.shipmentId)).toMatchObject({ processStatus: 'created' });
    // Left alone for a minute: what others wait for must not wait for this shop.
    expect(await countLooks()).toBe(looks);
  });

  it('is not looked at where the connection does not want it, nor right after its import', async () => {
    const em = database(test);
    const fresh = await shipmentOf(await buyInShop());
    const before = await countLooks();
    await bookShipment(recordingDeps(test).deps, { shipmentId: fresh.shipmentId, ...jobContext() });
    await em.nativeUpdate(Connection, { id: test.connectionId }, { checkBeforeLabel: false });
    const unwanted = await shipmentOf(await buyInShop());
    await book(unwanted);
    await em.nativeUpdate(Connection, { id: test.connectionId }, { checkBeforeLabel: true });

    expect(await countLooks()).toBe(before);
  });
});

describe('an order that its shop deleted', () => {
  it('is cancelled here when the shop hints at it', async () => {
    const externalId = await buyInShop();
    const { deps } = recordingDeps(test);
    await importOneOrder(deps, { connectionId: test.connectionId, externalId, ...jobContext() });
    await inShop('DELETE', `${externalId}?force=true`);

    await importOneOrder(deps, { connectionId: test.connectionId, externalId, ...jobContext() });

    expect(await database(test).findOne(Order, { externalOrderId: externalId })).toMatchObject({
      status: 'cancelled',
      error: 'The marketplace no longer has the order',
    });
  });
});

describe('an order whose import found problems', () => {
  it('names the next step, and is shipped when a person decides so', async () => {
    const date_modified_gmt = new Date(Date.now() - 60_000).toISOString();
    const externalId = await buyInShop({ status: 'on-hold', date_modified_gmt });
    await importOrders(recordingDeps(test).deps, { connectionId: test.connectionId, ...jobContext() });
    const { id: orderId } = await database(test).findOneOrFail(Order, { externalOrderId: externalId });

    const refused = await test.call('POST', '/shipment/create', [{ orderId }], { prefer: 'respond-async' });
    const wanted = await test.call('POST', '/shipment/create', [{ orderId, shipAnyway: true }], {
      prefer: 'respond-async',
    });

    expect(refused.body.details.errors[0].message).toContain('"shipAnyway": true');
    expect(wanted.body.details.errors).toEqual([]);
  });
});

describe('a shop in maintenance', () => {
  it('is told once it is back, without a person', async () => {
    const externalId = await buyInShop();
    const shipment = await shipmentOf(externalId);
    await book(shipment);
    await test.call('POST', `/orders/${shipment.orderId}/send-to-marketplace`, undefined, { prefer: 'respond-async' });
    const { id: itemId } = await lastItem(test, shipment.orderId);
    await test.fault('woocommerce', '*', 'status-503', 9);
    await sendToMarketplace(later, { itemId, ...jobContext({ isLastTry: true }) }).catch(() => undefined);
    await test.clearFaults();
    expect(await lastItem(test, shipment.orderId)).toMatchObject({ status: 'failed' });
    await database(test).execute(
      `update operation_items set settled_at = now() - interval '6 minutes', updated_at = now() - interval '6 minutes' where id = ?`,
      [itemId],
    );
    await sweep(recordingDeps(test).deps);

    await sendToMarketplace(later, { itemId, ...jobContext() });

    expect(await lastItem(test, shipment.orderId)).toMatchObject({ status: 'succeeded' });
    expect(await test.ledger('woocommerce', externalId)).toMatchObject({ confirmed: 1 });
  });

  it('is asked about a few of many failed confirmations at a time', async () => {
    const em = database(test);
    const shipment = await shipmentOf(await buyInShop());
    await book(shipment);
    await test.call('POST', `/orders/${shipment.orderId}/send-to-marketplace`, undefined, { prefer: 'respond-async' });
    const { id } = await lastItem(test, shipment.orderId);
    // As if as many orders had failed: the same shipment under other orders.
    await em.execute(
      `insert into operation_items (company_id, operation_id, kind, order_id, shipment_id, connection_id, status, failure_kind, settled_at)
       select company_id, operation_id, kind, 1000000 + n, shipment_id, connection_id, 'failed', 'retryable', now() - interval '6 minutes'
         from operation_items cross join generate_series(1, 30) n where id = ?`,
      [id],
    );
    await em.execute(`update operation_items set status = 'failed', failure_kind = 'permanent' where id = ?`, [id]);

    await sweep(recordingDeps(test).deps);
    await sweep(recordingDeps(test).deps);

    const [row] = await em.execute<{ open: number }[]>(
      `select count(*)::int as open from operation_items where kind = 'send' and status = 'pending' and order_id > 1000000`,
    );
    expect(row?.open).toBe(10);
  });
});
