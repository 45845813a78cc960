import { authorize } from '../../src/marketplaces/woocommerce/auth.ts';
import type { TestApp } from './test-app.ts';

const MINUTE_MS = 60_000;
const ADDRESS = {
  first_name: 'Chiara',
  last_name: 'Prova',
  address_1: 'Via Torino, 5',
  city: 'Milano',
  state: 'MI',
  postcode: '20123',
  country: 'IT',
};
const LINE = { name: 'Tazza', sku: 'MUG-01', quantity: 2, total: '20.49', total_tax: '4.51' };
const SOLD = { billing: ADDRESS, shipping: ADDRESS, total: '25.00', total_tax: '4.51', line_items: [LINE] };

/** Buys in the pretend shop of the demo company, a minute ago. Returns the shop's id of the order. */
export async function buyInShop(test: TestApp, fields: Record<string, unknown> = {}): Promise<string> {
  const at = new Date(Date.now() - MINUTE_MS).toISOString();
  const response = await fetch(`${test.app.sandboxUrl}/woocommerce/_seed/orders`, {
    method: 'POST',
    body: JSON.stringify({ ...SOLD, date_modified_gmt: at, ...fields }),
  });
  return String(((await response.json()) as { id: number }).id);
}

/** Sends one request to the pretend shop, as a person in its back office causes it. */
async function callShop<Answer>(test: TestApp, method: string, path: string, body?: object): Promise<Answer> {
  const account = { url: '', consumerKey: 'ck_sandbox', consumerSecret: 'cs_sandbox' };
  const url = `${test.app.sandboxUrl}/woocommerce/wp-json/wc/v3/orders/${path}`;
  const signed = authorize(account, { method, url, now: new Date() });
  const response = await fetch(signed.url, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`The shop refused: ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** Types a tracking number into the pretend shop by hand, in place of any other. */
export async function fulfilInShop(test: TestApp, externalId: string, trackingNumber: string): Promise<void> {
  const order = await callShop<{ line_items: { id: number; quantity: number }[] }>(test, 'GET', externalId);
  const others = await callShop<{ id: number }[]>(test, 'GET', `${externalId}/fulfillments`);
  for (const { id } of others) await callShop(test, 'DELETE', `${externalId}/fulfillments/${id}`);
  await callShop(test, 'POST', `${externalId}/fulfillments`, {
    status: 'fulfilled',
    meta_data: [
      { key: '_items', value: order.line_items.map(({ id, quantity }) => ({ item_id: id, qty: quantity })) },
      { key: '_tracking_number', value: trackingNumber },
    ],
  });
}

/** Buys in the pretend shop and imports the order. Returns its id here. */
export async function importBought(test: TestApp, fields: Record<string, unknown> = {}): Promise<number> {
  const marketplaceOrderId = await buyInShop(test, fields);
  await test.call('POST', `/marketplace/connected/${test.connectionId}/import`, { marketplaceOrderId });
  const { body } = await test.call('GET', `/orders?marketplaceOrderId=${marketplaceOrderId}`);
  return body[0].id;
}

/** Buys, imports, books and transmits. Returns the id of the order here. */
export async function shipBought(test: TestApp): Promise<number> {
  const orderId = await importBought(test);
  await test.call('POST', '/shipment/create', [{ orderId }]);
  const { body } = await test.call('POST', '/shipment/transmit', [{ orderId }]);
  if (!body.success) throw new Error(`The order was not transmitted: ${JSON.stringify(body)}`);
  return orderId;
}
