import { createHmac } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { FaultName, LedgerEntry } from '../../../sandbox/src/partner.ts';
import { createShopifySandbox } from '../../../sandbox/src/partners/shopify/index.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.ts';
import type { ImportedOrder, ShipmentConfirmation, WebhookDelivery } from '../../../src/marketplaces/adapter.ts';
import { shopify } from '../../../src/marketplaces/shopify/index.ts';
import type { ScriptedReply } from '../../support/scripted-server.ts';
import { type Caller, callerOf } from '../call-marketplace.ts';

export const SHOP = 'sandbox.myshopify.com';
const GRAPHQL = '/admin/api/2026-10/graphql.json';
export const ALWAYS = { modifiedAfter: new Date(0), modifiedBefore: new Date('2100-01-01T00:00:00Z') };

export interface Placed {
  id: number;
  name: string;
}

/** The pretend shop and the adapter that speaks to it. */
export interface Shop {
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
  fault(operation: string, fault: FaultName, times?: number): Promise<void>;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  json: any;
}

/** Starts the sandbox for the tests of one file. */
export function useShop(): Shop {
  let sandbox: Sandbox;
  let tokens = 0;
  beforeAll(async () => {
    sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createShopifySandbox] });
  });
  afterAll(() => sandbox.close());

  const send = async (path: string, method: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${sandbox.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text };
  };
  const caller: Shop['caller'] = (account = {}) => {
    tokens += 1;
    const login = 'clientId' in account ? {} : { accessToken: `shpat_sandbox_${tokens}` };
    return callerOf(shopify, { account: { shop: SHOP, baseUrl: `${sandbox.url}/shopify`, ...login, ...account } });
  };
  const place: Shop['place'] = async (order = {}) =>
    (await send('/shopify/_seed/orders', 'POST', { ...ORDER, ...order })).json as Placed;
  return {
    caller,
    place,
    async import(order) {
      const { id, name } = await place(order);
      const read = await caller().read(String(id));
      if (!read) throw new Error(`Order ${name} is not there`);
      return read;
    },
    async change({ externalId }, change) {
      await send(`/shopify/_seed/orders/${externalId}`, 'POST', change);
    },
    ask: (query, variables = {}, token = 'shpat_sandbox') =>
      send(`/shopify${GRAPHQL}`, 'POST', { query, variables }, { 'x-shopify-access-token': token }),
    seed: async (method, path, body) => (await send(`/shopify${path}`, method, body)).json,
    async ledger({ externalNumber }) {
      const { json } = await send('/_control/ledger', 'GET');
      return (json as { shopify: LedgerEntry[] }).shopify.find(({ reference }) => reference === externalNumber);
    },
    async fault(operation, fault, times = 1) {
      await send('/_control/faults', 'POST', { partner: 'shopify', operation, fault, times });
    },
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

/** The shipment of a whole order, unless told otherwise. */
export function confirmationOf(order: ImportedOrder, more: Partial<ShipmentConfirmation> = {}): ShipmentConfirmation {
  return {
    externalOrderId: order.externalId,
    lines: order.lines.map(({ externalLineId, quantity }) => ({ externalLineId, quantity })),
    trackingNumber: 'RM512345678',
    carrierId: 'gls-it',
    carrierName: 'GLS Italy',
    trackingUrl: 'https://track.example/gls/RM512345678',
    shippedOn: '2026-11-21',
    ...more,
  };
}

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
