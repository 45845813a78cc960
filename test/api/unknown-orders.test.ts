import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';
import { createOrder } from './ship-orders.ts';

/** The first of ids that no order has. */
const UNKNOWN = 1_000_000_000;
const elements = (ids: readonly number[]) => ids.map((orderId) => ({ orderId }));

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.stop());

async function rowsKept(): Promise<{ operations: number; items: number }> {
  const [kept] = await database(test).execute<{ operations: number; items: number }[]>(
    `select (select count(*)::int from operations) as operations, (select count(*)::int from operation_items) as items`,
  );
  return kept ?? { operations: 0, items: 0 };
}

it.each([
  { path: '/shipment/create', message: 'There is no order 1000000000', past: 'created' },
  { path: '/shipment/return', message: 'There is no order 1000000000', past: 'created' },
  { path: '/shipment/transmit', message: 'The order has no shipment: create it first', past: 'transmitted' },
])('POST $path refuses 5000 orders that do not exist, and keeps no row of them', async ({ path, message, past }) => {
  const ids = Array.from({ length: 5000 }, (_, index) => UNKNOWN + index);
  const before = await rowsKept();
  const key = { 'Idempotency-Key': `unknown-${path}` };

  const { status, body } = await test.call('POST', path, elements(ids), key);
  const again = await test.call('POST', path, elements(ids), key);

  expect(status).toBe(200);
  expect(body).toMatchObject({
    success: false,
    total: 5000,
    message: `0 of 5000 ${past}, 5000 failed`,
    details: { success: [] },
  });
  expect(body.details.errors[0]).toEqual({ id: UNKNOWN, message });
  expect(body.details.errors.map(({ id }: { id: number }) => id)).toEqual(ids);
  expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  expect(again.body).toEqual(body);
  expect(await rowsKept()).toEqual(before);
});

it.each([
  { path: '/shipment/create', kind: 'create' },
  { path: '/shipment/transmit', kind: 'transmit' },
])('POST $path keeps rows only of the orders that exist, and shows the others in its operation', async (batch) => {
  const [first, last] = [await createOrder(test), await createOrder(test)];
  if (batch.kind === 'transmit') await test.call('POST', '/shipment/create', elements([first, last]));
  const before = await rowsKept();

  const { headers } = await test.call('POST', batch.path, elements([UNKNOWN, first, UNKNOWN + 1, last, UNKNOWN + 2]), {
    Prefer: 'respond-async',
  });
  const at =
    headers.get('location')?.replace('/api/v1/external', '') ??
    `/operations/${(await test.call('GET', '/operations?limit=1')).body[0].id}`;
  const settled = await test.until(
    () => test.call('GET', at),
    ({ status }) => status === 200,
  );
  const [listed] = (await test.call('GET', `/operations?kind=${batch.kind}&limit=1`)).body;

  expect(settled.body).toMatchObject({ success: false, total: 5, details: { success: [first, last] } });
  expect(settled.body.details.errors.map(({ id }: { id: number }) => id)).toEqual([UNKNOWN, UNKNOWN + 1, UNKNOWN + 2]);
  expect(listed).toMatchObject({ items: { total: 5, open: 0, succeeded: 2, failed: 3 } });
  expect(await rowsKept()).toEqual({ operations: before.operations + 1, items: before.items + 2 });
});

it('POST /shipment/create keeps no row of parts that do not exist, and shows them beside those that do', async () => {
  const [whole, parted] = [await createOrder(test), await createOrder(test)];
  const [item] = (await test.call('GET', `/orders/${parted}`)).body.orderItems;
  const lines = [{ itemId: item.id, quantity: 1 }];
  const { parts } = (await test.call('POST', `/orders/${parted}/split`, { parts: [{ lines }] })).body;
  const unknown = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ orderId: parted, partId: UNKNOWN + index }));
  const before = await rowsKept();

  const refused = await test.call('POST', '/shipment/create', [{ orderId: whole, partId: 1 }, ...unknown(4000)]);
  const afterwards = await rowsKept();
  const mixed = await test.call('POST', '/shipment/create', [
    ...unknown(1),
    { orderId: parted, partId: parts[0].id },
    { orderId: UNKNOWN },
  ]);
  const [listed] = (await test.call('GET', '/operations?kind=create&limit=1')).body;
  const read = await test.call('GET', `/operations/${listed.id}`);

  expect(refused.body).toMatchObject({ success: false, total: 4001 });
  expect(refused.body.details.errors.slice(0, 2)).toEqual([
    { id: whole, message: `Order ${whole} is not split: leave out partId` },
    { id: parted, message: `Order ${parted} has no part ${UNKNOWN}: GET /orders/${parted} lists its parts` },
  ]);
  expect(afterwards).toEqual(before);
  expect(mixed.body.details).toMatchObject({
    shipments: [{ orderId: parted, partId: parts[0].id }],
    errors: [
      { id: parted, message: expect.stringContaining(`has no part ${UNKNOWN}`) },
      { id: UNKNOWN, message: `There is no order ${UNKNOWN}` },
    ],
  });
  expect(read.body).toEqual(mixed.body);
  expect(listed).toMatchObject({ items: { total: 3, open: 0, succeeded: 1, failed: 2 } });
  expect(await rowsKept()).toEqual({ operations: before.operations + 1, items: before.items + 1 });
});
