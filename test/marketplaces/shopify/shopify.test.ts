import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { secretFields } from '../../../src/lib/call-partner.ts';
import { shopify } from '../../../src/marketplaces/shopify/index.ts';
import { type ScriptedReply, type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';
import { callerOf, failureOf } from '../call-marketplace.ts';
import { testMarketplace } from '../conformance.ts';
import { data, errors, page, SHOP, signed, useShop, wireFulfillment, wireLinesToShip, wireOrder } from './shop.ts';

const LOGIN = '/admin/oauth/access_token';
const GRANTED = { method: 'POST', path: LOGIN, body: { access_token: 'shpca_very_private', expires_in: 86_399 } };
const SCOPES = data({
  currentAppInstallation: {
    accessScopes: [
      { handle: 'read_orders' },
      { handle: 'write_merchant_managed_fulfillment_orders' },
      { handle: 'read_locations' },
    ],
  },
});
const TRACKING = [{ company: 'GLS Italy', number: 'RM512345678', url: 'https://track.example/gls/RM512345678' }];
const FULFILLMENT = 'gid://shopify/Fulfillment/501';

testMarketplace({
  marketplace: shopify,
  account: (url) => ({
    shop: SHOP,
    baseUrl: url,
    accessToken: 'shpat_very_private',
    clientSecret: 'shpss_very_private',
  }),
  secrets: ['shpat_very_private', 'shpss_very_private'],
  requiredField: 'shop',
  verify: SCOPES,
  refusedKey: { status: 401, body: { errors: '[API] Invalid API key or access token' } },
  listing: {
    pages: [
      data(page('orders', [wireOrder({ name: '#1' }), wireOrder({ name: '#2' })], 'next')),
      data(page('orders', [wireOrder({ name: '#3' })])),
      data(page('fulfillmentOrders', [])),
    ],
    numbers: ['#1', '#2', '#3'],
  },
  reading: {
    externalId: '815',
    found: [data({ order: wireOrder() })],
    externalNumber: '#1815',
    absent: [data({ order: null })],
  },
  poison: {
    page: [
      data(
        page('orders', [
          wireOrder({ id: 'gid://shopify/Order/1', name: '#1' }),
          wireOrder({ id: 'gid://shopify/Order/2', updatedAt: 'yesterday' }),
          wireOrder({ id: 'gid://shopify/Order/3', name: '#3' }),
        ]),
      ),
      data(page('fulfillmentOrders', [])),
    ],
    numbers: ['#1', '#3'],
    unreadable: ['2'],
  },
  webhook: {
    delivery: signed('{"id":815,"email":"x@example.com"}', { secret: 'shpss_very_private' }),
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
    detected: {},
    reads: [data(wireFulfillment()), data(wireLinesToShip())],
    writes: [
      data({
        fulfillmentCreate: {
          fulfillment: { id: FULFILLMENT, trackingInfo: TRACKING, order: { displayFulfillmentStatus: 'FULFILLED' } },
          userErrors: [],
        },
      }),
    ],
    ownWords: {
      refused: [
        data({
          fulfillmentCreate: {
            fulfillment: null,
            userErrors: [{ field: ['fulfillment'], message: 'Fulfillment order line item does not exist.' }],
          },
        }),
      ],
    },
    readsAfterwards: [
      data(
        wireFulfillment({
          displayFulfillmentStatus: 'FULFILLED',
          fulfillments: [{ id: FULFILLMENT, status: 'SUCCESS', trackingInfo: TRACKING }],
        }),
      ),
      data({
        fulfillment: page('fulfillmentLineItems', [{ quantity: 2, lineItem: { id: 'gid://shopify/LineItem/71' } }]),
      }),
      data(wireLinesToShip(0)),
    ],
    result: {
      alreadySent: false,
      transactionId: FULFILLMENT,
      trackingCarrier: 'GLS Italy',
      trackingNumber: 'RM512345678',
      trackingUrl: 'https://track.example/gls/RM512345678',
      status: 'FULFILLED',
    },
  },
});

describe('the account', () => {
  test.each<[string, Record<string, unknown>, boolean]>([
    ['an access token', { accessToken: 'shpat_private' }, true],
    ['a client id with its secret', { clientId: 'app', clientSecret: 'shpss_private' }, true],
    ['a client id alone', { clientId: 'app' }, false],
    ['a secret alone, which only signs webhooks', { clientSecret: 'shpss_private' }, false],
    ['the domain that customers see', { shop: 'www.prova.example', accessToken: 'shpat_private' }, false],
  ])('with %s is complete or not', (_name, login, isComplete) => {
    expect(shopify.account.safeParse({ shop: SHOP, ...login }).success).toBe(isComplete);
  });

  test('seals the token and the secret', () => {
    expect(secretFields(shopify.account)).toEqual(['accessToken', 'clientSecret']);
  });
});

describe('against a server that knows its lines', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());
  const login = { clientId: 'app', clientSecret: 'shpss_private' };
  const caller = (account: Record<string, unknown> = { accessToken: 'shpat_private' }) =>
    callerOf(shopify, { account: { shop: SHOP, baseUrl: server.url, ...account } });

  test('a token that is refused before its time is asked for once more', async () => {
    const refused = { ...SCOPES, status: 401, body: { errors: '[API] Invalid API key or access token' } };
    const second = { ...GRANTED, body: { access_token: 'shpca_second', expires_in: 86_399 } };
    server.script(GRANTED, refused, second, SCOPES);

    await caller(login).verify();

    const sent = server.requests.flatMap(({ headers }) => headers['x-shopify-access-token'] ?? []);
    expect(sent).toEqual(['shpca_very_private', 'shpca_second']);
  });

  test('a token that is refused twice is wrong', async () => {
    const refused = { ...SCOPES, status: 401, body: { errors: '[API] Invalid API key or access token' } };
    server.script(GRANTED, refused, GRANTED, refused);

    const error = await failureOf(caller(login).verify());

    expect(error).toMatchObject({ kind: 'permanent', code: 'auth_invalid' });
  });

  test('a token is asked for once, however many questions follow', async () => {
    server.script(GRANTED, SCOPES, SCOPES);
    const shop = caller(login);

    await shop.verify();
    await shop.verify();

    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      client_id: 'app',
      client_secret: 'shpss_private',
      grant_type: 'client_credentials',
    });
  });

  const oauthPage =
    '<html><h1>Oauth error shop_not_permitted: Client credentials cannot be performed on this shop.</h1>';
  test.each<[string, number, unknown, string, string]>([
    ['its page', 400, oauthPage, 'permanent', 'auth_invalid'],
    ['JSON', 401, { error: 'invalid_client', error_description: 'No such app' }, 'permanent', 'auth_invalid'],
    ['a page of a firewall', 403, '<html>Blocked</html>', 'retryable', 'platform_unavailable'],
    ['a page instead of a token', 200, '<html>Login</html>', 'retryable', 'platform_unavailable'],
    ['a broken server', 500, 'oops', 'retryable', 'platform_unavailable'],
  ])('a login refused with %s is told by its words', async (_name, status, body, kind, code) => {
    server.script({ method: 'POST', path: LOGIN, status, body });

    const error = await failureOf(caller(login).verify());

    expect(error).toMatchObject({ kind, code });
  });

  const cost = (currentlyAvailable: number) => ({
    extensions: {
      cost: {
        requestedQueryCost: 502,
        actualQueryCost: null,
        throttleStatus: { maximumAvailable: 2000, currentlyAvailable, restoreRate: 100 },
      },
    },
  });
  test.each<[string, ScriptedReply, string, string]>([
    ['THROTTLED', errors('THROTTLED', 'Throttled', cost(2)), 'retryable', 'rate_limited'],
    ['THROTTLED on 429', { ...errors('THROTTLED', 'Throttled', cost(2)), status: 429 }, 'retryable', 'rate_limited'],
    ['ACCESS_DENIED', errors('ACCESS_DENIED', 'Access denied', { data: null }), 'permanent', 'permission_missing'],
    ['RESOURCE_NOT_FOUND', errors('RESOURCE_NOT_FOUND', 'invalid id'), 'permanent', 'configuration'],
    ['INVALID_VARIABLE', errors('INVALID_VARIABLE', 'Variable $id'), 'permanent', 'configuration'],
    ['undefinedField', errors('undefinedField', "Field 'x'"), 'permanent', 'configuration'],
    ['PARSE_ERROR', errors('PARSE_ERROR', 'syntax error'), 'permanent', 'configuration'],
    ['MAX_COST_EXCEEDED', errors('MAX_COST_EXCEEDED', 'Query cost is 1001'), 'permanent', 'configuration'],
    ['INTERNAL_SERVER_ERROR', errors('INTERNAL_SERVER_ERROR', 'Oops'), 'retryable', 'platform_unavailable'],
    ['a bad token', { ...SCOPES, status: 401, body: { errors: 'Bad' } }, 'permanent', 'auth_invalid'],
    ['a missing approval', { ...SCOPES, status: 403, body: { errors: 'No' } }, 'permanent', 'permission_missing'],
    ['an unknown shop', { ...SCOPES, status: 404, body: { errors: 'Not Found' } }, 'permanent', 'configuration'],
    ['a moved shop', { ...SCOPES, status: 301, body: '' }, 'permanent', 'configuration'],
    ['a firewall', { ...SCOPES, status: 403, body: '<html>Blocked</html>' }, 'retryable', 'platform_unavailable'],
    ['another JSON', { ...SCOPES, status: 401, body: { message: 'no' } }, 'retryable', 'platform_unavailable'],
  ])('%s is called by its name', async (_name, reply, kind, code) => {
    server.script(reply);

    const error = await failureOf(caller().verify());

    expect(error).toMatchObject({ kind, code });
    if (code === 'rate_limited') expect(error.retryAfterMs).toBe(5000);
  });

  test('a shop that has no points left is not asked again before it has', async () => {
    server.script({ ...SCOPES, body: { ...(SCOPES.body as object), ...cost(-10_000) } });
    const shop = caller();
    await shop.verify();

    const error = await failureOf(shop.verify());

    expect(error).toMatchObject({ kind: 'retryable', code: 'throttled' });
    expect(server.requests).toHaveLength(1);
  });

  test('permissions that are missing are named', async () => {
    server.script(data({ currentAppInstallation: { accessScopes: [{ handle: 'read_orders' }] } }));

    const error = await failureOf(caller().verify());

    expect(error).toMatchObject({ kind: 'permanent', code: 'permission_missing' });
    expect(error.message).toContain('write_merchant_managed_fulfillment_orders');
    expect(error.message).toContain('read_locations');
    expect(error.message).not.toContain('read_orders');
  });
});

