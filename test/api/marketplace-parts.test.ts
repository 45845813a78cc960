import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Connection, OperationItem, Order, OrderItem, OrderPart } from '../../src/db/entities/index.ts';
import { importOrders } from '../../src/usecases/marketplaces/import-orders.ts';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database, jobContext, readExchanges } from '../usecases/engine.ts';
import { ACCOUNTS, SHOPIFY_ADDRESS, WRITES } from './marketplace-accounts.ts';

/** All that confirm each part on its own. */
const EACH = ['amazon', 'ebay', 'kaufland', 'magento', 'mirakl', 'shopify'];
const NAMES = [...EACH, 'prestashop'];

let test: TestApp;
const contracts = new Map<string, number>();

beforeAll(async () => {
  const queues = ['carrier-brt', 'carrier-gls-it', ...NAMES.map((name) => `marketplace-${name}`)];
  test = await startTestApp({ queues });
  const connections = NAMES.map((marketplace) => ({
    key: marketplace,
    label: marketplace,
    marketplace,
    account: {
      ...ACCOUNTS[marketplace]?.(`${test.app.sandboxUrl}/${marketplace}`),
      ...(marketplace === 'mirakl' ? { multipleShipments: true } : {}),
    },
    import_orders: true,
  }));
  const company = { key: 'demo', name: 'Bottega Aurora S.r.l.', connections };
  await apply(test.app.deps, ApplyDocument.parse({ companies: [company] }));
  await test.app.workers?.refresh();
  for (const { id, carrier } of (await test.call('GET', '/carriers/contracts')).body) contracts.set(carrier.code, id);
});
afterEach(() => test.clearFaults());
afterAll(() => test.stop());

/** An order of Shopify that leaves from one place, unlike the one of two pieces that its sandbox begins with. */
const SOLD = {
  email: 'ada.colombini@example.com',
  billingAddress: SHOPIFY_ADDRESS,
  shippingAddress: SHOPIFY_ADDRESS,
  lineItems: [
    { name: 'Piatto fondo', sku: 'PIA-F', quantity: 3, unitPrice: '7.50' },
    { name: 'Tazza', sku: 'TAZ-1', quantity: 1, unitPrice: '12.00' },
  ],
};

interface Divided {
  order: Order;
  partIds: number[];
  /** External line and quantity of the first part. */
  line: { externalLineId: string | null; quantity: number };
}

/** An imported order of at least two pieces, of which one travels apart. */
async function divided(marketplace: string): Promise<Divided> {
  const em = database(test);
  const connection = await em.findOneOrFail(Connection, { key: marketplace });
  if (marketplace === 'shopify') {
    await fetch(`${test.app.sandboxUrl}/shopify/_seed/orders`, { method: 'POST', body: JSON.stringify(SOLD) });
  }
  // Skips the platform's pause between two imports.
  await em.execute('delete from partner_budgets');
  await importOrders(test.app.deps, { connectionId: connection.id, ...jobContext() });
  for (const order of await em.find(
    Order,
    { connectionId: connection.id, status: 'pending' },
    { orderBy: { id: 'desc' } },
  )) {
    const items = await em.find(OrderItem, { orderId: order.id }, { orderBy: { position: 'asc' } });
    const [item] = items;
    if (!item || order.problems.length > 0 || items.reduce((sum, { quantity }) => sum + quantity, 0) < 2) continue;
    const parts = [{ lines: [{ itemId: item.id, quantity: 1 }] }];
    const { body } = await test.call('POST', `/orders/${order.id}/split`, { parts });
    return {
      order,
      partIds: body.parts.map(({ id }: { id: number }) => id),
      line: { externalLineId: item.externalLineId, quantity: 1 },
    };
  }
  throw new Error(`${marketplace} has no order of two pieces`);
}

async function ship(order: Order, partId: number | undefined, carrier: string): Promise<string> {
  const element = { orderId: order.id, partId, carrierCompanyId: contracts.get(carrier) };
  const { body } = await test.call('POST', '/shipment/create', [element]);
  if (!body.success) throw new Error(JSON.stringify(body));
  return body.details.shipments[0].trackingNumber;
}

const send = (order: Order) => test.call('POST', `/orders/${order.id}/send-to-marketplace`);

const told = async (marketplace: string, order: Order) =>
  (await test.ledger(marketplace, order.externalOrderNumber ?? ''))?.trackingNumbers.map((one) => one.toUpperCase());

describe.each(EACH)('a split order of %s', (marketplace) => {
  it('is confirmed part by part, each once, also when asked again and when an answer is lost', async () => {
    const { order, partIds } = await divided(marketplace);
    const first = await ship(order, partIds[0], 'brt');
    const one = await send(order);
    const afterOne = await told(marketplace, order);
    const second = await ship(order, partIds[1], 'brt');
    await test.fault(marketplace, WRITES[marketplace] ?? '*', 'accept-then-500');

    const two = await send(order);
    await test.clearFaults();
    const again = await send(order);

    expect(one.body).toMatchObject({ Result: 'OK', TrackingNumber: first });
    expect(afterOne).toHaveLength(1);
    expect(two.body).toMatchObject({ Result: 'OK', TrackingNumber: second });
    expect(again.body).toMatchObject({ Result: 'OK', parts: [{ TrackingNumber: first }, { TrackingNumber: second }] });
    expect((await told(marketplace, order))?.toSorted()).toEqual([first, second].toSorted());
  });
});

