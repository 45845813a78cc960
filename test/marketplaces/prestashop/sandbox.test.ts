import { describe, expect, test } from 'vitest';
import { createPrestashopSandbox } from '../../../sandbox/src/partners/prestashop/index.ts';
import { failureOf } from '../call-marketplace.ts';
import { confirmationOf, KEYS, ORDER, usePrestashop } from './shop.ts';

const shop = usePrestashop();

describe('the adapter against the pretend PrestaShop', () => {
  test('imports the seeded orders: a company, an island, and two lines', async () => {
    const orders = await shop
      .caller()
      .listAll({ modifiedAfter: new Date(Date.now() - 7_200_000), modifiedBefore: new Date(Date.now() - 1_800_000) });

    expect(orders.map(({ problems }) => problems)).toEqual([[], [], []]);
    expect(orders).toMatchObject([
      { billing: { company: 'Cartoleria Beltrame Srl', vatNumber: 'IT00000000000' }, shippingGross: '6.10' },
      { shipping: { city: 'Lipari', province: 'ME' }, cashOnDelivery: true },
      { lines: [{ quantity: 3, totalNet: '24.59' }, { quantity: 2 }] },
    ]);
  });

  test('imports every page once, and asks for what orders point to together', async () => {
    const date = { date_add: '2026-05-05 12:00:00' };
    const ids = await Promise.all(Array.from({ length: 60 }, () => shop.seed({ ...ORDER, ...date })));
    const caller = shop.caller();

    const orders = await caller.listAll({
      modifiedAfter: new Date('2026-05-05T09:00:00Z'),
      modifiedBefore: new Date('2026-05-05T11:00:00Z'),
    });

    expect(orders.map(({ externalId }) => externalId)).toEqual(ids.sort((a, b) => Number(a) - Number(b)));
    expect(caller.exchanges.filter(({ operation }) => operation === 'orders.list')).toHaveLength(3);
    expect(caller.exchanges.filter(({ operation }) => operation === 'addresses.list')).toHaveLength(2);
  });

  test('leaves the window at its end, which does not count', async () => {
    const inside = await shop.seed({ ...ORDER, date_add: '2026-06-05 11:59:59' });
    await shop.seed({ ...ORDER, date_add: '2026-06-05 12:00:00' });
    const caller = shop.caller();

    const orders = await caller.listAll({
      modifiedAfter: new Date('2026-06-05T09:00:00Z'),
      modifiedBefore: new Date('2026-06-05T10:00:00Z'),
    });

    expect(orders.map(({ externalId }) => externalId)).toEqual([inside]);
    expect(caller.exchanges[0]?.url).toContain('2026-06-05%2011%3A00%3A00');
  });

  test.each(['order_carriers.patch', 'order_histories.create'])(
    'finds out after a lost answer to %s, and writes nothing twice',
    async (operation) => {
      const order = await shop.place();
      await shop.fault(operation, 'accept-then-500');

      const lost = await failureOf(shop.caller().confirm(confirmationOf(order)));
      const again = await shop.caller().confirm(confirmationOf(order));

      expect(lost.kind).toBe('unknown-outcome');
      expect(again.status).toBe('Shipped');
      expect(await shop.ledger(order)).toMatchObject({ confirmed: 1, trackingNumbers: ['RM512345678'] });
      expect(await shop.rows('order_histories', `filter[id_order]=[${order.externalId}]`)).toHaveLength(1);
    },
  );

  test.each(['reset', 'truncated', 'malformed', 'html', 'empty', 'wrong-encoding'] as const)(
    'does not know the outcome of a number that meets %s',
    async (fault) => {
      const order = await shop.place();
      await shop.fault('order_carriers.patch', fault);

      expect(await failureOf(shop.caller().confirm(confirmationOf(order)))).toMatchObject({ kind: 'unknown-outcome' });
    },
  );

  test('leaves one number where a front end sent the write twice', async () => {
    const order = await shop.place();
    await shop.fault('order_carriers.patch', 'accept-twice');

    await shop.caller().confirm(confirmationOf(order));

    expect(await shop.ledger(order)).toMatchObject({ confirmed: 1 });
  });

  test.each(['orders.list', 'order_states.list'])('tries again when %s is throttled', async (operation) => {
    const id = await shop.seed({ ...ORDER });
    await shop.fault(operation, 'status-429');

    const error = await failureOf(shop.caller().read(id));

    expect(error).toMatchObject({ kind: 'retryable', code: 'rate_limited', retryAfterMs: 1000 });
  });
});

