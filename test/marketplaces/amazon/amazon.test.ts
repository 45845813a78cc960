import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { amazon } from '../../../src/marketplaces/amazon/index.ts';
import { type ScriptedReply, type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';
import { callerOf, failureOf } from '../call-marketplace.ts';
import { testMarketplace } from '../conformance.ts';
import { PARCEL } from '../marketplace-world.ts';
import { confirmationOf, useAmazon } from './world.ts';

const ORDERS = '/orders/2026-01-01/orders';
const ID = '405-1234567-7654321';
const TOKEN: ScriptedReply = {
  method: 'POST',
  path: '/auth/o2/token',
  body: { access_token: 'Atza|private-access', token_type: 'bearer', expires_in: 3600 },
};
const orderOf = (orderId: string, more: object = {}) => ({
  orderId,
  createdTime: '2026-11-20T09:00:00Z',
  lastUpdatedTime: '2026-11-20T10:30:00Z',
  salesChannel: { channelName: 'AMAZON', marketplaceId: 'APJ6JRA9NG5V4' },
  fulfillment: { fulfillmentStatus: 'UNSHIPPED', fulfilledBy: 'MERCHANT' },
  orderItems: [{ orderItemId: '71', quantityOrdered: 2, product: { title: 'Tazza' } }],
  ...more,
});
const PACKAGE = {
  // Made of the tracking number.
  packageReferenceId: '9928883',
  packageStatus: { status: 'SHIPPED' },
  carrier: 'GLS',
  trackingNumber: 'RM512345678',
  packageItems: [{ orderItemId: '71', quantity: 2 }],
};
const found = (more?: object): ScriptedReply => ({
  method: 'GET',
  path: `${ORDERS}/${ID}`,
  body: { order: orderOf(ID, more) },
});
const page = (orders: unknown[], nextToken?: string): ScriptedReply => ({
  method: 'GET',
  path: ORDERS,
  body: { orders, ...(nextToken ? { pagination: { nextToken } } : {}), lastUpdatedBefore: '2026-11-21T00:00:00Z' },
});
const account = (url: string) => ({
  clientId: 'amzn1.application-oa2-client.one',
  clientSecret: 'amzn1.oa2-cs.private',
  refreshToken: 'Atzr|private-refresh',
  baseUrl: url,
  tokenUrl: `${url}/auth/o2/token`,
});

const CONFIRMATION = {
  externalOrderId: ID,
  lines: [{ externalLineId: '71', quantity: 2 }],
  ...PARCEL,
};

testMarketplace({
  marketplace: amazon,
  account,
  secrets: ['amzn1.oa2-cs.private', 'private-refresh', 'private-access'],
  requiredField: 'refreshToken',
  prelude: [TOKEN],
  verify: page([]),
  refusedKey: {
    status: 403,
    body: { errors: [{ code: 'Unauthorized', message: 'Access to requested resource is denied.', details: '' }] },
  },
  listing: {
    pages: [page([orderOf('1'), orderOf('2')], 'bmV4dA=='), page([orderOf('3')])],
    numbers: ['1', '2', '3'],
  },
  reading: {
    externalId: ID,
    found: [found()],
    externalNumber: ID,
    absent: [
      {
        method: 'GET',
        path: `${ORDERS}/${ID}`,
        status: 404,
        body: { errors: [{ code: 'NotFound', message: 'No such order' }] },
      },
    ],
  },
  poison: {
    page: [page([orderOf('1'), orderOf('2', { lastUpdatedTime: 'yesterday' }), { no: 'id' }, null, orderOf('3')])],
    numbers: ['1', '3'],
    unreadable: ['2'],
  },
  confirming: {
    confirmation: CONFIRMATION,
    detected: {},
    reads: [found()],
    writes: [{ method: 'POST', path: `/orders/v0/orders/${ID}/shipmentConfirmation`, status: 204 }],
    ownWords: {
      silentYes: [204],
      refused: [
        { status: 400, body: { errors: [{ code: 'InvalidInput', message: 'OrderItemId is invalid', details: '' }] } },
      ],
    },
    readsAfterwards: [
      found({ packages: [PACKAGE], fulfillment: { fulfillmentStatus: 'SHIPPED', fulfilledBy: 'MERCHANT' } }),
    ],
    result: {
      alreadySent: false,
      transactionId: PACKAGE.packageReferenceId,
      trackingCarrier: 'GLS',
      trackingNumber: 'RM512345678',
      trackingUrl: '',
      status: 'SHIPPED',
    },
  },
});

describe('access', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());

  const denied = (details: string) => ({
    status: 403,
    body: { errors: [{ code: 'Unauthorized', message: 'Access to requested resource is denied.', details }] },
  });
  const caller = () => callerOf(amazon, { account: account(server.url) });

  test('is asked for with the refresh token once, and sent with every call', async () => {
    server.script(TOKEN, page([]), page([]));
    const shop = caller();

    await shop.verify();
    await shop.verify();

    const [login, ...calls] = server.requests;
    expect(JSON.parse(login?.body ?? '')).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'Atzr|private-refresh',
      client_id: 'amzn1.application-oa2-client.one',
      client_secret: 'amzn1.oa2-cs.private',
    });
    expect(calls.map(({ headers }) => headers['x-amz-access-token'])).toEqual([
      'Atza|private-access',
      'Atza|private-access',
    ]);
    expect(calls[0]?.headers['user-agent']).toBe('smista');
  });

  test('that expired before its time is asked for again, once', async () => {
    const fresh = { ...TOKEN, body: { access_token: 'Atza|second', expires_in: 3600 } };
    const expired = { ...page([]), ...denied('The access token you provided has expired.') };
    server.script(TOKEN, expired, fresh, page([]));

    await caller().verify();

    expect(server.requests.at(-1)?.headers['x-amz-access-token']).toBe('Atza|second');
  });

  test('that expired in a write is asked for again, and the write is sent once more', async () => {
    const write = { method: 'POST', path: `/orders/v0/orders/${ID}/shipmentConfirmation`, status: 204 };
    const expired = { ...write, ...denied('The access token you provided has expired.') };
    server.script(TOKEN, found(), expired, TOKEN, write);
    const shop = caller();

    const confirmed = await shop.confirm(CONFIRMATION);

    expect(confirmed).toMatchObject({ alreadySent: false });
    expect(shop.writes()).toHaveLength(2);
  });

  test('that is refused again with a new token has expired for good', async () => {
    const expired = { ...page([]), ...denied('The access token you provided has expired.') };
    server.script(TOKEN, expired, TOKEN, expired);

    const error = await failureOf(caller().verify());

    expect(error).toMatchObject({ kind: 'permanent', code: 'auth_expired' });
    expect(error.message).toContain('has expired');
  });

  test.each<[string, Partial<ScriptedReply>, string, string]>([
    [
      'a revoked authorisation',
      {
        status: 400,
        body: { error: 'invalid_grant', error_description: 'The request has an invalid grant parameter' },
      },
      'permanent',
      'auth_expired',
    ],
    [
      'a wrong secret',
      { status: 401, body: { error: 'invalid_client', error_description: 'Client authentication failed' } },
      'permanent',
      'auth_invalid',
    ],
    ['throttling', { status: 429, body: { error: 'slow_down' } }, 'retryable', 'rate_limited'],
    ['a broken service', { status: 500, body: { error: 'ServerError' } }, 'retryable', 'platform_unavailable'],
    ['a firewall', { status: 403, body: '<p>No</p>' }, 'retryable', 'platform_unavailable'],
    ['a page', { status: 200, body: '<p>Hello</p>' }, 'retryable', 'platform_unavailable'],
  ])('that Login with Amazon answers with %s fails as that', async (_name, reply, kind, code) => {
    server.script({ ...TOKEN, ...reply });

    const error = await failureOf(caller().verify());

    expect(error).toMatchObject({ kind, code });
  });
});

