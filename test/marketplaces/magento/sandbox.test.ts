import { describe, expect, test } from 'vitest';
import { createMagentoSandbox } from '../../../sandbox/src/partners/magento/index.ts';
import { failureOf } from '../call-marketplace.ts';
import { CUPS, confirmationOf, ORDER, PLATE, useMagento } from './shop.ts';

const shop = useMagento();
const still = { now: () => new Date('2026-11-21T10:00:00Z'), touch: () => undefined };
/** A window of its own for the orders of one test. */
const windowAt = (day: string) => ({
  modifiedAfter: new Date(`${day}T00:00:00Z`),
  modifiedBefore: new Date(`${day}T23:59:59Z`),
});

describe('the adapter against the pretend Magento', () => {
  test('imports the seeded orders: a company, an island, and two lines', async () => {
    const orders = await shop
      .caller()
      .listAll({ modifiedAfter: new Date(Date.now() - 7_200_000), modifiedBefore: new Date() });

    expect(orders.map(({ problems, state }) => [problems, state])).toEqual([
      [[], 'open'],
      [[], 'open'],
      [[], 'open'],
    ]);
    expect(orders).toMatchObject([
      { billing: { company: 'Zambelli Forniture Srl', vatNumber: 'IT00000000000' }, totalNet: '81.97' },
      { shipping: { city: 'Favignana', province: 'TP' }, cashOnDelivery: true, totalGross: '50.00' },
      { lines: [{ quantity: 3 }, { quantity: 2 }], shippingGross: '6.00' },
    ]);
  });

  test('imports every page, and of the window only', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 205; at++) ids.push(await shop.seed({ ...ORDER, updated_at: '2025-01-01 12:00:00' }));
    const caller = shop.caller();

    const orders = await caller.listAll(windowAt('2025-01-01'));

    expect(orders.map(({ externalId }) => externalId)).toEqual(ids);
    expect(caller.exchanges).toHaveLength(3);
  });

  test.each<[string, string, number[], number]>([
    ['in the middle', '2025-02-01', [3], 7],
    ['at both ends', '2025-02-02', [0, 6], 7],
    ['one after the other', '2025-02-03', [2, 3], 5],
    ['alone', '2025-02-04', [0], 1],
  ])('names orders that make their page fail, %s, and brings all others', async (_name, day, broken, count) => {
    const ids: string[] = [];
    for (let at = 0; at < count; at++) {
      ids.push(await shop.seed({ ...ORDER, updated_at: `${day} 12:00:00`, isBroken: broken.includes(at) }));
    }
    const caller = shop.caller();

    const orders = await caller.listAll(windowAt(day));

    expect(caller.unreadable()).toEqual(broken.map((at) => ids[at]));
    expect(orders.map(({ externalId }) => externalId)).toEqual(ids.filter((_id, at) => !broken.includes(at)));
    expect(caller.exchanges.length).toBeLessThan(70);
  });

  test('blames an order that cannot be read on its own, not the shop', async () => {
    const id = await shop.seed({ ...ORDER, isBroken: true });

    expect(await failureOf(shop.caller().read(id))).toMatchObject({ kind: 'retryable', code: 'answer-unreadable' });
  });

  test('knows of no order under an id that is none', async () => {
    const caller = shop.caller();

    expect(await caller.read('items')).toBeNull();
    expect(caller.exchanges).toEqual([]);
  });

  test('finds its shipment after a lost answer, and makes no second', async () => {
    const order = await shop.place();
    await shop.fault('order.ship', 'accept-then-500');
    const caller = shop.caller();

    const lost = await failureOf(caller.confirm(confirmationOf(order)));
    const again = await caller.confirm(confirmationOf(order));

    expect(lost.kind).toBe('unknown-outcome');
    expect(again).toMatchObject({ alreadySent: true, status: 'complete' });
    expect(caller.writes()).toHaveLength(1);
    expect(await shop.ledger(order)).toMatchObject({ confirmed: 1, trackingNumbers: ['RM512345678'] });
  });

  test('knows its shipment when the second of two equal calls is refused', async () => {
    const order = await shop.place();
    await shop.fault('order.ship', 'accept-twice');

    const confirmed = await shop.caller().confirm(confirmationOf(order));

    expect(confirmed).toMatchObject({ alreadySent: true, status: 'complete' });
    expect(await shop.ledger(order)).toMatchObject({ confirmed: 1 });
  });

  test.each(['reset', 'truncated', 'html', 'empty', 'huge'] as const)(
    'does not know the outcome of a shipment that meets %s',
    async (fault) => {
      const order = await shop.place();
      await shop.fault('order.ship', fault);

      expect(await failureOf(shop.caller().confirm(confirmationOf(order)))).toMatchObject({ kind: 'unknown-outcome' });
    },
  );

  test.each(['orders.list', 'shipments.list'])('tries again when %s is throttled', async (operation) => {
    const order = await shop.place();
    await shop.fault(operation, 'status-429');
    const caller = shop.caller();

    const error = await failureOf(
      operation === 'orders.list' ? caller.verify() : caller.confirm(confirmationOf(order)),
    );

    expect(error).toMatchObject({ kind: 'retryable', code: 'rate_limited', retryAfterMs: 1000 });
    expect(caller.writes()).toEqual([]);
  });
});

