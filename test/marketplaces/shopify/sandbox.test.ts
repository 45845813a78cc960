import { describe, expect, test } from 'vitest';
import type { FaultName } from '../../../sandbox/src/partner.ts';
import { createShopifySandbox } from '../../../sandbox/src/partners/shopify/index.ts';
import { failureOf } from '../call-marketplace.ts';
import { ALWAYS, confirmationOf, ORDER, useShop } from './shop.ts';

const shop = useShop();
const CREATE = `mutation ($fulfillment: FulfillmentInput!) {
  fulfillmentCreate(fulfillment: $fulfillment) { fulfillment { id } userErrors { field message } }
}`;

describe('the adapter against the pretend shop', () => {
  test('imports with either login', async () => {
    const app = shop.caller({ clientId: 'app', clientSecret: 'sandbox-secret' });

    await app.verify();

    expect(await app.listAll(ALWAYS)).toHaveLength((await shop.caller().listAll(ALWAYS)).length);
    expect(app.exchanges.filter(({ operation }) => operation === 'token')).toHaveLength(1);
  });

  test('logs in again when the shop has forgotten its token', async () => {
    const app = shop.caller({ clientId: 'app', clientSecret: 'sandbox-secret' });
    await app.verify();
    await shop.seed('DELETE', '/_seed/tokens');

    await app.verify();

    expect(app.exchanges.filter(({ operation }) => operation === 'token')).toHaveLength(2);
  });

  test.each<[string, Record<string, unknown>]>([
    ['a token', { accessToken: 'shpat_private' }],
    ['a secret', { clientId: 'app', clientSecret: 'wrong' }],
  ])('is refused with %s that is wrong', async (_name, account) => {
    const error = await failureOf(shop.caller(account).verify());

    expect(error).toMatchObject({ kind: 'permanent', code: 'auth_invalid' });
  });

  test.each<[FaultName, string]>([
    ['accept-then-500', 'unknown-outcome'],
    ['truncated', 'unknown-outcome'],
    ['html', 'unknown-outcome'],
    ['empty', 'unknown-outcome'],
    ['reset', 'unknown-outcome'],
    ['status-503', 'retryable'],
    ['status-429', 'retryable'],
  ])('that loses its answer to %s tells the shipment once in the end', async (fault, kind) => {
    const order = await shop.import();
    await shop.fault('fulfillmentCreate', fault);

    const error = await failureOf(shop.caller().confirm(confirmationOf(order)));
    await shop.caller().confirm(confirmationOf(order));

    expect(error.kind).toBe(kind);
    expect(await shop.ledger(order)).toMatchObject({ confirmed: 1, trackingNumbers: ['RM512345678'] });
  });

  test('told twice by a front end that tried again has one shipment', async () => {
    const order = await shop.import();
    await shop.fault('fulfillmentCreate', 'accept-twice');

    const confirmed = await shop.caller().confirm(confirmationOf(order));

    expect(confirmed).toMatchObject({ alreadySent: true, status: 'FULFILLED' });
    expect(await shop.ledger(order)).toMatchObject({ confirmed: 1 });
  });

  test('out of points is told how long to wait', async () => {
    const token = 'shpat_sandbox_poor';
    await shop.seed('POST', '/_seed/points', { token, left: -98 });

    const error = await failureOf(shop.caller({ accessToken: token }).verify());

    expect(error).toMatchObject({ kind: 'retryable', code: 'rate_limited' });
    expect(error.retryAfterMs).toBeGreaterThan(500);
    expect(error.retryAfterMs).toBeLessThanOrEqual(1000);
  });
});

