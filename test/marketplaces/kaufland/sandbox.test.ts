import { describe, expect, test } from 'vitest';
import { createKauflandSandbox } from '../../../sandbox/src/partners/kaufland/index.ts';
import { failureOf } from '../call-marketplace.ts';
import { CUP, confirmationOf, ORDER, signedHeaders, useKaufland } from './world.ts';

const world = useKaufland();

describe('the adapter against the pretend Kaufland', () => {
  test('imports the seeded orders: a company, an island, and three pieces of two products', async () => {
    const orders = await world
      .caller()
      .listAll({ modifiedAfter: new Date(Date.now() - 7_200_000), modifiedBefore: new Date() });

    expect(orders.map(({ problems }) => problems)).toEqual([[], [], []]);
    expect(orders).toMatchObject([
      { shipping: { company: 'Garzanelli Ferramenta Srl', city: 'Bologna' }, totalGross: '89.90' },
      { shipping: { city: 'Lampedusa' }, shippingGross: '7.90' },
      { lines: [{ sku: 'VAS-40' }, { sku: 'VAS-40' }, { sku: 'ANN-5' }], totalGross: '44.80' },
    ]);
  });

  test('imports every page of a window, and nothing beside it', async () => {
    const day = '2026-10-07T10:00:00Z';
    const inside = await Promise.all(
      Array.from({ length: 101 }, () => world.seed({ ...ORDER, order_units: [CUP], ts_created_iso: day })),
    );
    await world.seed({ ...ORDER, ts_created_iso: '2026-10-07T09:59:58Z' });
    const caller = world.caller();

    const orders = await caller.listAll({
      modifiedAfter: new Date(day),
      modifiedBefore: new Date('2026-10-07T10:30:00Z'),
    });

    expect(orders.map(({ externalId }) => externalId).toSorted()).toEqual(inside.toSorted());
    expect(caller.exchanges.filter(({ operation }) => operation === 'GetOrders')).toHaveLength(2);
  });

  test('imports the orders of one storefront alone where the account names it', async () => {
    const id = await world.seed({ ...ORDER, storefront: 'cz', ts_created_iso: '2026-09-07T10:00:00Z' });
    const window = {
      modifiedAfter: new Date('2026-09-07T00:00:00Z'),
      modifiedBefore: new Date('2026-09-08T00:00:00Z'),
    };

    const there = await world.caller({ storefront: 'cz' }).listAll(window);
    const elsewhere = await world.caller({ storefront: 'it' }).listAll(window);

    expect(there.map(({ externalId }) => externalId)).toEqual([id]);
    expect(elsewhere).toEqual([]);
  });

  test('sees a confirmed order as shipped', async () => {
    const order = await world.place();
    await world.caller().confirm(confirmationOf(order));

    const again = await world.caller().read(order.externalId);

    expect(again?.state).toBe('shipped');
    expect(again?.modifiedAt.getTime()).toBeGreaterThan(order.modifiedAt.getTime());
  });

  test.each(['accept-then-500', 'truncated', 'html', 'empty'] as const)(
    'skips the unit that was sent before %s, and makes one shipment in the end',
    async (fault) => {
      const order = await world.place();
      await world.fault('SendOrderUnit', fault);
      const caller = world.caller();

      const lost = await failureOf(caller.confirm(confirmationOf(order)));
      const again = await caller.confirm(confirmationOf(order));
      const third = await caller.confirm(confirmationOf(order));

      expect(lost.kind).toBe('unknown-outcome');
      expect(again).toMatchObject({ alreadySent: false, status: 'sent' });
      expect(third.alreadySent).toBe(true);
      expect(caller.writes()).toHaveLength(3);
      expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 1, trackingNumbers: ['RM512345678'] });
    },
  );

  test('finds a shipment of one unit whose answer was lost', async () => {
    const order = await world.place({ order_units: [CUP] });
    await world.fault('SendOrderUnit', 'accept-then-500');
    const caller = world.caller();

    const lost = await failureOf(caller.confirm(confirmationOf(order)));
    const again = await caller.confirm(confirmationOf(order));

    expect(lost.kind).toBe('unknown-outcome');
    expect(again).toMatchObject({ alreadySent: true, status: 'sent' });
    expect(caller.writes()).toHaveLength(1);
  });

  test('writes after a call that was cut before Kaufland did anything', async () => {
    const order = await world.place({ order_units: [CUP] });
    await world.fault('SendOrderUnit', 'reset');
    const caller = world.caller();

    const lost = await failureOf(caller.confirm(confirmationOf(order)));
    const again = await caller.confirm(confirmationOf(order));

    expect(lost.kind).toBe('unknown-outcome');
    expect(again.alreadySent).toBe(false);
    expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 1 });
  });

  test('takes the refusal of the second of two equal calls for the success of the first', async () => {
    const order = await world.place({ order_units: [CUP] });
    await world.fault('SendOrderUnit', 'accept-twice');

    const confirmed = await world.caller().confirm(confirmationOf(order));

    expect(confirmed).toMatchObject({ alreadySent: true, status: 'sent' });
    expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 1 });
  });

  test.each(['GetOrders', 'GetOrder', 'GetCarriers', 'SendOrderUnit'])(
    'tries again when %s is throttled',
    async (operation) => {
      const order = await world.place();
      await world.fault(operation, 'status-429');
      const caller = world.caller();

      const error = await failureOf(
        operation === 'GetOrders' ? caller.verify() : caller.confirm(confirmationOf(order)),
      );

      expect(error).toMatchObject({ kind: 'retryable', code: 'rate_limited', retryAfterMs: 1000 });
    },
  );

  test.each([
    [{ clientKey: 'somebody' }, 'auth_invalid'],
    [{ secretKey: 'sandbox-wrong' }, 'auth_invalid'],
    [{ clientKey: 'sandbox-inactive' }, 'feature_disabled'],
  ])('is told about the account %j', async (account, code) => {
    expect(await failureOf(world.caller(account).verify())).toMatchObject({ kind: 'permanent', code });
  });
});