describe('the pretend Magento', () => {
  const said = (message: string) => ({ status: 400, json: { message: expect.stringContaining(message) } });
  const ship = (id: string, body: object) => shop.api('POST', `order/${id}/ship`, body);

  test.each<[string, Record<string, unknown>, object, string]>([
    ['an order on hold', { state: 'holded' }, {}, 'when an order has a status of holded'],
    ['a virtual order', { is_virtual: 1 }, {}, 'when an order has a status of processing'],
    ['nothing left', { items: [{ ...CUPS, qty_shipped: 2 }] }, {}, 'does not allow a shipment'],
    ['a foreign line', {}, { items: [{ order_item_id: 1, qty: 1 }] }, 'not part of the original order'],
    ['no pieces', {}, { items: [{ order_item_id: 1, qty: 0 }] }, 'without products'],
    [
      'an empty number',
      {},
      { tracks: [{ track_number: '', title: 'x', carrier_code: 'ups' }] },
      'enter a tracking number',
    ],
    ['a track without its carrier', {}, { tracks: [{ track_number: '1', title: 'x' }] }, 'is required'],
    ['a line without its quantity', {}, { items: [{ order_item_id: 1 }] }, 'is required'],
  ])('refuses to ship %s', async (_name, changes, body, words) => {
    const { externalId } = await shop.place(changes);

    expect(await ship(externalId, body)).toMatchObject(said(words));
  });

  test('refuses more pieces than are left, and names the product', async () => {
    const order = await shop.place({ items: [PLATE] });
    const items = [{ order_item_id: Number(order.lines[0]?.externalLineId), qty: 2 }];

    expect(await ship(order.externalId, { items })).toMatchObject(said('for product SKU "PIA"'));
  });

  test('answers a shipment with its bare id', async () => {
    const order = await shop.place();

    const { status, json } = await ship(order.externalId, {});

    expect([status, json]).toEqual([200, (await shop.shipments(order))[0]?.entity_id]);
  });

  test.each<[string, string, number, string]>([
    ['no criteria', 'orders', 400, 'is required'],
    ['a column that it has not', 'orders?searchCriteria[filter_groups][0][filters][0][field]=colour', 500, 'webapi-'],
    ['an order that it has not', 'orders/999999', 404, "doesn't exist"],
    ['another address', 'nothing', 404, 'does not match any route'],
  ])('refuses %s', async (_name, path, status, words) => {
    expect(await shop.api('GET', path)).toMatchObject({ status, json: { message: expect.stringContaining(words) } });
  });

  test('repeats its last page for every page after it', async () => {
    const seeded = 'searchCriteria[filter_groups][0][filters][0][field]=increment_id&searchCriteria[pageSize]=1';
    const among = 'searchCriteria[filter_groups][0][filters][0][condition_type]=in';
    const [one, two] = [await shop.place(), await shop.place()].map(({ externalNumber }) => externalNumber);
    const page = (number: number) =>
      shop.api(
        'GET',
        `orders?${seeded}&${among}&searchCriteria[filter_groups][0][filters][0][value]=${one},${two}&searchCriteria[currentPage]=${number}`,
      );

    const [last, beyond] = [await page(2), await page(9)];

    expect(last.json).toMatchObject({ items: [{ increment_id: two }], total_count: 2 });
    expect(beyond.json).toMatchObject({ items: [{ increment_id: two }], total_count: 2 });
  });

  test('puts no number on a shipment of another order', async () => {
    const [one, other] = [await shop.place(), await shop.place()];
    const { json: parent_id } = await ship(one.externalId, {});
    const track = { weight: 0, qty: 1, description: '', track_number: '1', title: 'x', carrier_code: 'ups' };
    const entity = { ...track, order_id: Number(other.externalId), parent_id };

    expect(await shop.api('POST', 'shipment/track', { entity })).toMatchObject(said('Could not save'));
    expect(await shop.api('POST', 'shipment/track', { entity: track })).toMatchObject(said('is required'));
  });

  test('keeps its books over a restart', () => {
    const books = JSON.stringify(createMagentoSandbox(still).save()).replaceAll('processing', 'complete');

    const after = createMagentoSandbox(still);
    after.load(JSON.parse(books));

    expect(JSON.stringify(after.save())).toBe(books);
    expect(after.ledger()).toHaveLength(3);
  });

  test('names its operations', () => {
    const { operationOf } = createMagentoSandbox(still);
    const named = (method: string, path: string) => operationOf({ method, path, body: '' });

    expect(named('GET', '/rest/all/V1/orders')).toBe('orders.list');
    expect(named('GET', '/rest/V1/orders/5')).toBe('orders.get');
    expect(named('POST', '/rest/default/V1/order/5/ship')).toBe('order.ship');
    expect(named('GET', '/rest/default/V1/shipments')).toBe('shipments.list');
    expect(named('POST', '/rest/default/V1/shipment/track')).toBe('shipment.track');
    expect(named('POST', '/_seed/orders')).toBeNull();
  });
});
