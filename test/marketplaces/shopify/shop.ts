import { createHmac } from 'node:crypto';
import type { LedgerEntry } from '../../../sandbox/src/partner.ts';
import { createShopifySandbox } from '../../../sandbox/src/partners/shopify/index.ts';
import type { ImportedOrder, WebhookDelivery } from '../../../src/marketplaces/adapter.ts';
import { shopify } from '../../../src/marketplaces/shopify/index.ts';
import type { ScriptedReply } from '../../support/scripted-server.ts';
import type { Caller } from '../call-marketplace.ts';
import { type MarketplaceWorld, marketplaceWorld, useSandbox } from '../marketplace-world.ts';

export { confirmationOf } from '../marketplace-world.ts';

export const SHOP = 'sandbox.myshopify.com';
const GRAPHQL = '/admin/api/2026-10/graphql.json';
export const ALWAYS = { modifiedAfter: new Date(0), modifiedBefore: new Date('2100-01-01T00:00:00Z') };

export interface Placed {
  id: number;
  name: string;
}

/** The pretend shop and the adapter that speaks to it. */
export interface Shop extends Pick<MarketplaceWorld, 'fault'> {
  /** With points of its own, unless the account names another token. */
  caller(account?: Record<string, unknown>): Caller;
  place(order?: Record<string, unknown>): Promise<Placed>;
  /** Places an order and reads it as the adapter does. */
  import(order?: Record<string, unknown>): Promise<ImportedOrder>;
  change(order: { externalId: string }, change: Record<string, unknown>): Promise<void>;
  /** One question in the shop's own interface. */
  ask(query: string, variables?: Record<string, unknown>, token?: string): Promise<Answer>;
  seed(method: string, path: string, body?: unknown): Promise<unknown>;
  ledger(order: { externalNumber: string }): Promise<LedgerEntry | undefined>;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  json: any;
}

/** Starts the sandbox for the tests of one file. */
export function useShop(): Shop {
  let tokens = 0;
  const world = marketplaceWorld(useSandbox(createShopifySandbox), {
    marketplace: shopify,
    account: (url) => ({ shop: SHOP, baseUrl: url }),
    order: ORDER,
    idField: 'id',
  });
  const caller: Shop['caller'] = (account = {}) => {
    tokens += 1;
    const login = 'clientId' in account ? {} : { accessToken: `shpat_sandbox_${tokens}` };
    return world.caller({ ...login, ...account });
  };
  const place: Shop['place'] = async (order = {}) =>
    (await world.send('POST', '/_seed/orders', { ...ORDER, ...order })).json as Placed;
  return {
    fault: world.fault,
    caller,
    place,
    async import(order) {
      const { id, name } = await place(order);
      const read = await caller().read(String(id));
      if (!read) throw new Error(`Order ${name} is not there`);
      return read;
    },
    async change({ externalId }, change) {
      await world.send('POST', `/_seed/orders/${externalId}`, change);
    },
    ask: (query, variables = {}, token = 'shpat_sandbox') =>
      world.send('POST', GRAPHQL, { query, variables }, { 'x-shopify-access-token': token }),
    seed: async (method, path, body) => (await world.send(method, path, body)).json,
    ledger: ({ externalNumber }) => world.ledger(externalNumber),
  };
}

const ADDRESS = {
  name: 'Ilaria Montaldo',
  company: '',
  address1: 'Corso Traiano 8',
  address2: 'Scala A',
  city: 'Roma',
  zip: '00184',
  provinceCode: 'RM',
  countryCodeV2: 'IT',
  phone: '+39 333 5550177',
};

/** An ordinary order of two lines, as the sandbox takes it. */
export const ORDER = {
  email: 'ilaria.montaldo@example.com',
  billingAddress: ADDRESS,
  shippingAddress: ADDRESS,
  shippingPrice: '5.00',
  lineItems: [
    { name: 'Tazza - Blu', sku: 'TAZ-B', quantity: 2, unitPrice: '10.00' },
    { name: 'Piatto', sku: 'PIA', quantity: 1, unitPrice: '15.00' },
  ],
};