it('a split order of Shopify names the lines and the carrier of each part', async () => {
  const { order, partIds, line } = await divided('shopify');
  const first = await ship(order, partIds[0], 'gls-it');
  const second = await ship(order, partIds[1], 'brt');

  const { body } = await send(order);

  expect(body).toMatchObject({ Result: 'OK', parts: [{ TrackingCarrier: 'GLS Italy' }, { TrackingCarrier: 'BRT' }] });
  expect(await told('shopify', order)).toEqual([first, second]);
  const calls = (await readExchanges(test)).filter(({ request }) => request.includes('fulfillmentCreate'));
  const lineIds = calls.slice(-2).map(({ request }) => quantitiesIn(request));
  const items = await database(test).find(OrderItem, { orderId: order.id });
  const pieces = items.reduce((sum, { quantity }) => sum + quantity, 0);
  expect(lineIds).toEqual([[line.quantity], expect.any(Array)]);
  expect(lineIds[1]?.reduce((sum, quantity) => sum + quantity, 0)).toBe(pieces - 1);
});

function quantitiesIn(request: string): number[] {
  return [...request.matchAll(/"quantity\\?":(\d+)/g)].map(([, quantity]) => Number(quantity));
}

it('PrestaShop gets both numbers with the last part, and none before', async () => {
  const { order, partIds } = await divided('prestashop');
  const first = await ship(order, partIds[0], 'brt');
  const early = await send(order);
  const before = await told('prestashop', order);
  const second = await ship(order, partIds[1], 'brt');
  await test.fault('prestashop', 'order_carriers.patch', 'accept-then-500');

  const { body } = await send(order);
  await test.clearFaults();
  const again = await send(order);

  expect(early.body).toMatchObject({ Result: 'KO', ErrorType: 'configuration' });
  expect(early.body.ErrorMessage).toContain('1 of 2');
  expect(before).toEqual([]);
  expect([body.Result, again.body.Result]).toEqual(['OK', 'OK']);
  expect(await told('prestashop', order)).toEqual([`${first}, ${second}`]);
});

it('an order that was split by parcels is confirmed whole, once, with its last part', async () => {
  const { order, partIds } = await divided('shopify');
  const em = database(test);
  const parcel = { weightGrams: 1000, lengthMm: 100, widthMm: 100, heightMm: 100 };
  await em.nativeUpdate(OrderPart, { id: { $in: partIds } }, { lines: [], parcels: [parcel] });
  await ship(order, partIds[0], 'brt');
  const early = await send(order);
  const second = await ship(order, partIds[1], 'brt');

  const { body } = await send(order);
  const again = await send(order);

  expect(early.body).toMatchObject({ Result: 'KO', ErrorType: 'configuration' });
  expect([body.Result, again.body.Result]).toEqual(['OK', 'OK']);
  expect(await told('shopify', order)).toEqual([second]);
});

it('a part that is booked again replaces its own number, and leaves that of the other part', async () => {
  const { order, partIds } = await divided('shopify');
  const first = await ship(order, partIds[0], 'brt');
  const second = await ship(order, partIds[1], 'brt');
  await test.call('POST', '/shipment/transmit', [{ orderId: order.id }]);
  await send(order);
  const { shipments } = (await test.call('GET', `/orders/${order.id}`)).body;
  const dead = shipments.find(({ trackingNumber }: { trackingNumber: string }) => trackingNumber === second);
  await test.call('DELETE', `/shipment/${dead.id}`);
  const atDesk = await test.call('GET', `/attention/${dead.id}`);
  const third = await ship(order, partIds[1], 'brt');
  await test.call('POST', '/shipment/transmit', [{ orderId: order.id }]);

  const { body } = await send(order);

  expect(atDesk.body.reasons).toMatchObject([{ reason: 'marketplace-told-another-number' }]);
  expect(body).toMatchObject({ Result: 'OK', TrackingNumber: third });
  expect((await told('shopify', order))?.toSorted()).toEqual([first, third].toSorted());
  expect((await test.call('GET', `/attention/${dead.id}`)).status).toBe(404);
});

it('a connection that confirms by itself tells each part when it is transmitted, and PrestaShop with the last', async () => {
  const em = database(test);
  await em.nativeUpdate(Connection, { key: { $in: ['shopify', 'prestashop'] } }, { confirmWhenTransmitted: true });
  const sends = (order: Order) => em.count(OperationItem, { orderId: order.id, kind: 'send' });
  const opened: number[][] = [];
  for (const { order, partIds } of [await divided('shopify'), await divided('prestashop')]) {
    const counts: number[] = [];
    for (const partId of partIds) {
      await ship(order, partId, 'brt');
      await test.call('POST', '/shipment/transmit', [{ orderId: order.id }]);
      counts.push(await sends(order));
    }
    opened.push(counts);
  }

  expect(opened).toEqual([
    [1, 2],
    [0, 1],
  ]);
});