describe('the pretend PrestaShop', () => {
  const carrier = (fields: string) => `<prestashop><order_carrier>${fields}</order_carrier></prestashop>`;
  const history = (fields: string) => `<prestashop><order_history>${fields}</order_history></prestashop>`;
  const rowOf = async (id: string) => (await shop.rows('order_carriers', `filter[id_order]=[${id}]`))[0] ?? {};

  test('nulls with PUT what is not given, and leaves it alone with PATCH', async () => {
    const { externalId } = await shop.place();
    const { id, id_order, id_carrier } = await rowOf(externalId);
    const required = `<id>${id}</id><id_order>${id_order}</id_order><id_carrier>${id_carrier}</id_carrier>`;

    await shop.api('PATCH', `order_carriers/${id}`, {
      body: carrier(`<id>${id}</id><tracking_number>A1</tracking_number>`),
    });
    const patched = await rowOf(externalId);
    await shop.api('PUT', `order_carriers/${id}`, { body: carrier(required) });
    const put = await rowOf(externalId);

    expect(patched).toMatchObject({ tracking_number: 'A1', weight: '1.200000' });
    expect(put).toMatchObject({ tracking_number: '', weight: '' });
  });

  test.each<[string, string, string, string, number, number]>([
    ['a body that is no XML', 'POST', 'order_histories', '{}', 500, 127],
    ['a missing field', 'POST', 'order_histories', history('<id_order>1</id_order>'), 400, 41],
    ['an id on a new row', 'POST', 'order_histories', history('<id>1</id>'), 400, 91],
    ['a field it does not know', 'POST', 'order_histories', history('<tracking>1</tracking>'), 400, 123],
    ['a row it does not have', 'PATCH', 'order_carriers/999999', carrier('<id>999999</id>'), 404, 92],
    ['a full update without an id', 'PUT', 'order_carriers/1', carrier('<weight>1</weight>'), 400, 90],
    ['a resource it does not have', 'GET', 'order_parcels', '', 400, 27],
    ['a verb that the resource forbids', 'POST', 'countries', history(''), 405, 101],
    ['dates without date=1', 'GET', 'orders?filter[date_upd]=[2026-01-01,2026-01-02]', '', 400, 123],
    ['a parameter it does not know', 'GET', 'orders?filters=1', '', 400, 123],
  ])('refuses %s with its own code', async (_name, method, path, body, status, code) => {
    const answer = await shop.api(method, path, body === '' ? {} : { body });

    expect(answer.status).toBe(status);
    expect(answer.text).toContain(`<error><code>${code}</code>`);
  });

  test('answers JSON where it is asked to, an empty list as [], and nothing for a missing row', async () => {
    const empty = await shop.api('GET', 'orders?filter[id]=[1]&output_format=JSON');
    const refused = await shop.api('GET', 'orders?output_format=JSON', { key: 'short' });
    const missing = await shop.api('GET', 'orders/1?output_format=JSON');

    expect(empty).toEqual({ status: 200, text: '[]' });
    expect(JSON.parse(refused.text)).toMatchObject({ errors: [{ code: 18 }] });
    expect(missing).toEqual({ status: 404, text: '' });
  });

  test('adds a row and a mail for every state, even the same one', async () => {
    const { externalId } = await shop.place();
    const body = history(`<id_order>${externalId}</id_order><id_order_state>4</id_order_state>`);

    await shop.api('POST', 'order_histories?sendemail=1', { body });
    await shop.api('POST', 'order_histories?sendemail=1', { body });

    expect(await shop.mails(externalId)).toMatchObject([{ kind: 'shipped' }, { kind: 'shipped' }]);
    expect(await shop.rows('order_histories', `filter[id_order]=[${externalId}]`)).toHaveLength(2);
  });

  test('mails a number only where the carrier has an address for it', async () => {
    const order = await shop.place({ id_carrier: '3' });

    await shop.caller().confirm(confirmationOf(order));

    expect((await shop.mails(order.externalId)).map(({ kind }) => kind)).toEqual(['shipped']);
  });

  test('prints notices before the data of an old shop', async () => {
    const { text } = await shop.api('GET', 'orders?output_format=JSON', { key: KEYS.oldShop });

    expect(text).toMatch(/^<br \/>/);
  });

  test('keeps its books over a restart', () => {
    const still = { now: () => new Date('2026-11-21T10:00:00Z'), touch: () => undefined };
    const before = createPrestashopSandbox(still);
    const books = JSON.stringify(before.save()).replaceAll('SBX', 'NEW');

    const after = createPrestashopSandbox(still);
    after.load(JSON.parse(books));

    expect(JSON.stringify(after.save())).toBe(books);
    expect(after.ledger().map(({ reference }) => reference.slice(0, 3))).toEqual(['NEW', 'NEW', 'NEW']);
  });

  test('names its operations', () => {
    const { operationOf } = createPrestashopSandbox({ now: () => new Date(), touch: () => undefined });
    const named = (method: string, path: string) => operationOf({ method, path, body: '' });

    expect(named('GET', '/api/orders')).toBe('orders.list');
    expect(named('GET', '/api/orders/5')).toBe('orders.get');
    expect(named('PUT', '/api/order_carriers/5')).toBe('order_carriers.update');
    expect(named('PATCH', '/api/order_carriers/5')).toBe('order_carriers.patch');
    expect(named('POST', '/api/order_histories')).toBe('order_histories.create');
    expect(named('POST', '/_seed/orders')).toBeNull();
  });
});
