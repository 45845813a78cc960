import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Marketplace, ShipmentConfirmation } from '../../src/marketplaces/adapter.ts';
import { amazon } from '../../src/marketplaces/amazon/index.ts';
import { ebay } from '../../src/marketplaces/ebay/index.ts';
import { magento } from '../../src/marketplaces/magento/index.ts';
import { mirakl } from '../../src/marketplaces/mirakl/index.ts';
import { prestashop } from '../../src/marketplaces/prestashop/index.ts';
import { shopify } from '../../src/marketplaces/shopify/index.ts';
import { woocommerce } from '../../src/marketplaces/woocommerce/index.ts';
import { type ScriptedReply, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import { callerOf, failureOf } from './call-marketplace.ts';

let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

const get = (path: string, body: unknown): ScriptedReply => ({ method: 'GET', path, body });
const post = (path: string, body: unknown): ScriptedReply => ({ method: 'POST', path, body });
const SHOPIFY = '/admin/api/2026-10/graphql.json';
const MAGENTO = '/rest/all/V1';
const EBAY = '/sell/fulfillment/v1/order/17';
const AMAZON = '/orders/2026-01-01/orders/17';
const TOKEN = post('/t', { access_token: 'x', expires_in: 7200 });

interface Sample {
  marketplace: Marketplace;
  account(url: string): Record<string, unknown>;
  detected?: Record<string, unknown>;
  /** The order, and a list of what it has in which one element cannot be read. */
  reads: ScriptedReply[];
}

/** Answers about one order, with one element that cannot be read. */
const SAMPLES: Record<string, Sample> = {
  'WooCommerce fulfilments': {
    marketplace: woocommerce,
    account: (url) => ({ url, consumerKey: 'ck', consumerSecret: 'cs' }),
    detected: { mechanism: 'core', plugin: 'note' },
    reads: [
      get('/wp-json/wc/v3/orders/17', { id: 17, status: 'processing', line_items: [{ id: 71, quantity: 2 }] }),
      get('/wp-json/wc/v3/orders/17/fulfillments', [{ id: 'nine', is_fulfilled: '1', meta_data: [] }]),
    ],
  },
  'WooCommerce trackings': {
    marketplace: woocommerce,
    account: (url) => ({ url, consumerKey: 'ck', consumerSecret: 'cs' }),
    detected: { mechanism: 'ast', plugin: 'ast' },
    reads: [
      get('/wp-json/wc/v3/orders/17', { id: 17, status: 'processing', line_items: [{ id: 71, quantity: 2 }] }),
      get('/wp-json/wc-ast/v3/orders/17/shipment-trackings', [{ tracking_number: 'RM512345678' }]),
    ],
  },
  'PrestaShop carrier rows': {
    marketplace: prestashop,
    account: (url) => ({ url, key: 'K'.repeat(32) }),
    detected: {
      states: [{ id: '2', name: 'Paid', template: 'payment', paid: true, shipped: false, deleted: false }],
    },
    reads: [
      get('/api/orders', { orders: [{ id: 17, current_state: 2 }] }),
      get('/api/order_carriers', { order_carriers: [{ id: 0 }, { id: 5, id_carrier: 2, tracking_number: '' }] }),
    ],
  },
  'Magento shipments': {
    marketplace: magento,
    account: (url) => ({ url, accessToken: 'token' }),
    reads: [
      get(`${MAGENTO}/orders/17`, {
        entity_id: 17,
        state: 'processing',
        created_at: '2026-11-20 09:00:00',
        updated_at: '2026-11-20 09:00:00',
        items: [{ item_id: 71, qty_ordered: 2 }],
      }),
      get(`${MAGENTO}/shipments`, { items: [{ increment_id: '1' }], total_count: 1 }),
    ],
  },
  'Mirakl shipments': {
    marketplace: mirakl,
    account: (url) => ({ baseUrl: url, apiKey: 'key', multipleShipments: true }),
    reads: [
      get('/api/orders', {
        orders: [
          {
            order_id: '17',
            created_date: '2026-11-20T09:00:00Z',
            last_updated_date: '2026-11-20T09:00:00Z',
            order_state: 'SHIPPING',
            order_lines: [{ order_line_id: '71', order_line_state: 'SHIPPING', quantity: 2 }],
          },
        ],
        total_count: 1,
      }),
      get('/api/shipments', { data: [{ status: 'SHIPPED' }], next_page_token: null }),
    ],
  },
  'Shopify fulfilments': {
    marketplace: shopify,
    account: (url) => ({ shop: 'x.myshopify.com', accessToken: 'shpat_x', baseUrl: url }),
    reads: [
      post(SHOPIFY, {
        data: {
          order: {
            name: '#17',
            cancelledAt: null,
            displayFulfillmentStatus: 'UNFULFILLED',
            fulfillments: [{ id: 'gid://shopify/Fulfillment/1', status: 'SUCCESS', trackingInfo: null }],
            fulfillmentOrders: {
              nodes: [
                {
                  id: 'gid://shopify/FulfillmentOrder/5',
                  status: 'OPEN',
                  supportedActions: [{ action: 'CREATE_FULFILLMENT' }],
                  fulfillmentHolds: [],
                  assignedLocation: { location: null },
                },
              ],
            },
          },
        },
      }),
      post(SHOPIFY, {
        data: {
          fulfillmentOrder: {
            lineItems: {
              nodes: [
                {
                  id: 'gid://shopify/FulfillmentOrderLineItem/6',
                  remainingQuantity: 2,
                  requiresShipping: true,
                  lineItem: { id: 'gid://shopify/LineItem/71' },
                },
              ],
              pageInfo: { hasNextPage: false, endCursor: null },
            },
          },
        },
      }),
    ],
  },
  'eBay fulfilments': {
    marketplace: ebay,
    account: (url) => ({ clientId: 'a', clientSecret: 'b', refreshToken: 'c', baseUrl: url, tokenUrl: `${url}/t` }),
    reads: [
      TOKEN,
      get(EBAY, {
        orderId: '17',
        creationDate: '2026-11-20T09:00:00.000Z',
        lastModifiedDate: '2026-11-20T09:00:00.000Z',
        orderFulfillmentStatus: 'NOT_STARTED',
        orderPaymentStatus: 'PAID',
        lineItems: [{ lineItemId: '71', quantity: 2 }],
      }),
      get(`${EBAY}/shipping_fulfillment`, { fulfillments: [{ shipmentTrackingNumber: 'RM512345678' }] }),
    ],
  },
  'Amazon packages': {
    marketplace: amazon,
    account: (url) => ({ clientId: 'a', clientSecret: 'b', refreshToken: 'c', baseUrl: url, tokenUrl: `${url}/t` }),
    reads: [
      TOKEN,
      get(AMAZON, {
        order: {
          orderId: '17',
          createdTime: '2026-11-20T09:00:00Z',
          lastUpdatedTime: '2026-11-20T09:00:00Z',
          salesChannel: { marketplaceId: 'APJ6JRA9NG5V4' },
          fulfillment: { fulfillmentStatus: 'UNSHIPPED', fulfilledBy: 'MERCHANT' },
          orderItems: [{ orderItemId: '71', quantityOrdered: 2 }],
          packages: [{ packageReferenceId: '9', packageItems: [{ orderItemId: '71', quantity: 'two' }] }],
        },
      }),
    ],
  },
};

const confirmation: ShipmentConfirmation = {
  externalOrderId: '17',
  lines: [],
  trackingNumber: 'RM512345678',
  carrierId: 'gls-it',
  carrierName: 'GLS Italy',
  trackingUrl: 'https://track.example/gls/RM512345678',
  shippedOn: '2026-11-21',
};

describe('an element that cannot be read', () => {
  test.each(Object.entries(SAMPLES))(
    'among %s forbids a write, and is no reason to ask for ever',
    async (_name, sample) => {
      server.script(...sample.reads.map((reply) => ({ ...reply, isOptional: reply === TOKEN })));
      const caller = callerOf(sample.marketplace, { account: sample.account(server.url) });

      const error = await failureOf(caller.confirm(confirmation, sample.detected));

      expect(error).toMatchObject({ kind: 'permanent', code: 'unknown', isAuthoritative: false });
      expect(caller.writes()).toEqual([]);
      expect(caller.logged()).toMatch(/"count":1/);
    },
  );

  test('among fulfilments is no obstacle when ours can be read', async () => {
    const [order] = SAMPLES['WooCommerce fulfilments']?.reads ?? [];
    const ours = {
      id: 9,
      is_fulfilled: '1',
      meta_data: [
        { key: '_items', value: [{ item_id: 71, qty: 2 }] },
        { key: '_tracking_number', value: 'RM512345678' },
      ],
    };
    const fulfillments = get('/wp-json/wc/v3/orders/17/fulfillments', [{ id: null }, ours]);
    server.script(order as ScriptedReply, fulfillments);
    const account = { url: server.url, consumerKey: 'ck', consumerSecret: 'cs' };

    const confirmed = await callerOf(woocommerce, { account }).confirm(confirmation, {
      mechanism: 'core',
      plugin: 'note',
    });

    expect(confirmed).toMatchObject({ alreadySent: true, transactionId: '9' });
  });

  test('among the orders of a Shopify page loses none of the others', async () => {
    const page = { nodes: [{ id: 'none' }], pageInfo: { hasNextPage: false, endCursor: null } };
    server.script(
      post(SHOPIFY, { data: { orders: page } }),
      post(SHOPIFY, { data: { fulfillmentOrders: { ...page, nodes: [null] } } }),
    );
    const account = { shop: 'x.myshopify.com', accessToken: 'shpat_x', baseUrl: server.url };
    const caller = callerOf(shopify, { account });

    const orders = await caller.listAll({ modifiedAfter: new Date(0), modifiedBefore: new Date() });

    expect(orders).toEqual([]);
    expect(caller.logged()).toContain('list elements not read');
  });
});
