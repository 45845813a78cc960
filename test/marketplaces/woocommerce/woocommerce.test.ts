import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { authorize } from '../../../src/marketplaces/woocommerce/auth.ts';
import { woocommerce } from '../../../src/marketplaces/woocommerce/index.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';
import { callerOf, failureOf } from '../call-marketplace.ts';
import { testMarketplace } from '../conformance.ts';
import { confirmationOf, useShops } from './shop.ts';

const ORDERS = '/wp-json/wc/v3/orders';
const FULFILLMENT = {
  id: 9001,
  entity_type: 'WC_Order',
  entity_id: '815',
  status: 'fulfilled',
  is_fulfilled: true,
  date_updated: '2026-11-21 10:00:00',
  date_deleted: null,
  meta_data: [
    { id: 1, key: '_items', value: [{ item_id: 71, qty: 2 }] },
    { id: 2, key: '_tracking_number', value: 'RM512345678' },
    { id: 3, key: '_shipment_provider', value: 'other' },
    { id: 4, key: '_tracking_url', value: 'https://track.example/gls/RM512345678' },
  ],
};
const SHOP_ORDER = {
  id: 815,
  number: '815',
  status: 'processing',
  line_items: [{ id: 71, quantity: 2, total: '16.39', total_tax: '3.61' }],
};

testMarketplace({
  marketplace: woocommerce,
  account: (url) => ({
    url,
    consumerKey: 'ck_very_private',
    consumerSecret: 'cs_very_private',
    webhookSecret: 'whs_very_private',
  }),
  secrets: ['ck_very_private', 'cs_very_private', 'whs_very_private'],
  requiredField: 'consumerSecret',
  verify: { method: 'GET', path: ORDERS, body: [] },
  refusedKey: {
    status: 401,
    body: { code: 'woocommerce_rest_authentication_error', message: 'Consumer key is invalid.', data: { status: 401 } },
  },
  listing: {
    pages: [
      {
        method: 'GET',
        path: ORDERS,
        headers: { link: '<http://shop/?page=2>; rel="next"', 'x-wp-total': '3' },
        body: [{ id: 1 }, { id: 2 }],
      },
      {
        method: 'GET',
        path: ORDERS,
        headers: { link: '<http://shop/?page=1>; rel="prev"', 'x-wp-total': '3' },
        body: [{ id: 3 }],
      },
      // The trash.
      { method: 'GET', path: ORDERS, body: [] },
    ],
    numbers: ['1', '2', '3'],
  },
  reading: {
    externalId: '815',
    found: [{ method: 'GET', path: `${ORDERS}/815`, body: SHOP_ORDER }],
    externalNumber: '815',
    absent: [
      {
        method: 'GET',
        path: `${ORDERS}/815`,
        status: 404,
        body: { code: 'woocommerce_rest_shop_order_invalid_id', message: 'Invalid ID.', data: { status: 404 } },
      },
    ],
  },
  poison: 'whatever has an id is read, and what is wrong with it is said on the order; see woocommerce-orders.test.ts',
  webhook: {
    delivery: {
      headers: {
        'x-wc-webhook-resource': 'order',
        'x-wc-webhook-delivery-id': 'd41d8cd9',
        'x-wc-webhook-signature': createHmac('sha256', 'whs_very_private').update('{"id":815}').digest('base64'),
      },
      body: Buffer.from('{"id":815}'),
    },
    externalOrderId: '815',
  },
  confirming: {
    confirmation: {
      externalOrderId: '815',
      lines: [{ externalLineId: '71', quantity: 2 }],
      trackingNumber: 'RM512345678',
      carrierId: 'gls-it',
      carrierName: 'GLS Italy',
      trackingUrl: 'https://track.example/gls/RM512345678',
      shippedOn: '2026-11-21',
    },
    detected: { mechanism: 'core', plugin: 'note' },
    reads: [
      { method: 'GET', path: `${ORDERS}/815`, body: SHOP_ORDER },
      { method: 'GET', path: `${ORDERS}/815/fulfillments`, body: [] },
    ],
    writes: [{ method: 'POST', path: `${ORDERS}/815/fulfillments`, status: 201, body: FULFILLMENT }],
    ownWords: {
      refused: [{ status: 400, body: { code: 0, message: 'Invalid item.', data: { status: 400 } } }],
    },
    readsAfterwards: [
      { method: 'GET', path: `${ORDERS}/815`, body: SHOP_ORDER },
      { method: 'GET', path: `${ORDERS}/815/fulfillments`, body: [FULFILLMENT] },
    ],
    result: {
      alreadySent: false,
      transactionId: '9001',
      trackingCarrier: 'GLS Italy',
      trackingNumber: 'RM512345678',
      trackingUrl: 'https://track.example/gls/RM512345678',
      status: 'processing',
    },
  },
});

