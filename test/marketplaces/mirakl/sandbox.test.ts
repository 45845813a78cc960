import { describe, expect, test } from 'vitest';
import { createMiraklSandbox } from '../../../sandbox/src/partners/mirakl/index.ts';
import { failureOf } from '../call-marketplace.ts';
import { confirmationOf, ORDER, PLATE, useMirakl } from './world.ts';

const world = useMirakl();
const SEVERAL = { multipleShipments: true };

describe('the adapter against the pretend operator', () => {
  test('imports the seeded orders: a company, an island, and two lines', async () => {
    const orders = await world
      .caller()
      .listAll({ modifiedAfter: new Date(Date.now() - 7_200_000), modifiedBefore: new Date() });

    expect(orders.map(({ problems }) => problems)).toEqual([[], [], []]);
    expect(orders).toMatchObject([
      { shipping: { company: 'Colnaghi Sete Srl' }, billing: { vatNumber: 'IT00000000000' }, totalNet: '50.00' },
      { shipping: { city: 'Ponza', province: 'LT' }, shippingGross: '6.10', totalGross: '30.50', totalNet: '25.00' },
      { lines: [{ quantity: 3 }, { quantity: 2 }] },
    ]);
  });

  test('imports every page of a window, and nothing beside it', async () => {
    const created_date = '2026-10-07T10:00:00.000Z';
    const inside = await Promise.all(Array.from({ length: 201 }, () => world.seed({ ...ORDER, created_date })));
    await world.seed({ ...ORDER, created_date: '2026-10-07T09:50:00.000Z' });
    await world.seed({ ...ORDER, created_date: '2026-10-07T10:30:00.001Z' });
    const caller = world.caller();

    const orders = await caller.listAll({
      modifiedAfter: new Date(created_date),
      modifiedBefore: new Date('2026-10-07T10:30:00Z'),
    });

    expect(orders.map(({ externalId }) => externalId).toSorted()).toEqual(inside.toSorted());
    expect(caller.exchanges).toHaveLength(3);
  });

  test('accepts an order, and sees its address once it is to be shipped', async () => {
    const id = await world.seed({ ...ORDER, order_state: 'WAITING_ACCEPTANCE' });
    const caller = world.caller({ acceptOrders: true });

    const accepted = await caller.read(id);
    const waiting = await caller.read(id);
    await world.move(id, 'SHIPPING');
    const open = await caller.read(id);

    expect(caller.writes()).toEqual(['OR21']);
    expect(accepted).toMatchObject({ state: 'held', shipping: { address: '' } });
    expect(waiting?.problems).toEqual([expect.stringContaining('no delivery address')]);
    expect(open).toMatchObject({ state: 'open', shipping: { address: 'Corso Traiano 8' }, problems: [] });
  });

  test('confirms with a registered carrier, and sees the order shipped with the link that Mirakl made', async () => {
    const order = await world.place();
    const caller = world.caller();
    const confirmation = confirmationOf(order, {
      carrierId: 'gls-it',
      carrierName: 'GLS Italy',
      trackingNumber: 'RM1',
    });

    const detected = await caller.detect();
    const first = await caller.confirm(confirmation, detected);
    const again = await caller.confirm(confirmation, detected);

    expect(first).toMatchObject({ alreadySent: false, trackingCarrier: 'GLS-IT', trackingUrl: '' });
    expect(again).toMatchObject({ alreadySent: true, trackingUrl: 'https://gls.example/t/RM1' });
    expect((await caller.read(order.externalId))?.state).toBe('shipped');
    expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 1, trackingNumbers: ['RM1'] });
  });

  test('ships an order in two parts', async () => {
    const order = await world.place();
    const [cups, plate] = confirmationOf(order).lines;
    const caller = world.caller(SEVERAL);

    const first = await caller.confirm(confirmationOf(order, { lines: [cups ?? never()], trackingNumber: 'BR1' }));
    const second = await caller.confirm(confirmationOf(order, { lines: [plate ?? never()], trackingNumber: 'BR2' }));

    expect([first.status, second.status]).toEqual(['SHIPPING', 'SHIPPED']);
    expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 2, trackingNumbers: ['BR1', 'BR2'] });
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ['of a whole order', {}, ['OR23']],
    ['of one of several shipments', { multipleShipments: true }, ['ST23']],
  ])('corrects a number that no longer holds %s, once', async (_name, account, writes) => {
    const order = await world.place();
    await world.caller(account).confirm(confirmationOf(order));
    const caller = world.caller(account);
    const replaced = confirmationOf(order, { trackingNumber: 'BR599999999', replacedNumbers: ['BR512345678'] });

    const corrected = await caller.confirm(replaced);
    const again = await caller.confirm(replaced);

    expect(caller.writes()).toEqual(writes);
    expect([corrected.alreadySent, again.alreadySent]).toEqual([false, true]);
    expect(again).toMatchObject({ transactionId: corrected.transactionId, status: 'SHIPPED' });
    expect(await world.ledger(order.externalId)).toMatchObject({ trackingNumbers: ['BR599999999'] });
  });

  test('finds a shipment behind ten others', async () => {
    const order = await world.place({ order_lines: [{ ...PLATE, quantity: 11 }] });
    const caller = world.caller(SEVERAL);
    const lines = confirmationOf(order).lines.map((line) => ({ ...line, quantity: 1 }));
    for (let number = 0; number < 11; number++) {
      await caller.confirm(confirmationOf(order, { lines, trackingNumber: `BR${number}` }));
    }

    expect(await caller.confirm(confirmationOf(order, { lines, trackingNumber: 'BR10' }))).toMatchObject({
      alreadySent: true,
    });
  });

  test.each([
    ['OR23', {}, 'accept-then-500'],
    ['OR24', {}, 'accept-then-500'],
    ['OR24', {}, 'html'],
    ['OR24', {}, 'reset'],
    ['ST01', SEVERAL, 'accept-then-500'],
    ['ST01', SEVERAL, 'truncated'],
    ['ST01', SEVERAL, 'malformed'],
    ['ST01', SEVERAL, 'reset'],
  ] as const)('ends with one shipment after %s was lost (%j, %s)', async (operation, account, fault) => {
    const order = await world.place();
    await world.fault(operation, fault);
    const caller = world.caller(account);

    const lost = await failureOf(caller.confirm(confirmationOf(order)));
    await caller.confirm(confirmationOf(order));
    const again = await caller.confirm(confirmationOf(order));

    expect(lost.kind).toBe('unknown-outcome');
    expect(again).toMatchObject({ alreadySent: true, status: 'SHIPPED' });
    expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 1, trackingNumbers: ['BR512345678'] });
  });

  test.each([
    ['OR24', {}],
    ['ST01', SEVERAL],
  ])('takes the refusal of the second of two equal %s for the success of the first', async (operation, account) => {
    const order = await world.place();
    await world.fault(operation, 'accept-twice');

    const confirmed = await world.caller(account).confirm(confirmationOf(order));

    expect(confirmed).toMatchObject({ alreadySent: true, status: 'SHIPPED' });
    expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 1 });
  });

  test('tries again when it is throttled', async () => {
    await world.fault('OR11', 'status-429');

    const error = await failureOf(world.caller().verify());

    expect(error).toMatchObject({ kind: 'retryable', code: 'rate_limited', retryAfterMs: 1000 });
  });

  test('is told that its key may only read', async () => {
    const order = await world.place();

    const error = await failureOf(world.caller({ apiKey: 'sandbox-readonly' }).confirm(confirmationOf(order)));

    expect(error).toMatchObject({ kind: 'permanent', code: 'permission_missing' });
  });
});

