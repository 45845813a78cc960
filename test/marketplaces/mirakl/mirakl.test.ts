import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mirakl } from '../../../src/marketplaces/mirakl/index.ts';
import { type ScriptedReply, type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';
import { callerOf, failureOf } from '../call-marketplace.ts';
import { testMarketplace } from '../conformance.ts';

const ID = 'Ordine_1-A';
const account = (url: string) => ({ baseUrl: url, apiKey: 'private-shop-key' });
const orderOf = (order_id: string, more: object = {}) => ({
  order_id,
  created_date: '2026-11-20T09:00:00Z',
  last_updated_date: '2026-11-20T10:30:00Z',
  order_state: 'SHIPPING',
  currency_iso_code: 'EUR',
  total_price: 20,
  order_lines: [{ order_line_id: '1-1', order_line_state: 'SHIPPING', product_title: 'Tazza', quantity: 2, price: 20 }],
  ...more,
});
const page = (orders: unknown[], total_count = orders.length): ScriptedReply => ({
  method: 'GET',
  path: '/api/orders',
  body: { orders, total_count },
});
const WAITING = orderOf(ID, { order_state: 'WAITING_ACCEPTANCE' });
const WINDOW = { modifiedAfter: new Date('2026-11-20T00:00:00Z'), modifiedBefore: new Date('2026-11-21T00:00:00Z') };
const NUMBER = 'BR512345678';
const LINK = 'https://track.example/brt/BR512345678';
const CONFIRMATION = {
  externalOrderId: ID,
  lines: [{ externalLineId: '1-1', quantity: 2 }],
  trackingNumber: NUMBER,
  carrierId: 'brt',
  carrierName: 'BRT',
  trackingUrl: LINK,
  shippedOn: '2026-11-21',
};
const put = (action: string, more: Partial<ScriptedReply> = {}): ScriptedReply => ({
  method: 'PUT',
  path: `/api/orders/${ID}/${action}`,
  status: 204,
  ...more,
});
const SHIPPED = { shipping_tracking: NUMBER, shipping_company: 'BRT', shipping_tracking_url: LINK };

testMarketplace({
  marketplace: mirakl,
  account,
  secrets: ['private-shop-key'],
  requiredField: 'apiKey',
  verify: page([]),
  refusedKey: { status: 401, body: { code: 'UNAUTHORIZED', message: 'Unauthorized' } },
  listing: { pages: [page([orderOf('1'), orderOf('2')], 3), page([orderOf('3')], 3)], numbers: ['1', '2', '3'] },
  reading: { externalId: ID, found: [page([orderOf(ID)])], externalNumber: ID, absent: [page([])] },
  poison: {
    page: [page([orderOf('1'), orderOf('2', { last_updated_date: 'ieri' }), { no: 'id' }, null, orderOf('3')])],
    numbers: ['1', '3'],
    unreadable: ['2'],
  },
  confirming: {
    confirmation: CONFIRMATION,
    detected: { carriers: [] },
    reads: [page([orderOf(ID)])],
    writes: [put('tracking'), put('ship')],
    ownWords: {
      silentYes: [204],
      // The order is read again, because Mirakl may refuse what it has already.
      refused: [{ status: 400, body: { message: "Unknown carrier code 'C-7'" } }, page([orderOf(ID)])],
    },
    readsAfterwards: [page([orderOf(ID, { order_state: 'SHIPPED', ...SHIPPED })])],
    result: {
      alreadySent: false,
      transactionId: ID,
      trackingCarrier: 'BRT',
      trackingNumber: NUMBER,
      trackingUrl: LINK,
      status: 'SHIPPED',
    },
  },
});

describe('Mirakl', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());
  const shop = (more: object = {}) => callerOf(mirakl, { account: { ...account(server.url), ...more } });

  test('is asked with the bare key, for the shop, in both ends of the window and with taxes', async () => {
    server.script(page([]));

    await shop({ shopId: '2005' }).listAll(WINDOW);

    expect(server.requests[0]?.headers.authorization).toBe('private-shop-key');
    expect(Object.fromEntries(server.requests[0]?.query ?? [])).toEqual({
      shop_id: '2005',
      start_update_date: '2026-11-20T00:00:00.000Z',
      end_update_date: '2026-11-21T00:00:00.000Z',
      sort: 'dateCreated',
      order: 'asc',
      max: '100',
      offset: '0',
      order_tax_mode: 'TAX_INCLUDED',
    });
  });

  test('is read again from further ahead when orders left the window between two pages', async () => {
    server.script(
      page([orderOf('1'), orderOf('2')], 4),
      page([orderOf('4')], 3),
      page([orderOf('3'), orderOf('4')], 3),
    );

    const orders = await shop().listAll(WINDOW);

    expect(orders.map(({ externalId }) => externalId)).toEqual(['1', '2', '3', '4']);
    expect(server.requests.map(({ query }) => query.get('offset'))).toEqual(['0', '2', '1']);
  });

  test('ends a list that promises more than it holds', async () => {
    server.script(page([orderOf('1')], 2), page([], 2));

    expect(await shop().listAll(WINDOW)).toHaveLength(1);
  });

  test('stops reading shipments when the next page is the same one', async () => {
    const shipments = (next_page_token: string): ScriptedReply => ({
      method: 'GET',
      path: '/api/shipments',
      body: { data: [{ id: 'S1' }], next_page_token },
    });
    server.script(page([orderOf(ID)]), shipments('again'), shipments('again'));

    const error = await failureOf(shop({ multipleShipments: true }).confirm(CONFIRMATION));

    expect(error).toMatchObject({ kind: 'retryable', code: 'answer-unreadable' });
    expect(server.requests.map(({ query }) => query.get('page_token'))).toEqual([null, null, 'again']);
  });

  test('is not asked for a page that it never named', async () => {
    const asked = { ...WINDOW, page: 'next' };
    const context = { account: account(server.url) } as never;

    expect(await failureOf(mirakl.listOrders(context, asked))).toMatchObject({ code: 'validation' });
  });

  test.each([
    [false, 60_000],
    [true, 15 * 60_000],
  ])('is asked for lists as seldom as it wants (external partner: %s)', async (externalPartner, pauseMs) => {
    const asked: [string, { capacity: number; perSecond: number }][] = [];
    const budget = (name: string, rule: { capacity: number; perSecond: number }) => {
      asked.push([name, rule]);
      return { take: () => Promise.reject(new Error('later')), report: () => Promise.resolve() };
    };
    const context = { account: { ...account(server.url), externalPartner }, budget } as never;

    await expect(mirakl.listOrders(context, { ...WINDOW, page: null })).rejects.toThrow('later');

    expect(asked).toEqual([['OR11', { capacity: 1, perSecond: 1000 / pauseMs }]]);
  });

  test('holds an order that waits to be accepted, and says nothing to Mirakl', async () => {
    server.script(page([WAITING]));
    const caller = shop();

    const [order] = await caller.listAll(WINDOW);

    expect(order).toMatchObject({
      state: 'held',
      problems: expect.arrayContaining([expect.stringContaining('accept')]),
    });
    expect(caller.writes()).toEqual([]);
  });

  test('accepts every line of an order when the account says so', async () => {
    server.script(page([WAITING]), put('accept'));

    const [order] = await shop({ acceptOrders: true }).listAll(WINDOW);

    expect(order?.state).toBe('held');
    expect(order?.problems[0]).toContain('accepted just now');
    expect(JSON.parse(server.requests[1]?.body ?? '')).toEqual({ order_lines: [{ id: '1-1', accepted: true }] });
  });

  test('keeps the words with which an acceptance is refused, and imports the order', async () => {
    const refusal = { status: 400, body: { code: 'ORDER_PARTIAL_ACCEPTANCE_DISABLED', message: 'No parts' } };
    server.script(page([WAITING]), put('accept', refusal));

    const [order] = await shop({ acceptOrders: true }).listAll(WINDOW);

    expect(order?.problems[0]).toContain('No parts [ORDER_PARTIAL_ACCEPTANCE_DISABLED]');
  });

  test('names an order whose acceptance got lost, so that it is read again, and goes on with the others', async () => {
    server.script(page([WAITING, orderOf('2')]), put('accept', { status: 500, body: 'Error' }));
    const caller = shop({ acceptOrders: true });

    const orders = await caller.listAll(WINDOW);

    expect(orders.map(({ externalId }) => externalId)).toEqual(['2']);
    expect(caller.unreadable()).toEqual([ID]);
  });

  test('does not accept lines that it cannot read', async () => {
    server.script(page([{ ...WAITING, order_lines: [null] }]));

    const [order] = await shop({ acceptOrders: true }).listAll(WINDOW);

    expect(order?.problems[0]).toContain('not accepted');
  });

  test('accepts an order that is read on its own', async () => {
    server.script(page([WAITING]), put('accept'));

    expect((await shop({ acceptOrders: true }).read(ID))?.problems[0]).toContain('accepted just now');
  });

  test('tells its carriers once, for the connection to keep', async () => {
    const carriers = [{ code: 'GLS', label: 'GLS Italy', standard_code: null }, { label: 'No code' }];
    server.script({ method: 'GET', path: '/api/shipping/carriers', body: { carriers } });

    expect(await shop().detect()).toEqual({ carriers: [{ code: 'GLS', label: 'GLS Italy', standardCode: '' }] });
  });

  test.each<[string, Partial<ScriptedReply>, object]>([
    ['a missing role', { status: 403, body: { message: 'Forbidden' } }, { code: 'permission_missing' }],
    ['the page of a firewall', { status: 403, body: '<h1>Blocked</h1>' }, { code: 'platform_unavailable' }],
    ['maintenance', { status: 503, body: '' }, { code: 'platform_unavailable', kind: 'retryable' }],
    ['a limit without a pause', { status: 429, body: '' }, { code: 'rate_limited', retryAfterMs: 60_000 }],
    ['another address', { status: 302, body: '' }, { code: 'configuration', kind: 'permanent' }],
    ['an order that cannot be read', { body: { orders: [{ order_id: ID }], total_count: 1 } }, { kind: 'retryable' }],
  ])('that answers with %s is understood', async (_name, reply, expected) => {
    server.script({ ...page([]), ...reply });

    expect(await failureOf(shop().read(ID))).toMatchObject(expected);
  });
});