describe('credentials', () => {
  const { shop } = useShops();
  const account = { url: 'https://shop.example', consumerKey: 'ck_1', consumerSecret: 'cs_1' };
  const asked = { method: 'GET', now: new Date('2026-11-21T10:00:00Z') };

  test('travel as Basic over HTTPS and leave the address alone', () => {
    const url = 'https://shop.example/wp-json/wc/v3/orders?page=2';

    const { headers, url: sent } = authorize(account, { ...asked, url });

    expect(sent).toBe(url);
    expect(headers).toEqual({ authorization: `Basic ${btoa('ck_1:cs_1')}` });
  });

  test('travel in the address over HTTPS for a server that drops the header', () => {
    const url = 'https://shop.example/wp-json/wc/v3/orders?page=2';

    const { headers, url: sent } = authorize({ ...account, queryAuth: true }, { ...asked, url });

    expect(sent).toBe(`${url}&consumer_key=ck_1&consumer_secret=cs_1`);
    expect(headers).toEqual({});
  });

  test.each([false, true])('never send the secret over plain HTTP (queryAuth %s)', (queryAuth) => {
    const signed = authorize({ ...account, queryAuth }, { ...asked, url: 'http://shop.example/wp-json/' });

    expect(JSON.stringify(signed)).not.toContain('cs_1');
    expect(signed.url).toContain('oauth_signature=');
  });

  test('are accepted by the shop when the signature is right, whatever the query holds', async () => {
    const statuses = ["it's (new)*!", 'processing', 'è così'];

    const orders = await shop('core')
      .caller({ statuses })
      .listAll({ modifiedAfter: new Date(0), modifiedBefore: new Date() });

    expect(orders.map(({ externalId }) => externalId)).toEqual(['1001', '1004', '1006']);
  });

  test('that are wrong are refused as permanent', async () => {
    const error = await failureOf(shop('core').caller({ consumerSecret: 'cs_wrong' }).verify());

    expect(error).toMatchObject({ kind: 'permanent', code: 'auth_invalid' });
    expect(error.message).toContain('provided signature does not match');
  });

  test('that may only read are told apart from wrong ones', async () => {
    const readOnly = { consumerKey: 'ck_sandbox_readonly', consumerSecret: 'cs_sandbox_readonly' };
    const order = await shop('note').place();

    const error = await failureOf(shop('note').caller(readOnly).confirm(confirmationOf(order)));

    expect(error).toMatchObject({ kind: 'permanent', code: 'permission_missing' });
  });
});

describe('refusals in the words of the shop', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());

  const page = '<html><body>Maintenance</body></html>';
  test.each<[string, number, unknown, string, string]>([
    ['a maintenance page', 503, page, 'retryable', 'platform_unavailable'],
    ['a firewall page', 403, page, 'retryable', 'platform_unavailable'],
    ['a page instead of data', 200, page, 'retryable', 'platform_unavailable'],
    [
      'a bad parameter',
      400,
      { code: 'rest_invalid_param', message: 'Invalid parameter(s): page' },
      'permanent',
      'validation',
    ],
    ['a numbered exception', 400, { code: 0, message: 'Invalid item.' }, 'permanent', 'validation'],
    ['an unknown key', 401, { code: 'woocommerce_rest_cannot_view', message: 'Sorry' }, 'permanent', 'auth_invalid'],
    [
      'a missing right',
      401,
      { code: 'woocommerce_rest_cannot_create', message: 'Sorry' },
      'permanent',
      'permission_missing',
    ],
    ['a forbidden user', 403, { code: 'forbidden', message: 'Sorry' }, 'permanent', 'permission_missing'],
    [
      'a missing order',
      404,
      { code: 'woocommerce_rest_order_invalid_id', message: 'No' },
      'permanent',
      'order_not_found',
    ],
    ['a missing page of something else', 404, { code: 'not_found', message: 'No' }, 'permanent', 'configuration'],
    ['a missing route', 404, { code: 'rest_no_route', message: 'No route' }, 'permanent', 'feature_disabled'],
    ['a moved site', 301, '', 'permanent', 'configuration'],
  ])('calls %s by its name', async (_name, status, body, kind, code) => {
    server.script({ method: 'GET', path: ORDERS, status, body });
    const account = { url: server.url, consumerKey: 'ck_1', consumerSecret: 'cs_1' };

    const error = await failureOf(callerOf(woocommerce, { account }).verify());

    expect(error).toMatchObject({ kind, code });
    if (typeof body === 'object' && body !== null)
      expect(error.message).toContain((body as { message: string }).message);
  });
});

test('a shop without orders is undecided about core fulfilments, and keeps the plugin that it has', async () => {
  const server = await startScriptedServer();
  const namespaces = ['wc/v3', 'wc-shipment-tracking/v3', 'wc-ast/v3'];
  server.script({ method: 'GET', path: '/wp-json/', body: { namespaces } }, { method: 'GET', path: ORDERS, body: [] });
  const account = { url: `${server.url}/`, consumerKey: 'ck_1', consumerSecret: 'cs_1' };

  const detected = await callerOf(woocommerce, { account }).detect();
  await server.close();

  expect(detected).toEqual({ mechanism: 'undecided', plugin: 'ast' });
});