describe('the pretend Kaufland', () => {
  const typeOf = (json: unknown) => (json as { type: string }).type;
  const fieldsOf = (json: unknown) => (json as { errors: { field: string }[] }).errors.map(({ field }) => field);

  test.each([
    ['/orders?limit=101', 'limit'],
    ['/orders?limit=0', 'limit'],
    ['/orders?offset=ten', 'offset'],
    ['/orders?ts_units_updated_from_iso=2026-11-20', 'ts_units_updated_from_iso'],
    ['/orders?ts_units_updated_from_iso=2026-11-20T00:00:00.000Z', 'ts_units_updated_from_iso'],
    ['/orders?storefront=ch', 'storefront'],
    ['/orders?sort=ts_created:asc', 'sort'],
    ['/orders/MSBX001?embedded=everything', 'embedded'],
  ])('refuses %s', async (path, field) => {
    const { status, json } = await world.api('GET', path);

    expect([status, typeOf(json), fieldsOf(json)]).toEqual([400, '/problems/validation-error', [field]]);
  });

  const good = { tracking_numbers: 'A1', carrier_code: 'DHL' };
  test.each<[string, object, string]>([
    ['without a number', { carrier_code: 'DHL' }, 'tracking_numbers'],
    ['with numbers in a list', { ...good, tracking_numbers: ['A1'] }, 'tracking_numbers'],
    ['without a carrier', { tracking_numbers: 'A1' }, 'carrier_code'],
    ['by a carrier it does not list', { ...good, carrier_code: 'Pony Express' }, 'carrier_code'],
    ['with a field it does not know', { ...good, shipped_on: 'today' }, 'shipped_on'],
  ])('marks nothing as sent %s', async (_name, body, field) => {
    const order = await world.place({ order_units: [CUP] });
    const path = `/order-units/${order.lines[0]?.externalLineId}/send`;

    const { status, json } = await world.api('PATCH', path, { body });

    expect([status, fieldsOf(json)]).toEqual([400, [field]]);
    expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 0 });
  });

  test('moves a unit from new over in fulfilment to sent, and no further', async () => {
    const order = await world.place({ order_units: [{ ...CUP, status: 'open' }] });
    const unit = `/order-units/${order.lines[0]?.externalLineId}`;
    const step = async (action: string) => (await world.api('PATCH', `${unit}/${action}`, { body: good })).status;

    const steps = [await step('fulfil'), await step('fulfil'), await step('send'), await step('send')];

    expect(steps).toEqual([204, 403, 204, 403]);
    expect((await world.api('GET', unit)).json).toMatchObject({ data: { status: 'sent' } });
    expect((await world.api('GET', '/order-units/1')).status).toBe(404);
    expect((await world.api('PATCH', '/order-units/1/send', { body: good })).status).toBe(404);
  });

  test('tells where an order goes to only when it is asked', async () => {
    const delivery = { pickup_location: { pickup_location_id: '260', provider: 'DHL' } };
    const id = await world.seed({ ...ORDER, delivery });

    const bare = await world.api('GET', `/orders/${id}`);
    const full = await world.api('GET', `/orders/${id}?embedded=delivery`);

    expect(JSON.stringify(bare.json)).not.toContain('pickup_location');
    expect(full.json).toMatchObject({ data: { delivery } });
  });

  const signed = () => signedHeaders({ method: 'GET', url: `${world.url()}/v2/carriers`, body: '' });
  test.each<[string, () => Record<string, string>, string]>([
    ['no headers', () => ({}), 'missing-or-invalid-request-header'],
    [
      'a date for a second',
      () => ({ ...signed(), 'shop-timestamp': '2026-11-21' }),
      'missing-or-invalid-request-header',
    ],
    ['another key', () => ({ ...signed(), 'shop-client-key': 'other' }), 'invalid-credentials'],
    ['another second', () => ({ ...signed(), 'shop-timestamp': '1700000000' }), 'corrupted-signature'],
    ['half a signature', () => ({ ...signed(), 'shop-signature': 'abc' }), 'corrupted-signature'],
    [
      'the signature of another address',
      () => signedHeaders({ method: 'GET', url: `${world.url()}/v2/orders`, body: '' }),
      'corrupted-signature',
    ],
  ])('refuses entry with %s', async (_name, headersOf, type) => {
    const { status, json } = await world.api('GET', '/carriers', { headers: headersOf() });

    expect([status, typeOf(json)]).toEqual([401, `/problems/${type}`]);
  });

  test('remembers over a restart, and names its operations', () => {
    const here = { now: () => new Date('2026-11-21T10:00:00Z'), touch: () => undefined };
    const before = createKauflandSandbox(here);
    const after = createKauflandSandbox(here);
    after.load(JSON.parse(JSON.stringify(before.save())));
    const named = (method: string, path: string) => after.operationOf({ method, path, body: '' });

    expect(after.ledger()).toEqual(before.ledger());
    expect(named('GET', '/v2/orders')).toBe('GetOrders');
    expect(named('GET', '/v2/orders/MB7UWLD')).toBe('GetOrder');
    expect(named('PATCH', '/v2/order-units/1/send')).toBe('SendOrderUnit');
    expect(named('POST', '/_seed/orders')).toBeNull();
  });
});
