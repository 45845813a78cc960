import { describe, expect, test } from 'vitest';
import { createAmazonSandbox } from '../../../sandbox/src/partners/amazon/index.ts';
import { failureOf } from '../call-marketplace.ts';
import { confirmationOf, ORDER, useAmazon } from './world.ts';

const ORDERS = '/orders/2026-01-01/orders';
const world = useAmazon();

describe('the adapter against the pretend Amazon', () => {
  test('imports the seeded orders: a company, an island, and two lines', async () => {
    const orders = await world
      .caller()
      .listAll({ modifiedAfter: new Date(Date.now() - 7_200_000), modifiedBefore: new Date() });

    expect(orders.map(({ problems }) => problems)).toEqual([[], [], []]);
    expect(orders).toMatchObject([
      { billing: { company: 'Vignali Tessuti Srl', vatNumber: 'IT00000000000' }, totalNet: '40.00' },
      { shipping: { city: 'Lipari', province: 'ME' }, shippingGross: '6.10', lines: [{ totalGross: '30.50' }] },
      { lines: [{ quantity: 3 }, { quantity: 2 }] },
    ]);
  });

  test('finds its package after a lost answer, and adds none', async () => {
    const order = await world.place();
    await world.fault('confirmShipment', 'accept-then-500');
    const caller = world.caller();

    const lost = await failureOf(caller.confirm(confirmationOf(order)));
    const again = await caller.confirm(confirmationOf(order));

    expect(lost.kind).toBe('unknown-outcome');
    expect(again).toMatchObject({ alreadySent: true, status: 'SHIPPED' });
    expect(caller.writes()).toHaveLength(1);
    expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 1, trackingNumbers: ['RM512345678'] });
  });

  test('leaves one package where a front end sent its call twice', async () => {
    const order = await world.place();
    await world.fault('confirmShipment', 'accept-twice');

    await world.caller().confirm(confirmationOf(order));

    expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 1 });
  });

  test.each(['reset', 'truncated'] as const)(
    'does not know the outcome of a confirmation that meets %s',
    async (fault) => {
      const order = await world.place();
      await world.fault('confirmShipment', fault);

      expect(await failureOf(world.caller().confirm(confirmationOf(order)))).toMatchObject({ kind: 'unknown-outcome' });
    },
  );

  test.each(['searchOrders', 'token'])('tries again when %s is throttled', async (operation) => {
    await world.fault(operation, 'status-429');
    const caller = world.caller();

    const error = await failureOf(caller.verify());

    expect(error).toMatchObject({ kind: 'retryable', code: 'rate_limited', retryAfterMs: 1000 });
  });

  test('keeps to its usage plan, and learns from Amazon that another process used it up', async () => {
    const refreshToken = 'Atzr|sandbox-busy';
    const one = world.caller({ refreshToken });
    for (let call = 0; call < 20; call++) await one.verify();

    const own = await failureOf(one.verify());
    const told = await failureOf(world.caller({ refreshToken }).verify());

    expect(own).toMatchObject({ kind: 'retryable', code: 'throttled' });
    expect(one.exchanges.filter(({ operation }) => operation === 'searchOrders')).toHaveLength(20);
    expect(told).toMatchObject({ kind: 'retryable', code: 'rate_limited' });
    expect(told.message).toContain('QuotaExceeded');
  });
});

