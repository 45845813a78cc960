import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WebhookDelivery } from '../../../src/marketplaces/adapter.ts';
import { ebay } from '../../../src/marketplaces/ebay/index.ts';
import { type ScriptedReply, type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';
import { callerOf, failureOf } from '../call-marketplace.ts';
import { testMarketplace } from '../conformance.ts';
import { PARCEL } from '../marketplace-world.ts';
import { euro, VERIFICATION_TOKEN } from './world.ts';

const ORDERS = '/sell/fulfillment/v1/order';
const ID = '17-12345-67890';
const FULFILLMENTS = `${ORDERS}/${ID}/shipping_fulfillment`;
const TOKEN: ScriptedReply = {
  method: 'POST',
  path: '/identity/v1/oauth2/token',
  body: { access_token: 'v^1.1#private-access', expires_in: 7200, token_type: 'User Access Token' },
};
const account = (url: string) => ({
  clientId: 'Smista-Prova-PRD',
  clientSecret: 'PRD-private-secret',
  refreshToken: 'v^1.1#private-refresh',
  verificationToken: VERIFICATION_TOKEN,
  baseUrl: url,
  tokenUrl: `${url}/identity/v1/oauth2/token`,
});
const orderOf = (orderId: string, more: object = {}) => ({
  orderId,
  creationDate: '2026-11-20T09:00:00.000Z',
  lastModifiedDate: '2026-11-20T10:30:00.000Z',
  orderFulfillmentStatus: 'NOT_STARTED',
  orderPaymentStatus: 'PAID',
  cancelStatus: { cancelState: 'NONE_REQUESTED', cancelRequests: [] },
  lineItems: [{ lineItemId: '71', quantity: 2, title: 'Tazza', lineItemCost: euro('20.00') }],
  ...more,
});
const found = (more?: object): ScriptedReply => ({
  method: 'GET',
  path: `${ORDERS}/${ID}`,
  body: orderOf(ID, more),
});
const page = (orders: unknown[], total: number, next?: string): ScriptedReply => ({
  method: 'GET',
  path: ORDERS,
  body: { orders, total, limit: 200, offset: 0, ...(next ? { next } : {}) },
});
const fulfillments = (list: object[]): ScriptedReply => ({
  method: 'GET',
  path: FULFILLMENTS,
  body: { fulfillments: list, total: list.length },
});
const said = (errorId: number, longMessage: string, more: object = {}) => ({
  errors: [{ errorId, domain: 'API_FULFILLMENT', category: 'REQUEST', message: 'Short', longMessage, ...more }],
});
const CONFIRMATION = {
  externalOrderId: ID,
  lines: [{ externalLineId: '71', quantity: 2 }],
  ...PARCEL,
};
const FULFILLMENT = {
  fulfillmentId: 'RM512345678',
  shipmentTrackingNumber: 'RM512345678',
  shippingCarrierCode: 'GLS',
  shippedDate: '2026-11-21T12:00:00.000Z',
  lineItems: [{ lineItemId: '71', quantity: 2 }],
};
const CREATED: ScriptedReply = {
  method: 'POST',
  path: FULFILLMENTS,
  status: 201,
  headers: { location: `https://api.ebay.com${FULFILLMENTS}/RM512345678` },
  body: '',
};

/** The part of eBay that signs. */
const KEYS = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KID = randomUUID();
const PUBLIC_KEY: ScriptedReply = {
  method: 'GET',
  path: `/commerce/notification/v1/public_key/${KID}`,
  body: {
    algorithm: 'ECDSA',
    digest: 'SHA1',
    key: KEYS.publicKey.export({ type: 'spki', format: 'pem' }).toString().replaceAll('\n', ''),
  },
};
const notificationOf = (topic: string, data: object) => ({
  metadata: { topic, schemaVersion: '1.0', deprecated: false },
  notification: { notificationId: 'e9569bb0_64aa8d87', publishAttemptCount: 1, data },
});
const deliveryOf = (payload: unknown, header: Record<string, unknown> = {}): WebhookDelivery => {
  const body = Buffer.from(JSON.stringify(payload));
  const signature = sign(header.digest === 'SHA256' ? 'sha256' : 'sha1', body, KEYS.privateKey).toString('base64');
  const signed = JSON.stringify({ alg: 'ecdsa', kid: KID, signature, digest: 'SHA1', ...header });
  return { headers: { 'x-ebay-signature': Buffer.from(signed).toString('base64') }, body };
};
const CONFIRMED = notificationOf('ORDER_CONFIRMATION', {
  user: { userId: 'abc', username: 'seller' },
  order: { orderId: ID, orderLineItems: [{ orderLineItemId: '71', listingId: '1', quantity: 2 }] },
});

testMarketplace({
  marketplace: ebay,
  account,
  secrets: ['PRD-private-secret', 'private-refresh', 'private-access', VERIFICATION_TOKEN],
  requiredField: 'refreshToken',
  prelude: [TOKEN],
  verify: page([], 0),
  refusedKey: { status: 403, body: said(1100, 'Insufficient permissions to fulfill the request.') },
  listing: {
    pages: [
      page([orderOf('1'), orderOf('2')], 3, `https://api.ebay.com${ORDERS}?limit=200&offset=200`),
      page([orderOf('3')], 3),
    ],
    numbers: ['1', '2', '3'],
  },
  reading: {
    externalId: ID,
    found: [found()],
    externalNumber: ID,
    absent: [{ method: 'GET', path: `${ORDERS}/${ID}`, status: 400, body: said(32100, `Invalid order ID: ${ID}`) }],
  },
  poison: {
    page: [page([orderOf('1'), orderOf('2', { lastModifiedDate: 'yesterday' }), { no: 'id' }, null, orderOf('3')], 5)],
    numbers: ['1', '3'],
    unreadable: ['2'],
  },
  webhook: { delivery: deliveryOf(CONFIRMED), externalOrderId: ID, reads: [PUBLIC_KEY] },
  confirming: {
    confirmation: CONFIRMATION,
    detected: {},
    reads: [found(), fulfillments([])],
    writes: [CREATED],
    ownWords: {
      refused: [{ status: 400, body: { errors: [{ errorId: 32200, message: 'Invalid line item id' }] } }],
    },
    readsAfterwards: [found({ orderFulfillmentStatus: 'FULFILLED' }), fulfillments([FULFILLMENT])],
    result: {
      alreadySent: false,
      transactionId: 'RM512345678',
      trackingCarrier: 'GLS',
      trackingNumber: 'RM512345678',
      trackingUrl: '',
      status: 'FULFILLED',
    },
  },
});

describe('eBay', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());
  const caller = (more: object = {}) => callerOf(ebay, { account: { ...account(server.url), ...more } });

  describe('access', () => {
    const expired = { status: 401, body: said(1001, 'Invalid access token.') };

    test('is asked for with the key set in the header and the scope that writes, once for several calls', async () => {
      server.script(TOKEN, page([], 0), page([], 0));
      const seller = caller();

      await seller.verify();
      await seller.verify();

      const [asked, first] = server.requests;
      expect(asked?.headers.authorization).toBe(`Basic ${btoa('Smista-Prova-PRD:PRD-private-secret')}`);
      expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
        grant_type: 'refresh_token',
        refresh_token: 'v^1.1#private-refresh',
        scope: 'https://api.ebay.com/oauth/api_scope/sell.fulfillment',
      });
      expect(first?.headers.authorization).toBe('Bearer v^1.1#private-access');
    });

    test('is asked for again when it is refused before its time, also in the middle of a confirmation', async () => {
      const fresh = { ...TOKEN, body: { access_token: 'fresh', expires_in: 7200 } };
      server.script(TOKEN, found(), fulfillments([]), { ...CREATED, headers: {}, ...expired }, fresh, CREATED);

      const confirmed = await caller().confirm(CONFIRMATION);

      expect(confirmed.alreadySent).toBe(false);
      expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer fresh');
    });

    test('that is refused twice is given up', async () => {
      server.script(TOKEN, { ...page([], 0), ...expired }, TOKEN, { ...page([], 0), ...expired });

      expect(await failureOf(caller().verify())).toMatchObject({ kind: 'permanent', code: 'auth_expired' });
    });

    test.each<[string, number, unknown, string, string]>([
      ['a revoked consent', 400, { error: 'invalid_grant', error_description: 'revoked' }, 'permanent', 'auth_expired'],
      ['a wrong key set', 401, { error: 'invalid_client', error_description: 'no' }, 'permanent', 'auth_invalid'],
      ['a consent that only reads', 400, { error: 'invalid_scope' }, 'permanent', 'permission_missing'],
      ['a form it does not know', 400, { error: 'invalid_request' }, 'permanent', 'configuration'],
      ['a page of a firewall', 403, '<html>Blocked</html>', 'retryable', 'platform_unavailable'],
      ['too many tokens', 429, said(2001, 'The request limit has been reached.'), 'retryable', 'rate_limited'],
      ['a page instead of a token', 200, '<html></html>', 'retryable', 'platform_unavailable'],
    ])('is refused for %s in our words', async (_name, status, body, kind, code) => {
      server.script({ ...TOKEN, status, body });

      expect(await failureOf(caller().verify())).toMatchObject({ kind, code });
    });
  });

  describe('refusals', () => {
    test.each<[string, number, unknown, string, string]>([
      ['an unknown filter', 400, said(30700, 'Invalid filter name: x'), 'permanent', 'configuration'],
      ['an end in the future', 400, said(30850, "End dates can't be in the future"), 'permanent', 'configuration'],
      ['a limit', 400, said(31100, 'Invalid limit: 201'), 'permanent', 'configuration'],
      ['a scheme', 400, said(1003, 'Token type is invalid'), 'permanent', 'auth_invalid'],
      ['an address that leads nowhere', 404, said(2002, 'could not be resolved'), 'permanent', 'configuration'],
      ['something new', 400, said(39999, 'Something new'), 'permanent', 'validation'],
      ['a day that is used up', 429, said(2001, 'The request limit has been reached'), 'retryable', 'rate_limited'],
      ['a system error', 500, said(30500, 'System error'), 'retryable', 'platform_unavailable'],
    ])('call %s by its name, in the words of eBay', async (_name, status, body, kind, code) => {
      server.script(TOKEN, { ...page([], 0), status, body });

      const error = await failureOf(caller().verify());

      expect(error).toMatchObject({ kind, code });
      expect(error.message).toContain((body as ReturnType<typeof said>).errors[0]?.longMessage);
    });

    test.each([400, 403, 404])('are not believed with %s and a foreign page', async (status) => {
      server.script(TOKEN, { ...found(), status, body: '<html><h1>Blocked</h1></html>' });

      expect(await failureOf(caller().read(ID))).toMatchObject({ kind: 'retryable', code: 'platform_unavailable' });
    });

    test('for throttling come with a pause of ours where eBay names none', async () => {
      server.script(TOKEN, { ...page([], 0), status: 429, body: said(2001, 'The request limit has been reached') });

      expect(await failureOf(caller().verify())).toMatchObject({ retryAfterMs: 900_000 });
    });
  });

  describe('a list', () => {
    const window = {
      modifiedAfter: new Date('2026-11-20T00:00:00Z'),
      modifiedBefore: new Date('2026-11-20T12:00:00Z'),
    };
    const more = `https://api.ebay.com${ORDERS}?offset=200&limit=200`;

    test('is asked for by the time of the change, both ends, with the taxes', async () => {
      server.script(TOKEN, page([], 0));

      await caller().listAll(window);

      expect(Object.fromEntries(server.requests[1]?.query ?? [])).toEqual({
        filter: 'lastmodifieddate:[2026-11-20T00:00:00.000Z..2026-11-20T12:00:00.000Z]',
        fieldGroups: 'TAX_BREAKDOWN',
        limit: '200',
        offset: '0',
      });
    });

    test('ends two minutes ago at the latest: eBay refuses a time that is in its future', async () => {
      server.script(TOKEN, page([], 0));
      const now = () => new Date('2026-11-20T06:00:00Z');

      await callerOf(ebay, { account: account(server.url), now }).listAll(window);

      expect(server.requests[1]?.query.get('filter')).toContain('..2026-11-20T05:58:00.000Z]');
    });

    test('is empty, without a call, when its window has only just begun', async () => {
      const now = () => new Date('2026-11-20T00:01:00Z');

      expect(await callerOf(ebay, { account: account(server.url), now }).listAll(window)).toEqual([]);
    });

    test('is read again from further ahead when orders have left the window meanwhile', async () => {
      const first = Array.from({ length: 200 }, (_, index) => orderOf(`a${index}`));
      const moved = page([orderOf('skipped'), orderOf('last')], 201);
      server.script(TOKEN, page(first, 202, more), page([orderOf('last')], 201), moved);

      const orders = await caller().listAll(window);

      expect(orders.slice(200).map(({ externalId }) => externalId)).toEqual(['skipped', 'last']);
      expect(server.requests.slice(1).map(({ query }) => query.get('offset'))).toEqual(['0', '200', '199']);
    });

    test('never calls the address that eBay gives for the next page', async () => {
      server.script(TOKEN, page([orderOf('1')], 2, `https://elsewhere.example${ORDERS}?offset=200`), page([], 2));

      await caller().listAll(window);

      expect(server.requests.at(-1)?.query.get('offset')).toBe('200');
    });

    test('stops when the offset does not advance', async () => {
      server.script(TOKEN, page([orderOf('1')], 2, `${more.replace('offset=200', 'offset=0')}`));

      expect(await failureOf(caller().listAll(window))).toMatchObject({ kind: 'retryable', code: 'answer-unreadable' });
    });

    test('with warnings is taken, and they are logged', async () => {
      const body = { orders: [orderOf('1')], total: 1, warnings: [{ errorId: 30501, message: 'Partial data' }] };
      server.script(TOKEN, { ...page([], 0), body });
      const seller = caller();

      expect(await seller.listAll(window)).toHaveLength(1);
      expect(seller.logged()).toContain('30501');
      expect(seller.logged()).not.toContain('Partial data');
    });
  });

  describe('a notification', () => {
    test('is read with the hash that its header names', async () => {
      server.script(TOKEN, PUBLIC_KEY);

      expect(await caller().hint(deliveryOf(CONFIRMED, { digest: 'SHA256' }))).toMatchObject({ externalOrderId: ID });
    });

    test('is genuine and about no order when its topic is another one', async () => {
      server.script(TOKEN, PUBLIC_KEY);
      const other = notificationOf('ITEM_MARKED_SHIPPED', { order: { orderId: ID } });

      expect(await caller().hint(deliveryOf(other))).toEqual({
        deliveryId: 'e9569bb0_64aa8d87',
        externalOrderId: null,
      });
    });

    test('is verified with one key and one application token for many', async () => {
      server.script(TOKEN, PUBLIC_KEY);
      const seller = caller();

      for (let delivery = 0; delivery < 3; delivery++) await seller.hint(deliveryOf(CONFIRMED));

      expect(server.requests).toHaveLength(2);
      expect(Object.fromEntries(new URLSearchParams(server.requests[0]?.body))).toEqual({
        grant_type: 'client_credentials',
        scope: 'https://api.ebay.com/oauth/api_scope',
      });
    });

    test('that re-serialises to the same text but came otherwise is not genuine', async () => {
      server.script(TOKEN, PUBLIC_KEY);
      const { headers } = deliveryOf(CONFIRMED);
      const body = Buffer.from(JSON.stringify(CONFIRMED, null, 1));

      expect(await caller().hint({ headers, body })).toBeNull();
    });

    test.each<[string, Record<string, unknown>]>([
      ['a hash that nobody uses', { digest: 'MD5' }],
      ['a key id that is a path', { kid: '../../sell/fulfillment/v1/order' }],
      ['no key id', { kid: undefined }],
    ])('with %s is not genuine, and eBay is not asked', async (_name, header) => {
      expect(await caller().hint(deliveryOf(CONFIRMED, header))).toBeNull();
    });

    test('with a signature that is none is not genuine', async () => {
      server.script(TOKEN, PUBLIC_KEY);

      expect(await caller().hint(deliveryOf(CONFIRMED, { signature: btoa('no') }))).toBeNull();
    });

    test('with a key that eBay does not have is not genuine', async () => {
      server.script(TOKEN, { ...PUBLIC_KEY, status: 404, body: said(195001, 'The specified key id is invalid.') });

      expect(await caller().hint(deliveryOf(CONFIRMED))).toBeNull();
    });

    test('waits for a better moment when the key cannot be had', async () => {
      server.script(TOKEN, { ...PUBLIC_KEY, status: 503, body: '<html></html>' });

      expect(await failureOf(caller().hint(deliveryOf(CONFIRMED)))).toMatchObject({ kind: 'retryable' });
    });

    test('with ever new keys does not use up the calls of the day', async () => {
      const seller = caller();
      const invented = Array.from({ length: 5 }, () => randomUUID());
      const replies = invented.map((kid) => ({ ...PUBLIC_KEY, path: PUBLIC_KEY.path.replace(KID, kid), status: 404 }));
      server.script(TOKEN, ...replies.map((reply) => ({ ...reply, body: said(195001, 'invalid') })));
      for (const kid of invented) await seller.hint(deliveryOf(CONFIRMED, { kid }));

      const error = await failureOf(seller.hint(deliveryOf(CONFIRMED, { kid: randomUUID() })));

      expect(error).toMatchObject({ kind: 'retryable', code: 'throttled' });
    });

    test('is not listened to without a verification token', async () => {
      expect(await caller({ verificationToken: undefined }).hint(deliveryOf(CONFIRMED))).toBeNull();
    });
  });
});

describe('the question whether the address is ours', () => {
  const url = 'https://smista.example/webhooks/7';
  const ask = (verificationToken: string | undefined, query: Record<string, string>) =>
    ebay.webhook?.challenge?.({ ...account('https://api.ebay.com'), verificationToken }, { query, url });

  test('is answered with the hash of code, token and address, in this order', () => {
    const expected = createHash('sha256').update(`a1b2${VERIFICATION_TOKEN}${url}`).digest('hex');

    expect(ask(VERIFICATION_TOKEN, { challenge_code: 'a1b2' })).toEqual({ challengeResponse: expected });
  });

  test('is not answered without a token, or without a code', () => {
    expect(ask(undefined, { challenge_code: 'a1b2' })).toBeNull();
    expect(ask(VERIFICATION_TOKEN, {})).toBeNull();
  });
});