describe('refusals of a read', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());

  const errors = (code: string, message = 'No', details = '') => ({ errors: [{ code, message, details }] });
  test.each<[string, number, unknown, string, string]>([
    ['a bad parameter', 400, errors('InvalidInput', 'Invalid Input'), 'permanent', 'validation'],
    ['a date that is not UTC', 400, errors('InvalidInput', 'No', 'Invalid date/time field'), 'permanent', 'validation'],
    ['a bad header', 401, errors('Unauthorized'), 'permanent', 'auth_invalid'],
    ['a missing role', 403, errors('Unauthorized'), 'permanent', 'permission_missing'],
    ['a missing order', 404, errors('NotFound'), 'permanent', 'order_not_found'],
    ['too large a request', 413, errors('RequestTooLarge'), 'permanent', 'validation'],
    ['throttling', 429, errors('QuotaExceeded'), 'retryable', 'rate_limited'],
    ['an internal failure', 500, errors('InternalFailure'), 'retryable', 'platform_unavailable'],
    ['maintenance', 503, errors('ServiceUnavailable'), 'retryable', 'platform_unavailable'],
    ['a firewall page', 403, '<p>Blocked</p>', 'retryable', 'platform_unavailable'],
    ['a strange 404', 404, { message: 'no route' }, 'retryable', 'platform_unavailable'],
    ['a moved address', 301, '', 'permanent', 'configuration'],
    ['a page instead of data', 200, '<p>Hello</p>', 'retryable', 'platform_unavailable'],
    ['data of another shape', 200, { payload: {} }, 'retryable', 'answer-unreadable'],
  ])('are called by their names: %s', async (_name, status, body, kind, code) => {
    server.script(TOKEN, { method: 'GET', path: ORDERS, status, body });

    const error = await failureOf(callerOf(amazon, { account: account(server.url) }).verify());

    expect(error).toMatchObject({ kind, code });
  });

  test('keep the words of the platform', async () => {
    server.script(TOKEN, { method: 'GET', path: ORDERS, status: 400, body: errors('Invalid Input', 'Bad', 'because') });

    const error = await failureOf(callerOf(amazon, { account: account(server.url) }).verify());

    expect(error.message).toBe('Amazon refused searchOrders: Bad because [Invalid Input]');
  });

  test('for haste without a Retry-After ask for the time of one more call', async () => {
    server.script(TOKEN, { method: 'GET', path: ORDERS, status: 429, body: errors('QuotaExceeded') });
    const shop = callerOf(amazon, { account: account(server.url) });

    const first = await failureOf(shop.verify());
    const second = await failureOf(shop.verify());

    expect(first.retryAfterMs).toBe(Math.ceil(1000 / 0.0056));
    expect(second, 'the bucket is known to be empty').toMatchObject({ kind: 'retryable', code: 'throttled' });
    expect(server.requests).toHaveLength(2);
  });
});

describe('the pretend Amazon', () => {
  const world = useAmazon();

  test('refuses wrong credentials of each kind', async () => {
    const secret = await failureOf(world.caller({ clientSecret: 'wrong' }).verify());
    const refresh = await failureOf(world.caller({ refreshToken: 'Atzr|other' }).verify());

    expect(secret).toMatchObject({ kind: 'permanent', code: 'auth_invalid' });
    expect(refresh).toMatchObject({ kind: 'permanent', code: 'auth_expired' });
  });

  test('lets a seller who gave no role to write only read', async () => {
    const order = await world.place();
    const readOnly = world.caller({ refreshToken: 'Atzr|sandbox-readonly' });

    const error = await failureOf(readOnly.confirm(confirmationOf(order)));

    expect(error).toMatchObject({ kind: 'permanent', code: 'permission_missing' });
    expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 0 });
  });
});
