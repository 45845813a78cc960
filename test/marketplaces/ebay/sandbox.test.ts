import { describe, expect, test } from 'vitest';
import { createEbaySandbox } from '../../../sandbox/src/partners/ebay/index.ts';
import { failureOf } from '../call-marketplace.ts';
import { confirmationOf, ORDER, useEbay, VERIFICATION_TOKEN } from './world.ts';

const ORDERS = '/sell/fulfillment/v1/order';
const world = useEbay();

describe('the adapter against the pretend eBay', () => {
  test('imports the seeded orders: a company, an island, and two lines', async () => {
    const orders = await world
      .caller()
      .listAll({ modifiedAfter: new Date(Date.now() - 7_200_000), modifiedBefore: new Date() });

    expect(orders.map(({ problems }) => problems)).toEqual([[], [], []]);
    expect(orders).toMatchObject([
      { shipping: { company: 'Crestani Filati Srl', city: 'Biella' }, totalGross: '61.00' },
      { shipping: { city: 'Pantelleria', province: 'TP' }, shippingGross: '8.50' },
      { lines: [{ quantity: 3 }, { quantity: 2 }] },
    ]);
    expect(await world.caller().read(orders[0]?.externalId ?? '')).toMatchObject({
      billing: { vatNumber: 'IT00000000000' },
    });
  });

  test('imports every page of a window, and nothing beside it', async () => {
    const day = '2026-10-07T10:00:00.000Z';
    const seeds = Array.from({ length: 201 }, () => world.seed({ ...ORDER, creationDate: day }));
    const inside = await Promise.all(seeds);
    await world.seed({ ...ORDER, creationDate: '2026-10-07T09:59:59.999Z' });
    await world.seed({ ...ORDER, creationDate: '2026-10-07T10:30:00.001Z' });
    const caller = world.caller();

    const orders = await caller.listAll({
      modifiedAfter: new Date(day),
      modifiedBefore: new Date('2026-10-07T10:30:00Z'),
    });

    expect(orders.map(({ externalId }) => externalId).toSorted()).toEqual(inside.toSorted());
    expect(caller.exchanges.filter(({ operation }) => operation === 'getOrders')).toHaveLength(2);
  });

  test('sees a confirmed order as shipped', async () => {
    const order = await world.place();
    await world.caller().confirm(confirmationOf(order));

    const again = await world.caller().read(order.externalId);

    expect(again?.state).toBe('shipped');
    expect(again?.modifiedAt.getTime()).toBeGreaterThan(order.modifiedAt.getTime());
  });

  test.each(['accept-then-500', 'truncated', 'html', 'empty'] as const)(
    'finds its fulfilment after %s, and adds none',
    async (fault) => {
      const order = await world.place();
      await world.fault('createShippingFulfillment', fault);
      const caller = world.caller();

      const lost = await failureOf(caller.confirm(confirmationOf(order)));
      const again = await caller.confirm(confirmationOf(order));

      expect(lost.kind).toBe('unknown-outcome');
      expect(again).toMatchObject({ alreadySent: true, status: 'FULFILLED' });
      expect(caller.writes()).toHaveLength(1);
      expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 1, trackingNumbers: ['RM512345678'] });
    },
  );

  test('writes after a call that was cut before eBay did anything', async () => {
    const order = await world.place();
    await world.fault('createShippingFulfillment', 'reset');
    const caller = world.caller();

    const lost = await failureOf(caller.confirm(confirmationOf(order)));
    const again = await caller.confirm(confirmationOf(order));

    expect(lost.kind).toBe('unknown-outcome');
    expect(again.alreadySent).toBe(false);
    expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 1 });
  });

  test('takes the refusal of the second of two equal calls for the success of the first', async () => {
    const order = await world.place();
    await world.fault('createShippingFulfillment', 'accept-twice');

    const confirmed = await world.caller().confirm(confirmationOf(order));

    expect(confirmed).toMatchObject({ alreadySent: true, transactionId: 'RM512345678' });
    expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 1 });
  });

  test.each(['getOrders', 'userToken'])('tries again when %s is throttled', async (operation) => {
    await world.fault(operation, 'status-429');

    const error = await failureOf(world.caller().verify());

    expect(error).toMatchObject({ kind: 'retryable', code: 'rate_limited', retryAfterMs: 1000 });
  });

  test('is told that the calls of the day are used up', async () => {
    const error = await failureOf(world.caller({ refreshToken: 'sandbox-throttled' }).verify());

    expect(error).toMatchObject({ kind: 'retryable', code: 'rate_limited' });
    expect(error.message).toContain('[2001]');
  });

  test('believes what the pretend eBay signed about an order', async () => {
    const order = await world.place();
    const signed = await fetch(`${world.url()}/_notifications/${order.externalId}`);
    const { headers, body } = (await signed.json()) as { headers: Record<string, string>; body: string };
    const caller = world.caller({ verificationToken: VERIFICATION_TOKEN });

    const hint = await caller.hint({ headers, body: Buffer.from(body) });
    const tampered = await caller.hint({ headers, body: Buffer.from(body.replace(order.externalId, '17-0')) });

    expect(hint).toEqual({ deliveryId: expect.any(String), externalOrderId: order.externalId });
    expect(tampered).toBeNull();
  });
});