describe('the pretend Amazon', () => {
  const detail = (orderItemId: unknown, more: object = {}) => ({
    marketplaceId: 'APJ6JRA9NG5V4',
    packageDetail: {
      packageReferenceId: '1',
      carrierCode: 'GLS',
      trackingNumber: 'RM500000001',
      shipDate: '2026-11-21T10:00:00Z',
      orderItems: [{ orderItemId, quantity: 1 }],
      ...more,
    },
  });
  const confirm = (id: string, body: object) => world.api('POST', `/orders/v0/orders/${id}/shipmentConfirmation`, body);

  test.each<[string, object, string]>([
    ['a reference that is a number', { packageReferenceId: 1 }, '[packageDetail.packageReferenceId]'],
    ['a reference in letters', { packageReferenceId: 'PKG' }, 'must be a positive numeric value'],
    ['no tracking number', { trackingNumber: '' }, '[packageDetail.trackingNumber]'],
    ['a carrier that it does not list', { carrierCode: 'gls' }, 'packageDetail.carrierCode'],
    ['another carrier without its name', { carrierCode: 'Other' }, 'packageDetail.carrierName'],
    ['a date of another zone', { shipDate: '2026-11-21T10:00:00+09:00' }, 'Invalid date/time field'],
    ['an item of another order', { orderItems: [{ orderItemId: '1', quantity: 1 }] }, 'OrderItemId is invalid'],
    ['items that are no list', { orderItems: { orderItemId: '1', quantity: 1 } }, 'OrderItemId is invalid'],
  ])('refuses %s in its own words', async (_name, more, words) => {
    const order = await world.place();

    const { status, json } = await confirm(order.externalId, detail(order.lines[0]?.externalLineId, more));

    expect(status).toBe(400);
    expect(json).toMatchObject({ errors: [{ code: 'InvalidInput' }] });
    expect(JSON.stringify(json)).toContain(words);
  });

  test('changes the package whose reference it knows, and refuses a new one when nothing is left', async () => {
    const order = await world.place({ orderItems: [{ ...ORDER.orderItems[1] }] });
    const item = order.lines[0]?.externalLineId;
    await confirm(order.externalId, detail(item));

    const changed = await confirm(order.externalId, detail(item, { trackingNumber: 'RM500000002' }));
    const another = await confirm(order.externalId, detail(item, { packageReferenceId: '2' }));

    expect(changed).toEqual({ status: 204, json: null });
    expect(another.status).toBe(400);
    expect(JSON.stringify(another.json)).toContain('PackageToUpdateNotFound');
    expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 1, trackingNumbers: ['RM500000002'] });
  });

  test.each<[string, string]>([
    [
      'an end less than two minutes ago',
      `lastUpdatedAfter=2026-11-20T00:00:00Z&lastUpdatedBefore=${new Date().toISOString()}`,
    ],
    ['both kinds of window', 'lastUpdatedAfter=2026-11-20T00:00:00Z&createdAfter=2026-11-20T00:00:00Z'],
    ['no window', 'maxResultsPerPage=1'],
    ['an end before the beginning', 'lastUpdatedAfter=2026-11-20T00:00:00Z&lastUpdatedBefore=2026-11-19T00:00:00Z'],
    ['a date of another zone', 'lastUpdatedAfter=2026-11-20T00:00:00%2B09:00'],
    ['a page of 101', 'lastUpdatedAfter=2026-11-20T00:00:00Z&maxResultsPerPage=101'],
    ['a status of v0', 'lastUpdatedAfter=2026-11-20T00:00:00Z&fulfillmentStatuses=Unshipped'],
    ['an unknown dataset', 'lastUpdatedAfter=2026-11-20T00:00:00Z&includedData=ADDRESS'],
    ['a token of its own making', 'lastUpdatedAfter=2026-11-20T00:00:00Z&paginationToken=abc'],
  ])('refuses a search with %s', async (_name, query) => {
    expect(await world.api('GET', `${ORDERS}?${query}`)).toMatchObject({
      status: 400,
      json: { errors: [{ code: 'InvalidInput' }] },
    });
  });

  test('refuses a token of one search for another', async () => {
    const search = (query: string) => world.api('GET', `${ORDERS}?maxResultsPerPage=1&${query}`);
    const { json } = await search('lastUpdatedAfter=2026-01-01T00:00:00Z');
    const { nextToken } = (json as { pagination: { nextToken: string } }).pagination;
    const next = encodeURIComponent(nextToken);

    const same = await search(`lastUpdatedAfter=2026-01-01T00:00:00Z&includedData=BUYER&paginationToken=${next}`);
    const other = await search(`lastUpdatedAfter=2026-01-02T00:00:00Z&paginationToken=${next}`);

    expect([same.status, other.status]).toEqual([200, 400]);
  });

  test('shows only the datasets that are asked for', async () => {
    const order = await world.place();

    const { json } = await world.api('GET', `${ORDERS}/${order.externalId}?includedData=FULFILLMENT`);

    const shown = (json as { order: Record<string, unknown> }).order;
    expect(Object.keys(shown)).toEqual(
      expect.arrayContaining(['orderId', 'fulfillment', 'orderItems', 'salesChannel']),
    );
    expect(Object.keys(shown)).not.toEqual(expect.arrayContaining(['recipient']));
    expect(shown).not.toHaveProperty('proceeds');
  });

  test('lets a token live for an hour', async () => {
    const order = await world.place();
    const caller = world.caller();
    await caller.read(order.externalId);
    await world.advance(2);

    const again = await caller.read(order.externalId);

    expect(again?.externalId).toBe(order.externalId);
    expect(caller.exchanges.map(({ operation, status }) => `${operation} ${status}`)).toEqual([
      'token 200',
      'getOrder 200',
      'getOrder 403',
      'token 200',
      'getOrder 200',
    ]);
  });

  test('keeps its books over a restart', () => {
    const still = { now: () => new Date('2026-11-21T10:00:00Z'), touch: () => undefined };
    const before = createAmazonSandbox(still);
    const books = JSON.stringify(before.save()).replaceAll('UNSHIPPED', 'CANCELLED');

    const after = createAmazonSandbox(still);
    after.load(JSON.parse(books));

    expect(JSON.stringify(after.save())).toBe(books);
    expect(after.ledger()).toHaveLength(3);
  });

  test('names its operations', () => {
    const { operationOf } = createAmazonSandbox({ now: () => new Date(), touch: () => undefined });
    const named = (method: string, path: string) => operationOf({ method, path, body: '' });

    expect(named('POST', '/auth/o2/token')).toBe('token');
    expect(named('GET', ORDERS)).toBe('searchOrders');
    expect(named('GET', `${ORDERS}/405-1`)).toBe('getOrder');
    expect(named('POST', '/orders/v0/orders/405-1/shipmentConfirmation')).toBe('confirmShipment');
    expect(named('POST', '/_seed/orders')).toBeNull();
  });
});
