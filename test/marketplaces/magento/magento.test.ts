import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { magento } from '../../../src/marketplaces/magento/index.ts';
import { type ScriptedReply, type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';
import { callerOf, failureOf } from '../call-marketplace.ts';
import { testMarketplace } from '../conformance.ts';
import { PARCEL } from '../marketplace-world.ts';
import { confirmationOf, SIGNATURE, useMagento } from './shop.ts';

const ORDERS = '/rest/all/V1/orders';
const orderOf = (entity_id: number, more: object = {}) => ({
  entity_id,
  increment_id: `00000${entity_id}`,
  state: 'processing',
  status: 'processing',
  created_at: '2026-11-20 09:00:00',
  updated_at: '2026-11-20 10:30:00',
  items: [{ item_id: 71, qty_ordered: 2, sku: 'TAZ' }],
  ...more,
});
const list = (items: unknown[], total_count = items.length): ScriptedReply => ({
  method: 'GET',
  path: ORDERS,
  body: { items, search_criteria: {}, total_count },
});
const HUNDRED = Array.from({ length: 100 }, (_, at) => orderOf(at + 1));
const found = (more?: object): ScriptedReply => ({ method: 'GET', path: `${ORDERS}/5`, body: orderOf(5, more) });
const shipments = (...items: unknown[]): ScriptedReply => ({
  method: 'GET',
  path: '/rest/all/V1/shipments',
  body: { items, total_count: items.length },
});
const SHIPMENT = {
  entity_id: 900,
  order_id: 5,
  items: [{ order_item_id: 71, qty: 2 }],
  tracks: [{ track_number: 'RM512345678', title: 'GLS Italy', carrier_code: 'custom' }],
};
const INTERNAL = {
  status: 500,
  body: { message: 'Internal Error. Details are available in Magento log file. Report ID: webapi-1' },
};
const account = (url: string) => ({ url, accessToken: 'private-access-token' });
const CONFIRMATION = {
  externalOrderId: '5',
  lines: [{ externalLineId: '71', quantity: 2 }],
  ...PARCEL,
};
const SHIP: ScriptedReply = { method: 'POST', path: '/rest/all/V1/order/5/ship', body: 900 };

testMarketplace({
  marketplace: magento,
  account,
  secrets: ['private-access-token'],
  requiredField: 'accessToken',
  verify: list([]),
  refusedKey: {
    status: 401,
    body: {
      message: "The consumer isn't authorized to access %resources.",
      parameters: { resources: 'Magento_Sales::actions_view' },
    },
  },
  listing: {
    pages: [list(HUNDRED, 101), list([orderOf(101)])],
    numbers: Array.from({ length: 101 }, (_, at) => `00000${at + 1}`),
  },
  reading: {
    externalId: '5',
    found: [found()],
    externalNumber: '000005',
    absent: [
      {
        method: 'GET',
        path: `${ORDERS}/5`,
        status: 404,
        body: { message: "The entity that was requested doesn't exist. Verify the entity and try again." },
      },
    ],
  },
  poison: {
    page: [list([orderOf(1), orderOf(2, { updated_at: 'yesterday' }), { no: 'id' }, null, orderOf(3)])],
    numbers: ['000001', '000003'],
    unreadable: ['2'],
  },
  confirming: {
    confirmation: CONFIRMATION,
    detected: {},
    // The last one is the status after the shipment.
    reads: [found(), shipments(), { ...found({ state: 'complete', status: 'complete' }), isOptional: true }],
    writes: [SHIP],
    ownWords: {
      refused: [
        {
          status: 400,
          body: {
            message:
              'Shipment Document Validation Error(s):\nA shipment cannot be created when an order has a status of holded',
          },
        },
      ],
    },
    readsAfterwards: [found({ state: 'complete', status: 'complete' }), shipments(SHIPMENT)],
    result: {
      alreadySent: false,
      transactionId: '900',
      trackingCarrier: 'custom GLS Italy',
      trackingNumber: 'RM512345678',
      trackingUrl: '',
      status: 'complete',
    },
  },
});

describe('a page of orders', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());

  const WINDOW = {
    modifiedAfter: new Date('2026-11-20T00:00:00.700Z'),
    modifiedBefore: new Date('2026-11-21T00:00:00Z'),
  };
  const caller = () => callerOf(magento, { account: account(server.url) });
  const query = (name: string, at = 0) => server.requests[at]?.query.get(`searchCriteria${name}`);

  test('is asked for by both ends of the window in UTC, lowest id first', async () => {
    server.script(list([]));

    await caller().listAll(WINDOW);

    const filter = (group: number) =>
      ['field', 'condition_type', 'value'].map((part) => query(`[filter_groups][${group}][filters][0][${part}]`));
    expect([filter(0), filter(1)]).toEqual([
      ['updated_at', 'gteq', '2026-11-20 00:00:00'],
      ['updated_at', 'lteq', '2026-11-21 00:00:00'],
    ]);
    expect([query('[sortOrders][0][field]'), query('[sortOrders][0][direction]'), query('[pageSize]')]).toEqual([
      'entity_id',
      'ASC',
      '100',
    ]);
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer private-access-token',
      'user-agent': 'smista',
    });
  });

  test('after the first begins behind the last id of the one before', async () => {
    server.script(list(HUNDRED, 101), list([orderOf(140)]));

    await caller().listAll(WINDOW);

    expect(query('[filter_groups][2][filters][0][value]', 1)).toBe('100');
    expect(query('[filter_groups][2][filters][0][condition_type]', 1)).toBe('gt');
  });

  test('is refused when it was never given out', async () => {
    const run = magento.listOrders({ account: account(server.url) } as never, { ...WINDOW, page: 'two' });

    expect(await failureOf(run)).toMatchObject({ kind: 'permanent', code: 'validation' });
  });

  test('blames no order when the whole shop is broken', async () => {
    const failing = Array.from({ length: 8 }, () => ({ ...list([]), ...INTERNAL }));
    server.script(...failing);

    const error = await failureOf(caller().listAll(WINDOW));

    expect(error).toMatchObject({ kind: 'retryable', code: 'platform_unavailable' });
  });

  test('that is a web page is not looked through for a broken order', async () => {
    server.script({ ...list([]), status: 500, body: '<h1>Error</h1>' });

    expect(await failureOf(caller().listAll(WINDOW))).toMatchObject({ code: 'platform_unavailable' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('refusals of a read', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());

  const said = (message: string, parameters?: unknown) => ({ message, ...(parameters ? { parameters } : {}) });
  test.each<[string, number, unknown, string, string]>([
    ['a bad parameter', 400, said('"%fieldName" is required.'), 'permanent', 'validation'],
    ['a wrong signature', 401, said('The signature is invalid. Verify and try again.'), 'permanent', 'auth_invalid'],
    ['an expired key', 401, said('Consumer key has expired'), 'permanent', 'auth_expired'],
    ['an address without interface', 404, said('Request does not match any route.'), 'permanent', 'configuration'],
    ['a moved address', 301, '', 'permanent', 'configuration'],
    ['an internal error', 500, INTERNAL.body, 'retryable', 'platform_unavailable'],
    ['maintenance', 503, '<h1>Maintenance</h1>', 'retryable', 'platform_unavailable'],
    ['a firewall page', 403, '<p>Blocked</p>', 'retryable', 'platform_unavailable'],
    ['a strange 404', 404, '<p>Not found</p>', 'retryable', 'platform_unavailable'],
    ['a page instead of data', 200, '<p>Hello</p>', 'retryable', 'platform_unavailable'],
    ['data of another shape', 200, { payload: [] }, 'retryable', 'answer-unreadable'],
  ])('are called by their names: %s', async (_name, status, body, kind, code) => {
    server.script({ ...list([]), status, body });

    expect(await failureOf(callerOf(magento, { account: account(server.url) }).verify())).toMatchObject({ kind, code });
  });

  test.each<[string, object, string]>([
    ['a list', { message: 'No %1 of %2, not %10', parameters: ['field', 'order'] }, 'No field of order, not %10'],
    ['names', { message: '"%fieldName" is %field', parameters: { field: 'x', fieldName: 'qty' } }, '"qty" is x'],
    ['nothing', { message: '100% %1' }, '100% %1'],
    [
      'sentences below',
      { message: 'Wrong', parameters: [], errors: [{ message: '%1 missing', parameters: ['sku'] }] },
      'Wrong; sku missing',
    ],
  ])('have their words put together from %s', async (_name, body, words) => {
    server.script({ ...list([]), status: 400, body });

    const error = await failureOf(callerOf(magento, { account: account(server.url) }).verify());

    expect(error.message).toBe(`Magento refused orders.list: ${words}`);
  });
});

describe('the login', () => {
  const shop = useMagento();

  test('signs every question so that the shop understands it', async () => {
    const signed = shop.caller(SIGNATURE);
    const order = await shop.place();

    await signed.verify();
    const confirmed = await signed.confirm(confirmationOf(order));

    expect(confirmed.alreadySent).toBe(false);
  });

  test('sends no secret when it signs', async () => {
    const server = await startScriptedServer();
    server.script(list([]));

    await callerOf(magento, { account: { ...account(server.url), ...SIGNATURE } }).verify();

    const header = String(server.requests[0]?.headers.authorization);
    expect(header).toMatch(/^OAuth oauth_consumer_key="sandbox-consumer", .*oauth_signature_method="HMAC-SHA256"/);
    expect(header).not.toMatch(/secret/);
    await server.close();
  });

  test.each<[string, Record<string, string>, string]>([
    ['an unknown bearer token', { accessToken: 'other' }, "isn't authorized to access Magento_Sales::actions_view"],
    ['a wrong consumer secret', { ...SIGNATURE, consumerSecret: 'wrong' }, 'The signature is invalid'],
    ['a wrong token secret', { ...SIGNATURE, accessTokenSecret: 'wrong' }, 'The signature is invalid'],
    ['an unknown consumer', { ...SIGNATURE, consumerKey: 'other' }, 'A consumer having the specified key'],
  ])('with %s is refused in words', async (_name, more, words) => {
    const error = await failureOf(shop.caller(more).verify());

    expect(error).toMatchObject({ kind: 'permanent', code: 'auth_invalid' });
    expect(error.message).toContain(words);
  });

  test('that may only read cannot confirm', async () => {
    const order = await shop.place();

    const error = await failureOf(shop.caller({ accessToken: 'sandbox-readonly' }).confirm(confirmationOf(order)));

    expect(error).toMatchObject({ kind: 'permanent', code: 'permission_missing' });
    expect(await shop.ledger(order)).toMatchObject({ confirmed: 0 });
  });

  test('with half of a signature is an incomplete account', async () => {
    const error = await failureOf(shop.caller({ consumerKey: 'sandbox-consumer' }).verify());

    expect(error).toMatchObject({ code: 'account-invalid' });
    expect(error.message).toContain('consumerKey');
  });
});