describe('the pretend eBay', () => {
  const search = (filter: string) => `${ORDERS}?filter=${encodeURIComponent(filter)}`;
  const from = '2026-11-01T00:00:00.000Z';
  const errorIdOf = (json: unknown) => (json as { errors: { errorId: number }[] }).errors[0]?.errorId;

  test.each<[string, string, number]>([
    ['an unknown filter', search('colour:red'), 30700],
    ['a status on its own', search('orderfulfillmentstatus:{FULFILLED}'), 30800],
    ['a date without milliseconds and zone', search('creationdate:[2026-11-01..]'), 30810],
    ['no start', search('lastmodifieddate:[..2026-11-02T00:00:00.000Z]'), 30820],
    ['three years', search('creationdate:[2023-01-01T00:00:00.000Z..2026-11-01T00:00:00.000Z]'), 30830],
    ['a start after the end', search(`creationdate:[${from}..2026-10-01T00:00:00.000Z]`), 30840],
    ['the future', search(`creationdate:[${from}..2199-01-01T00:00:00.000Z]`), 30850],
    ['51 ids', `${ORDERS}?orderIds=${Array.from({ length: 51 }, (_, index) => index).join(',')}`, 30900],
    ['an offset in words', `${ORDERS}?offset=ten`, 31000],
    ['a limit above 200', `${ORDERS}?limit=201`, 31100],
    ['an unknown field group', `${ORDERS}?fieldGroups=ALL`, 32800],
    ['an order that is not there', `${ORDERS}/00-0`, 32100],
    ['a fulfilment that is not there', `${ORDERS}/17-00001-00017/shipping_fulfillment/999`, 32110],
  ])('refuses %s', async (_name, path, errorId) => {
    const { status, json } = await world.api('GET', path);

    expect([status, errorIdOf(json)]).toEqual([400, errorId]);
  });

  test.each<[string, (line: string) => object, number]>([
    ['nothing', () => ({}), 32600],
    ['an unknown line', () => ({ lineItems: [{ lineItemId: '1', quantity: 1 }] }), 32200],
    ['a line twice', (id) => ({ lineItems: [{ lineItemId: id }, { lineItemId: id }] }), 32210],
    ['more than was ordered', (id) => ({ lineItems: [{ lineItemId: id, quantity: 3 }] }), 32600],
    ['a carrier without a number', (id) => ({ lineItems: [{ lineItemId: id }], shippingCarrierCode: 'GLS' }), 32300],
    ['a number without a carrier', (id) => ({ lineItems: [{ lineItemId: id }], trackingNumber: 'A1' }), 32300],
    [
      'a hyphen in the number',
      (id) => ({ lineItems: [{ lineItemId: id }], trackingNumber: 'A-1', shippingCarrierCode: 'GLS' }),
      32300,
    ],
    ['a day without its time', (id) => ({ lineItems: [{ lineItemId: id }], shippedDate: '2026-11-20' }), 32500],
  ])('refuses a fulfilment of %s', async (_name, bodyOf, errorId) => {
    const order = await world.place();
    const path = `${ORDERS}/${order.externalId}/shipping_fulfillment`;

    const { status, json } = await world.api('POST', path, bodyOf(order.lines[0]?.externalLineId ?? ''));

    expect([status, errorIdOf(json)]).toEqual([400, errorId]);
    expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 0 });
  });

  test('tells in lists neither the tax number nor what became of a cancellation', async () => {
    const id = await world.seed({
      ...ORDER,
      buyer: { username: 'x', taxIdentifier: { taxpayerId: '1', taxIdentifierType: 'VATIN' } },
      cancelStatus: { cancelState: 'IN_PROGRESS', cancelRequests: [{ cancelRequestState: 'REJECTED' }] },
    });

    const { json } = await world.api('GET', `${ORDERS}?orderIds=${id}`);

    expect((json as { orders: object[] }).orders[0]).toMatchObject({
      buyer: { username: 'x' },
      cancelStatus: { cancelState: 'IN_PROGRESS', cancelRequests: [] },
    });
    expect(JSON.stringify(json)).not.toContain('taxIdentifier');
  });

  test.each<[string, Record<string, string>, number, number]>([
    ['no token', {}, 400, 1002],
    ['another scheme', { authorization: 'Basic eDp5' }, 400, 1003],
    ['a token of somebody else', { authorization: 'Bearer v^1.1#other' }, 401, 1001],
    ['an expired token', { authorization: 'Bearer v^1.1#sandbox#w#1' }, 401, 1001],
    ['the token of an application', { authorization: 'Bearer v^1.1#-#a#9999999999999' }, 403, 1100],
  ])('refuses entry with %s', async (_name, headers, status, errorId) => {
    const answer = await fetch(`${world.url()}${ORDERS}`, { headers });

    expect([answer.status, errorIdOf(await answer.json())]).toEqual([status, errorId]);
  });

  test('remembers over a restart, and names its operations', async () => {
    const here = { now: () => new Date('2026-11-21T10:00:00Z'), touch: () => undefined };
    const before = createEbaySandbox(here);
    const after = createEbaySandbox(here);
    after.load(JSON.parse(JSON.stringify(before.save())));
    const named = (method: string, path: string, body = '') => after.operationOf({ method, path, body });

    expect(after.ledger()).toEqual(before.ledger());
    expect(named('GET', ORDERS)).toBe('getOrders');
    expect(named('POST', `${ORDERS}/1/shipping_fulfillment`)).toBe('createShippingFulfillment');
    expect(named('POST', '/identity/v1/oauth2/token', 'grant_type=client_credentials')).toBe('applicationToken');
    expect(named('POST', '/_seed/orders')).toBeNull();
  });
});