describe('the pretend operator', () => {
  test.each([
    ['a date in words', 'start_update_date=ieri'],
    ['pages of more than 100', 'max=101'],
    ['an offset in words', 'offset=ten'],
    ['another sorting', 'sort=dateUpdated'],
    ['another direction', 'order=up'],
    ['an unknown state', 'order_state_codes=MOON'],
    ['an unknown tax mode', 'order_tax_mode=NONE'],
    ['a shop in words', 'shop_id=mine'],
  ])('refuses %s', async (_name, query) => {
    expect(await world.api('GET', `/api/orders?${query}`)).toMatchObject({
      status: 400,
      json: { code: 'VALIDATION_ERROR' },
    });
  });

  test.each(['', 'Bearer sandbox-shop', 'other'])('refuses entry with "%s"', async (key) => {
    expect((await world.api('GET', '/api/orders', undefined, key)).status).toBe(401);
  });

  test.each<[string, string, object, string]>([
    ['no lines', 'accept', {}, 'mandatory'],
    ['a decision in an order to be shipped', 'accept', { order_lines: [] }, 'ORDER_INVALID_STATE'],
    ['no carrier', 'tracking', { tracking_number: '1' }, 'carrier name is mandatory'],
    ['an unknown carrier', 'tracking', { carrier_code: 'X', tracking_number: '1' }, 'Unknown carrier'],
    ['a registered carrier without a number', 'tracking', { carrier_code: 'UPS' }, 'number is mandatory'],
  ])('refuses %s', async (_name, action, body, words) => {
    const order = await world.place();

    const { status, json } = await world.api('PUT', `/api/orders/${order.externalId}/${action}`, body);

    expect(status).toBe(400);
    expect((json as { message: string }).message).toContain(words);
  });

  test('shows prices without taxes unless asked, and reports each of several shipments', async () => {
    const order = await world.place();
    const { json } = await world.api('GET', `/api/orders?order_ids=${order.externalId}`);
    const shipment = { order_id: order.externalId, shipped: true, shipment_lines: [{ offer_sku: 'TAZ', quantity: 3 }] };
    const both = await world.api('POST', '/api/shipments', { shipments: [shipment, { order_id: 'none' }] });

    expect((json as { orders: object[] }).orders[0]).toMatchObject({ order_tax_mode: 'TAX_EXCLUDED', total_price: 35 });
    expect(both).toMatchObject({
      status: 201,
      json: {
        shipment_success: [],
        shipment_errors: [{ message: 'Shipment quantity is invalid.' }, { order_id: 'none' }],
      },
    });
  });

  test('remembers over a restart, and names its operations', () => {
    const here = { now: () => new Date('2026-11-21T10:00:00Z'), touch: () => undefined };
    const before = createMiraklSandbox(here);
    const after = createMiraklSandbox(here);
    after.load(JSON.parse(JSON.stringify(before.save())));
    const named = (method: string, path: string) => after.operationOf({ method, path, body: '' });

    expect(after.ledger()).toEqual(before.ledger());
    expect(named('GET', '/api/orders')).toBe('OR11');
    expect(named('PUT', '/api/orders/1/accept')).toBe('OR21');
    expect(named('POST', '/api/shipments')).toBe('ST01');
    expect(named('POST', '/_seed/orders')).toBeNull();
  });
});

function never(): never {
  throw new Error('The order has two lines');
}