const money = (amount: string) => ({ shopMoney: { amount } });
const pageInfo = { hasNextPage: false, endCursor: null };

/** A line as the interface answers it. */
export function wireLine(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 'gid://shopify/LineItem/71',
    sku: 'TAZ-B',
    name: 'Tazza - Blu',
    quantity: 2,
    currentQuantity: 2,
    requiresShipping: true,
    priceAfterAllDiscountsBeforeTaxesSet: money('16.39'),
    taxLines: [{ priceSet: money('3.61') }],
    ...more,
  };
}

/** An order as the interface answers it. */
export function wireOrder(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 'gid://shopify/Order/815',
    name: '#1815',
    createdAt: '2026-11-20T09:00:00Z',
    updatedAt: '2026-11-20T10:30:00Z',
    cancelledAt: null,
    test: false,
    email: 'ilaria.montaldo@example.com',
    phone: null,
    note: 'Al piano terra 🎁',
    currencyCode: 'EUR',
    presentmentCurrencyCode: 'EUR',
    taxesIncluded: true,
    requiresShipping: true,
    displayFinancialStatus: 'PAID',
    displayFulfillmentStatus: 'UNFULFILLED',
    paymentGatewayNames: ['shopify_payments'],
    currentTotalPriceSet: money('25.0'),
    currentTotalTaxSet: money('4.51'),
    currentShippingPriceSet: money('5.0'),
    shippingLine: { taxLines: [{ priceSet: money('0.9') }] },
    billingAddress: ADDRESS,
    shippingAddress: ADDRESS,
    localizedFields: { nodes: [] },
    lineItems: { nodes: [wireLine()], pageInfo },
    ...more,
  };
}

/** One good answer of the interface. */
export function data(body: Record<string, unknown>): ScriptedReply {
  return { method: 'POST', path: GRAPHQL, body: { data: body } };
}

/** One answer of the interface that is not good, with the status of a good one. */
export function errors(code: string, message = 'Refused', more: Record<string, unknown> = {}): ScriptedReply {
  return { method: 'POST', path: GRAPHQL, body: { errors: [{ message, extensions: { code } }], ...more } };
}

export function page(name: string, nodes: unknown[], endCursor: string | null = null): Record<string, unknown> {
  return { [name]: { nodes, pageInfo: { hasNextPage: endCursor !== null, endCursor } } };
}

/** What an order still has to ship, and has shipped, as the interface answers it. */
export function wireFulfillment(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    order: {
      name: '#1815',
      cancelledAt: null,
      displayFulfillmentStatus: 'UNFULFILLED',
      fulfillments: [],
      fulfillmentOrders: {
        nodes: [
          {
            id: 'gid://shopify/FulfillmentOrder/91',
            status: 'OPEN',
            supportedActions: [{ action: 'CREATE_FULFILLMENT' }],
            fulfillmentHolds: [],
            assignedLocation: { location: { id: 'gid://shopify/Location/7' } },
          },
        ],
      },
      ...more,
    },
  };
}

export function wireLinesToShip(remainingQuantity = 2): Record<string, unknown> {
  const line = { id: 'gid://shopify/FulfillmentOrderLineItem/92', remainingQuantity, requiresShipping: true };
  return { fulfillmentOrder: page('lineItems', [{ ...line, lineItem: { id: 'gid://shopify/LineItem/71' } }]) };
}

export function userError(message: string): ScriptedReply {
  return data({ fulfillmentCreate: { fulfillment: null, userErrors: [{ field: ['fulfillment'], message }] } });
}

/** A webhook as the shop signs it. */
export function signed(
  body: string,
  { secret, headers = {} }: { secret: string; headers?: Record<string, string> },
): WebhookDelivery {
  return {
    headers: {
      'x-shopify-topic': 'orders/updated',
      'x-shopify-shop-domain': SHOP,
      'x-shopify-api-version': '2026-10',
      'x-shopify-webhook-id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
      'x-shopify-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
      ...headers,
    },
    body: Buffer.from(body),
  };
}
