import { expect, test } from 'vitest';
import { createWoocommerceSandbox } from '../../../sandbox/src/partners/woocommerce.ts';
import { startSandbox } from '../../../sandbox/src/server.ts';
import { useShops } from './shop.ts';

const { shop } = useShops();

const fulfillment = (item_id: unknown) => ({
  status: 'fulfilled',
  is_fulfilled: true,
  meta_data: [
    { key: '_items', value: [{ item_id, qty: 1 }] },
    { key: '_tracking_number', value: 'RM500000001' },
  ],
});

test('a fulfilment sent twice is two fulfilments', async () => {
  const order = await shop('core').place();
  const body = fulfillment(Number(order.lines[0]?.externalLineId));

  await shop('core').api('POST', `wc/v3/orders/${order.externalId}/fulfillments`, body);
  const { status, json } = await shop('core').api('POST', `wc/v3/orders/${order.externalId}/fulfillments`, body);

  expect(status).toBe(201);
  expect(json).toMatchObject({ entity_type: 'WC_Order', entity_id: order.externalId });
  expect(await shop('core').ledger(order.externalId)).toMatchObject({ confirmed: 2 });
});

test('a fulfilment has a boolean in the answer to its creation and text in every later one', async () => {
  const order = await shop('core').place();
  const path = `wc/v3/orders/${order.externalId}/fulfillments`;
  const body = fulfillment(Number(order.lines[0]?.externalLineId));

  const created = await shop('core').api('POST', path, body);
  const draft = await shop('core').api('POST', path, { ...body, status: 'unfulfilled', is_fulfilled: false });
  const listed = await shop('core').api('GET', path);

  expect(created.json).toMatchObject({ is_fulfilled: true });
  expect(draft.json).toMatchObject({ is_fulfilled: false });
  expect(listed.json).toMatchObject([{ is_fulfilled: '1' }, { is_fulfilled: '0' }]);
});

test('a quoted item id is refused with a number instead of a code', async () => {
  const order = await shop('core').place();
  const body = fulfillment(order.lines[0]?.externalLineId);

  const { status, json } = await shop('core').api('POST', `wc/v3/orders/${order.externalId}/fulfillments`, body);

  expect(status).toBe(400);
  expect(json).toEqual({ code: 0, message: 'Invalid item.', data: { status: 400 } });
});

test('an updated fulfilment forgets what was not sent, and a deleted one is gone', async () => {
  const order = await shop('core').place();
  const path = `wc/v3/orders/${order.externalId}/fulfillments`;
  const body = fulfillment(Number(order.lines[0]?.externalLineId));
  const { json } = await shop('core').api('POST', path, body);
  const { id } = json as { id: number };

  const updated = await shop('core').api('PUT', `${path}/${id}`, { ...body, meta_data: body.meta_data.slice(0, 1) });
  const deleted = await shop('core').api('DELETE', `${path}/${id}`);

  const { meta_data } = updated.json as { meta_data: { key: string }[] };
  expect(meta_data.map(({ key }) => key)).toEqual(['_items', '_date_fulfilled']);
  expect(deleted.json).toEqual({ message: expect.any(String) });
  expect(await shop('core').ledger(order.externalId)).toMatchObject({ confirmed: 0, cancelled: 1 });
});

test('Advanced Shipment Tracking completes, replaces and refuses as its own controller does', async () => {
  const order = await shop('ast').place();
  const path = `wc-ast/v3/orders/${order.externalId}/shipment-trackings`;
  await shop('ast').api('POST', path, { tracking_number: 'A1', tracking_provider: 'DHL' });

  const again = await shop('ast').api('POST', path, { tracking_number: 'A2', tracking_id: 'x' });
  await shop('ast').api('POST', path, { tracking_number: 'A3', replace_tracking: 1, status_shipped: 1 });

  expect(again).toMatchObject({ status: 400, json: { code: 'woocommerce_rest_shop_order_shipment_tracking_exists' } });
  expect(await shop('ast').ledger(order.externalId)).toMatchObject({ trackingNumbers: ['A3'] });
  expect(await shop('ast').api('GET', `wc/v3/orders/${order.externalId}`)).toMatchObject({
    json: { status: 'completed' },
  });
});

test('a misspelt parameter is ignored, and dates are the shop time without dates_are_gmt', async () => {
  const day = '2026-09-01T10:00:00';
  await shop('tracking').seed({ date_created_gmt: day, date_modified_gmt: day });
  const list = async (query: string) => (await shop('tracking').api('GET', `wc/v3/orders?${query}`)).json as unknown[];

  const utc = await list('modified_after=2026-09-01T09:59:00&modified_before=2026-09-01T10:01:00&dates_are_gmt=true');
  const local = await list('modified_after=2026-09-01T09:59:00&modified_before=2026-09-01T10:01:00');
  const misspelt = await list('modified-after=2099-01-01T00:00:00');

  expect(utc).toHaveLength(1);
  expect(local).toHaveLength(0);
  expect(misspelt.length).toBeGreaterThan(1);
});

test('Basic is not read over plain HTTP', async () => {
  const sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createWoocommerceSandbox] });
  const headers = { authorization: `Basic ${btoa('ck_sandbox:cs_sandbox')}` };

  const response = await fetch(`${sandbox.url}/woocommerce/wp-json/wc/v3/orders`, { headers });
  await sandbox.close();

  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code: 'woocommerce_rest_cannot_view', data: { status: 401 } });
});

test('the books survive a restart', () => {
  const world = { now: () => new Date('2026-11-21T10:00:00Z'), touch: () => undefined };
  const before = createWoocommerceSandbox(world);
  const books = JSON.stringify(before.save()).replaceAll('"processing"', '"on-hold"');

  const after = createWoocommerceSandbox(world);
  after.load(JSON.parse(books));

  expect(JSON.stringify(after.save())).toBe(books);
  expect(after.ledger()).toHaveLength(12);
});

test('the operations have readable names in every shop', () => {
  const { operationOf } = createWoocommerceSandbox({ now: () => new Date(), touch: () => undefined });
  const named = (method: string, path: string) => operationOf({ method, path, body: '' });

  expect(named('GET', '/wp-json/')).toBe('index');
  expect(named('GET', '/wp-json/wc/v3/orders')).toBe('orders.list');
  expect(named('PUT', '/shops/note/wp-json/wc/v3/orders/5')).toBe('orders.update');
  expect(named('POST', '/shops/ast/wp-json/wc-ast/v3/orders/5/shipment-trackings')).toBe('shipment-trackings.create');
  expect(named('POST', '/_seed/orders')).toBeNull();
});