describe('the pretend shop', () => {
  const refusal = async (query: string, variables: Record<string, unknown> = {}) => {
    const { status, json } = await shop.ask(query, variables);
    expect(status).toBe(200);
    return json.errors[0] as { message: string; extensions: { code: string; problems?: unknown[] } };
  };

  test.each<[string, string, string]>([
    ['what is no GraphQL', '{ orders(', 'PARSE_ERROR'],
    ['a field that is not there', '{ order(id: "gid://shopify/Order/1") { code } }', 'undefinedField'],
    ['an argument that is not there', '{ orders(first: 1, status: "open") { nodes { id } } }', 'argumentNotAccepted'],
    ['a missing argument', '{ order { id } }', 'missingRequiredArguments'],
    ['an object without its fields', '{ order(id: "gid://shopify/Order/1") }', 'selectionMismatch'],
    ['an id that is none', '{ order(id: "1001") { id } }', 'RESOURCE_NOT_FOUND'],
    [
      'too much at once',
      '{ orders(first: 250) { nodes { lineItems(first: 250) { nodes { id } } } } }',
      'MAX_COST_EXCEEDED',
    ],
  ])('refuses %s', async (_name, query, code) => {
    expect((await refusal(query)).extensions.code).toBe(code);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a field that is not there', { lineItemsByFulfillmentOrder: [], trackingCompany: 'BRT' }],
    ['no fulfilment orders', { trackingInfo: {} }],
    [
      'a quantity in words',
      {
        lineItemsByFulfillmentOrder: [
          { fulfillmentOrderId: 'x', fulfillmentOrderLineItems: [{ id: 'y', quantity: 'all' }] },
        ],
      },
    ],
    ['a link that is none', { lineItemsByFulfillmentOrder: [], trackingInfo: { url: 'track.example' } }],
  ])('refuses a variable with %s', async (_name, fulfillment) => {
    const { extensions } = await refusal(CREATE, { fulfillment });

    expect(extensions.code).toBe('INVALID_VARIABLE');
    expect(extensions.problems).toHaveLength(1);
  });

  test('refuses shipments in the recorded words and order', async () => {
    const near = await shop.import({ lineItems: [ORDER.lineItems[0], { ...ORDER.lineItems[1], locationId: 72 }] });
    const other = await shop.import();
    const from = async ({ externalId }: { externalId: string }) => {
      const query = `{ order(id: "gid://shopify/Order/${externalId}") {
        fulfillmentOrders(first: 9) { nodes { id lineItems(first: 9) { nodes { id } } } } } }`;
      const { json } = await shop.ask(query);
      return json.data.order.fulfillmentOrders.nodes as { id: string; lineItems: { nodes: { id: string }[] } }[];
    };
    const [first, second] = await from(near);
    const [foreign] = await from(other);
    const line = first?.lineItems.nodes[0]?.id;
    const ship = async (...entries: [string | undefined, { id: string | undefined; quantity: number }[]][]) => {
      const lineItemsByFulfillmentOrder = entries.map(([fulfillmentOrderId, fulfillmentOrderLineItems]) => ({
        fulfillmentOrderId,
        fulfillmentOrderLineItems,
      }));
      const { json } = await shop.ask(CREATE, { fulfillment: { lineItemsByFulfillmentOrder } });
      return json.data.fulfillmentCreate.userErrors[0]?.message ?? 'shipped';
    };

    const unknown = 'gid://shopify/FulfillmentOrder/1';
    expect(await ship([unknown, [{ id: line, quantity: 0 }]])).toBe('Quantity must be greater than 0');
    expect(await ship([unknown, []])).toBe('Fulfillment order does not exist.');
    expect(await ship([first?.id, []], [foreign?.id, []])).toMatch(
      /^All fulfillment orders must belong to the same order\./,
    );
    expect(await ship([first?.id, []], [second?.id, []])).toMatch(
      /^All fulfillment orders must be assigned to a single location\./,
    );
    expect(await ship([first?.id, [{ id: 'gid://shopify/FulfillmentOrderLineItem/1', quantity: 1 }]])).toBe(
      'Fulfillment order line item does not exist.',
    );
    expect(await ship([first?.id, [{ id: line, quantity: 3 }]])).toBe(
      'Invalid fulfillment order line item quantity requested.',
    );
    expect(await ship([first?.id, []])).toBe('shipped');
    expect(await ship([first?.id, []])).toMatch(/^Fulfillment order \d+ has an unfulfillable status= closed\.$/);
  });

  test('charges what it says, and gives back what it did not need', async () => {
    const { json } = await shop.ask(
      '{ orders(first: 50) { nodes { id shippingAddress { city } } } }',
      {},
      'shpat_sandbox_payer',
    );
    const { cost } = json.extensions;

    expect(cost.requestedQueryCost).toBe(102);
    expect(cost.actualQueryCost).toBeLessThanOrEqual(102);
    expect(cost.throttleStatus).toEqual({
      maximumAvailable: 2000,
      currentlyAvailable: 2000 - cost.actualQueryCost,
      restoreRate: 100,
    });
  });

  test('knows no token but its own', async () => {
    const { status, json } = await shop.ask('{ shop { name } }', {}, 'shpat_unknown');

    expect(status).toBe(401);
    expect(json.errors).toContain('[API] Invalid API key or access token');
  });

  test('has books that survive a restart', () => {
    const world = { now: () => new Date('2026-11-21T10:00:00Z'), touch: () => undefined };
    const books = JSON.stringify(createShopifySandbox(world).save()).replaceAll('"OPEN"', '"ON_HOLD"');

    const after = createShopifySandbox(world);
    after.load(JSON.parse(books));

    expect(JSON.stringify(after.save())).toBe(books);
    expect(after.ledger().map(({ reference }) => reference)).toEqual(['#1001', '#1002', '#1003']);
  });

  test('has operations with the names of its own fields', () => {
    const { operationOf } = createShopifySandbox({ now: () => new Date(), touch: () => undefined });
    const named = (query: string) =>
      operationOf({ method: 'POST', path: '/admin/api/2026-10/graphql.json', body: JSON.stringify({ query }) });

    expect(named('query Q($id: ID!) { order(id: $id) { id } }')).toBe('order');
    expect(named(CREATE)).toBe('fulfillmentCreate');
    expect(named('{')).toBe('graphql');
    expect(operationOf({ method: 'POST', path: '/admin/oauth/access_token', body: '' })).toBe('token');
    expect(operationOf({ method: 'POST', path: '/_seed/orders', body: '' })).toBeNull();
  });
});
