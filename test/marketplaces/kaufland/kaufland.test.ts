import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { kaufland } from '../../../src/marketplaces/kaufland/index.ts';
import { sign } from '../../../src/marketplaces/kaufland/sign.ts';
import { type ScriptedReply, type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';
import { callerOf, failureOf } from '../call-marketplace.ts';
import { testMarketplace } from '../conformance.ts';
import { PARCEL } from '../marketplace-world.ts';

const ID = 'MB7UWLD';
const UNITS = [314567896580917, 314567896580918] as const;
const SEND = `/order-units/${UNITS[0]}/send`;
const account = (url: string) => ({ clientKey: 'client', secretKey: 'very-private-secret', baseUrl: url });
const unitOf = (id_order_unit: unknown, more: object = {}) => ({
  id_order_unit,
  id_order: ID,
  ts_created_iso: '2026-11-20T09:00:00Z',
  ts_updated_iso: '2026-11-20T10:30:00Z',
  status: 'need_to_be_sent',
  currency: 'EUR',
  price: 1220,
  shipping_rate: 0,
  vat: 22,
  ...more,
});
const orderOf = (id_order: string, more: object = {}) => ({
  id_order,
  ts_created_iso: '2026-11-20T09:00:00Z',
  fulfillment_type: 'fulfilled_by_merchant',
  order_units: UNITS.map((id) => unitOf(id)),
  ...more,
});
const found = (id: string, more?: object): ScriptedReply => ({
  method: 'GET',
  path: `/orders/${id}`,
  body: { data: orderOf(id, more) },
});
const listed = (id_order: string, ts_units_updated_iso = '2026-11-20T10:30:00Z') => ({
  id_order,
  ts_units_updated_iso,
});
const page = (data: unknown[], total: number): ScriptedReply => ({
  method: 'GET',
  path: '/orders',
  body: { data, pagination: { offset: 0, limit: 100, total } },
});
const said = (type: string, message: string, errors: object[] = []) => ({ type, message, errors });
const CARRIERS: ScriptedReply = {
  method: 'GET',
  path: '/carriers',
  body: { data: { carriers: [{ name: 'GLS', isHauler: false }] } },
};
const sent = (id: number): ScriptedReply => ({ method: 'PATCH', path: `/order-units/${id}/send`, status: 204 });
const SENT_UNITS = { order_units: UNITS.map((id) => unitOf(id, { status: 'sent' })) };
const CONFIRMATION = {
  externalOrderId: ID,
  lines: UNITS.map((id) => ({ externalLineId: String(id), quantity: 1 })),
  ...PARCEL,
};

testMarketplace({
  marketplace: kaufland,
  account,
  secrets: ['very-private-secret'],
  requiredField: 'secretKey',
  verify: page([], 0),
  refusedKey: { status: 401, body: said('/problems/invalid-credentials', 'Invalid client key') },
  listing: {
    pages: [page([listed('A'), listed('B')], 3), found('A'), found('B'), page([listed('C')], 3), found('C')],
    numbers: ['A', 'B', 'C'],
  },
  reading: {
    externalId: ID,
    found: [found(ID)],
    externalNumber: ID,
    absent: [
      { method: 'GET', path: `/orders/${ID}`, status: 404, body: said('/problems/not-found', 'Resource not found') },
    ],
  },
  poison: {
    page: [
      page([listed('A'), listed('B'), { no: 'id' }, null, listed('C')], 5),
      found('A'),
      found('B', { ts_created_iso: '2016-05-06 23:07:41' }),
      found('C'),
    ],
    numbers: ['A', 'C'],
    unreadable: ['B'],
  },
  confirming: {
    confirmation: CONFIRMATION,
    detected: {},
    reads: [found(ID), CARRIERS],
    writes: [sent(UNITS[0]), sent(UNITS[1])],
    ownWords: {
      silentYes: [204],
      refused: [
        {
          status: 400,
          body: {
            message: 'Request parameters have invalid values',
            type: '/problems/validation-error',
            errors: [{ field: 'carrier_code', message: 'not valid' }],
          },
        },
      ],
    },
    readsAfterwards: [found(ID, SENT_UNITS), CARRIERS],
    result: {
      alreadySent: false,
      transactionId: ID,
      trackingCarrier: 'GLS',
      trackingNumber: 'RM512345678',
      trackingUrl: '',
      status: 'sent',
    },
  },
});

describe('Kaufland', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());
  const caller = (more: object = {}) => callerOf(kaufland, { account: { ...account(server.url), ...more } });
  const window = {
    modifiedAfter: new Date('2026-11-20T00:00:00.400Z'),
    modifiedBefore: new Date('2026-11-21T00:00:00Z'),
  };

  test('listens to no webhook, because it is not known how one would be signed', () => {
    expect(kaufland.webhook).toBeUndefined();
  });

  test('is asked at its own address unless the account names another', () => {
    const { baseUrl: _left, ...rest } = account('');

    expect(kaufland.account.parse(rest)).toMatchObject({ baseUrl: 'https://sellerapi.kaufland.com/v2' });
  });

  test('gets the hex HMAC of method, address, body and second', () => {
    const headers = sign(kaufland.account.parse({ clientKey: 'k', secretKey: 's' }) as never, {
      method: 'GET',
      url: 'https://sellerapi.kaufland.com/v2/orders?limit=1',
      body: '',
      now: new Date('2026-11-21T10:00:00.900Z'),
    });

    expect(headers).toEqual({
      'shop-client-key': 'k',
      'shop-timestamp': '1795255200',
      'shop-signature': '7b476cc07530141207cb1ff2bf16f73ec737d276b959d7d5ccec5c54f42a0ecc',
    });
  });

  test('is asked in whole seconds, a little early, for the storefront of the account', async () => {
    server.script(page([], 0));

    await caller({ storefront: 'it', baseUrl: `${server.url}/` }).listAll(window);

    expect(Object.fromEntries(server.requests[0]?.query ?? [])).toEqual({
      storefront: 'it',
      ts_units_updated_from_iso: '2026-11-19T23:59:59Z',
      limit: '100',
      offset: '0',
    });
  });

  test('is read no further than the end of the window, but what has no readable time is read', async () => {
    server.script(
      page([listed('LATE', '2026-11-21T00:00:01Z'), listed('ODD', '2019-07-19T17:24:05T'), listed('A')], 3),
      found('ODD'),
      found('A'),
    );

    const orders = await caller().listAll(window);

    expect(orders.map(({ externalId }) => externalId)).toEqual(['ODD', 'A']);
  });

  test('is paged by full pages where it does not count them', async () => {
    const late = Array.from({ length: 100 }, (_, index) => listed(`L${index}`, '2026-11-22T00:00:00Z'));
    server.script({ ...page([], 0), body: { data: late } }, { ...page([], 0), body: { data: [] } });

    await caller().listAll(window);

    expect(server.requests.map(({ query }) => query.get('offset'))).toEqual(['0', '100']);
  });

  test('may list an order that is gone when it is read: that one is named, the next one read', async () => {
    server.script(
      page([listed('GONE'), listed('A')], 2),
      { ...found('GONE'), status: 404, body: said('/problems/not-found', 'Resource not found') },
      found('A'),
    );
    const shop = caller();

    const orders = await shop.listAll(window);

    expect(orders.map(({ externalId }) => externalId)).toEqual(['A']);
    expect(shop.unreadable()).toEqual(['GONE']);
  });

  test('that answers an order of another shape is asked again later', async () => {
    server.script({ ...found(ID), body: { data: { id_order: ID } } });

    expect(await failureOf(caller().read(ID))).toMatchObject({ kind: 'retryable', code: 'answer-unreadable' });
  });

  const html = '<html>Blocked</html>';
  test.each<[string, number, unknown, string, string]>([
    ['a wrong key', 401, said('/problems/invalid-credentials', 'No such key'), 'permanent', 'auth_invalid'],
    ['a wrong signature', 401, said('/problems/corrupted-signature', 'Bad signature'), 'permanent', 'auth_invalid'],
    ['nobody', 401, said('/problems/unauthorized', 'Who are you'), 'permanent', 'auth_invalid'],
    ['a 401 without a type', 401, { message: 'No', errors: [] }, 'permanent', 'auth_invalid'],
    [
      'a header that is missing',
      401,
      said('/problems/missing-or-invalid-request-header', 'Shop-Timestamp'),
      'permanent',
      'configuration',
    ],
    ['a closed account', 403, said('/problems/inactive-account', 'Closed'), 'permanent', 'feature_disabled'],
    ['a forbidden call', 403, said('/problems/forbidden', 'You may not'), 'permanent', 'permission_missing'],
    ['a 403 without a type', 403, { message: 'No', errors: [] }, 'permanent', 'permission_missing'],
    [
      'a storefront that is not set up',
      400,
      said('/problems/storefront-not-configured', 'Not in it'),
      'permanent',
      'configuration',
    ],
    ['a bad value', 400, said('/problems/validation-error', 'Wrong'), 'permanent', 'validation'],
    ['too many calls', 429, html, 'retryable', 'rate_limited'],
    ['a pause', 503, said('/problems/service-unavailable', 'Later'), 'retryable', 'platform_unavailable'],
    ['a fault', 500, said('/problems/server-error', 'Oops'), 'retryable', 'platform_unavailable'],
    ['a page of a firewall', 403, html, 'retryable', 'platform_unavailable'],
    ['a page that is not there', 404, html, 'retryable', 'platform_unavailable'],
    ['a page instead of data', 200, html, 'retryable', 'platform_unavailable'],
    ['another address', 301, '', 'permanent', 'configuration'],
  ])('that answers a read with %s is understood', async (_name, status, body, kind, code) => {
    server.script({ ...page([], 0), status, body });

    const error = await failureOf(caller().verify());

    expect(error).toMatchObject({ kind, code });
    if (status >= 400 && code !== 'rate_limited' && typeof body === 'object') {
      expect(error.message).toContain((body as { message: string }).message);
    }
  });

  const field = (name: string) => [{ field: name, message: 'not valid' }];
  test.each<[string, number, unknown, string, string]>([
    [
      'an unknown carrier',
      400,
      said('/problems/validation-error', 'Bad', field('carrier_code')),
      'permanent',
      'carrier_invalid',
    ],
    ['a number it does not like', 400, said('', 'Bad', field('tracking_numbers')), 'permanent', 'tracking_invalid'],
    ['another field', 400, said('/problems/bad-request', 'Bad', field('id_order_unit')), 'permanent', 'validation'],
    [
      'a status that does not allow it',
      403,
      said('/problems/action-not-allowed', 'No'),
      'permanent',
      'order_not_shippable',
    ],
    ['a missing payment', 403, said('/problems/order-units/missing-payment', 'No'), 'permanent', 'order_not_shippable'],
    ['a key that only reads', 403, said('/problems/forbidden', 'No'), 'permanent', 'permission_missing'],
    ['a unit that is gone', 404, said('/problems/not-found', 'No'), 'permanent', 'order_not_found'],
    ['a pause', 503, html, 'retryable', 'platform_unavailable'],
    ['its own fault', 500, said('/problems/server-error', 'Oops'), 'unknown-outcome', 'partner-broken'],
  ])('that answers a confirmation with %s is understood', async (_name, status, body, kind, code) => {
    server.script(found(ID), CARRIERS, { method: 'PATCH', path: SEND, status, body });

    expect(await failureOf(caller().confirm(CONFIRMATION))).toMatchObject({ kind, code });
  });

  test('that refuses the second unit has the first: the next call sends the second alone', async () => {
    const refusal = { ...sent(UNITS[1]), status: 429, body: '' };
    const half = { order_units: [unitOf(UNITS[0], { status: 'sent' }), unitOf(UNITS[1])] };
    server.script(found(ID), CARRIERS, sent(UNITS[0]), refusal, found(ID, half), CARRIERS, sent(UNITS[1]));
    const shop = caller();

    const error = await failureOf(shop.confirm(CONFIRMATION));
    const confirmed = await shop.confirm(CONFIRMATION);

    expect(error).toMatchObject({ kind: 'unknown-outcome', code: 'rate_limited' });
    expect(confirmed).toMatchObject({ alreadySent: false, status: 'sent' });
  });

  test('that calls a unit a duplicate which is not sent is believed', async () => {
    const refusal = { ...sent(UNITS[0]), status: 403, body: said('/problems/duplicate-action', 'Again') };
    server.script(found(ID), CARRIERS, refusal, found(ID));

    const error = await failureOf(caller().confirm(CONFIRMATION));

    expect(error).toMatchObject({ kind: 'permanent', code: 'already_shipped' });
  });
});