describe('a webhook', () => {
  const shop = useShop();
  const account = { clientSecret: 'shpss_private' };
  const body = '{"id":815}';

  test.each<[string, Record<string, string>, string | null | undefined]>([
    ['about an order names it', {}, '815'],
    ['about something else names none', { 'x-shopify-topic': 'fulfillments/create' }, null],
    ['of another shop of the same app is not ours', { 'x-shopify-shop-domain': 'altro.myshopify.com' }, undefined],
    ['with a foreign signature is not genuine', { 'x-shopify-hmac-sha256': 'AAAA' }, undefined],
  ])('%s', async (_name, headers, externalOrderId) => {
    const hint = await shop.caller(account).hint(signed(body, { secret: 'shpss_private', headers }));

    expect(hint?.externalOrderId).toBe(externalOrderId);
  });

  test('is known again by the id of its delivery', async () => {
    const other = { 'x-shopify-webhook-id': 'another' };

    const first = await shop.caller(account).hint(signed(body, { secret: 'shpss_private' }));
    const second = await shop.caller(account).hint(signed(body, { secret: 'shpss_private', headers: other }));

    expect([first?.deliveryId, second?.deliveryId]).toEqual(['b54557e4-bdd9-4b37-8a5f-bf7d70bcd043', 'another']);
  });

  test('is not listened to without the secret', async () => {
    expect(await shop.caller().hint(signed(body, { secret: 'shpss_private' }))).toBeNull();
  });
});
