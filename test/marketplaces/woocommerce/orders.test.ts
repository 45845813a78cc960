import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { woocommerce } from '../../../src/marketplaces/woocommerce/index.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';
import { callerOf } from '../call-marketplace.ts';
import { ORDER, useShops } from './shop.ts';

const ORDERS = '/wp-json/wc/v3/orders';
const { shop } = useShops();

describe('an order from the shop', () => {
  test('is imported with everything the contract asks for', async () => {
    const order = await shop('core').place({
      payment_method: 'cod',
      customer_note: 'Al piano terra 🎁',
      date_created_gmt: '2026-11-20T09:00:00',
      date_modified_gmt: '2026-11-20T10:30:00',
    });

    expect(order).toMatchObject({
      externalNumber: order.externalId,
      state: 'open',
      currency: 'EUR',
      createdAt: new Date('2026-11-20T09:00:00Z'),
      modifiedAt: new Date('2026-11-20T10:30:00Z'),
      customer: { fullName: 'Ilaria Montaldo', email: 'ilaria.montaldo@example.com', phone: '+39 333 5550177' },
      billing: { vatNumber: '', taxCode: '' },
      shipping: {
        fullName: 'Ilaria Montaldo',
        address: 'Corso Traiano 8',
        city: 'Roma',
        province: 'RM',
        zip: '00184',
        countryCode: 'IT',
      },
      lines: [
        { sku: 'TAZ', title: 'Tazza', quantity: 2, unitPriceGross: '10.00', totalGross: '20.00', totalNet: '16.39' },
        { sku: 'PIA', title: 'Piatto', quantity: 1, unitPriceGross: '10.00', totalGross: '10.00', totalNet: '8.20' },
      ],
      shippingGross: '5.00',
      totalGross: '35.00',
      totalNet: '28.69',
      paymentMethod: 'cod',
      cashOnDelivery: true,
      note: 'Al piano terra 🎁',
      problems: [],
    });
  });

  test.each([
    ['processing', 'open'],
    ['pending', 'held'],
    ['on-hold', 'held'],
    ['cancelled', 'cancelled'],
    ['refunded', 'cancelled'],
    ['failed', 'cancelled'],
    ['completed', 'shipped'],
  ])('that is "%s" there is "%s" here', async (status, state) => {
    const order = await shop('core').place({ status });

    expect(order).toMatchObject({ state, problems: [] });
  });

  test('waits with a sentence when only this shop has its status', async () => {
    const order = await shop('core').place({ status: 'in-lavorazione' });

    expect(order.state).toBe('held');
    expect(order.problems).toEqual([expect.stringContaining('"in-lavorazione"')]);
  });

  test('without a shipping address goes to the billing address', async () => {
    const order = await shop('core').place({ shipping: [] });

    expect(order.shipping).toMatchObject({ address: 'Corso Traiano 8', phone: '+39 333 5550177' });
    expect(order.problems).toEqual([]);
  });

  test('has the bare province when a plugin writes it with its country', async () => {
    const order = await shop('core').place({ shipping: { ...ORDER.shipping, state: 'IT-RM' } });

    expect(order.shipping.province).toBe('RM');
  });

  test('keeps the decimals of a price that does not divide', async () => {
    const order = await shop('core').place({
      line_items: [{ name: 'Trio', quantity: 3, total: '8.20', total_tax: '1.80' }],
    });

    expect(order.lines[0]).toMatchObject({ unitPriceGross: '3.3333', totalGross: '10.00' });
  });

  test('is imported whole with 500 lines', async () => {
    const line_items = Array.from({ length: 500 }, (_, index) => ({
      name: `Pezzo ${index} 🧩`,
      sku: `P${index}`,
      quantity: 1,
      total: '1.00',
      total_tax: '0.22',
    }));

    const order = await shop('core').place({ line_items });

    expect(order.lines).toHaveLength(500);
    expect(order.lines[499]).toMatchObject({ title: 'Pezzo 499 🧩', totalGross: '1.22' });
  });

  test.each<[string, Record<string, unknown>, string]>([
    [
      'a line of no pieces',
      { line_items: [{ name: 'Tazza', quantity: 0, total: '0.00', total_tax: '0.00' }] },
      'nothing to ship',
    ],
    ['no lines', { line_items: [] }, 'no lines'],
    ['lines that are no list', { line_items: 'none' }, 'could not be read'],
    ['one unreadable line', { line_items: [null, ...ORDER.line_items] }, 'Line 1'],
    ['no total', { total: null }, 'no total'],
    ['a total in words', { total: 'free' }, 'no total'],
    ['no street', { shipping: { ...ORDER.shipping, address_1: '' } }, 'no street'],
    ['digital goods only', { shipping: {}, shipping_lines: [] }, 'digital'],
    ['no addresses at all', { billing: null, shipping: null }, 'no name'],
  ])('with %s is imported as it is, with a sentence', async (_name, odd, sentence) => {
    const order = await shop('core').place(odd);

    expect(order.problems.join('\n')).toContain(sentence);
  });
});

describe('an order of virtual lines', () => {
  test('needs no shipping when the shop took none for it', async () => {
    const digital = { needs_processing: false, shipping_lines: [], shipping_total: '0.00', shipping_tax: '0.00' };

    const ebook = await shop('core').place(digital);
    const byHand = await shop('core').place({ ...digital, needs_processing: true });
    const mixed = await shop('core').place();

    expect([ebook, byHand, mixed].map(({ needsShipping }) => needsShipping)).toEqual([false, undefined, undefined]);
    expect(ebook.problems).toEqual([expect.stringContaining('digital goods only')]);
  });
});

test('titles and notes are text, whatever the shop writes on its pages', async () => {
  const order = await shop('core').place({
    customer_note: 'Scala &quot;B&quot; &amp; citofono &#8211; R&D',
    line_items: [{ name: 'Tazza "blu" &amp; piattino &times; 2', quantity: 1, total: '1.00', total_tax: '0.00' }],
  });

  expect(order.lines[0]?.title).toBe('Tazza "blu" & piattino × 2');
  expect(order.note).toBe('Scala "B" & citofono – R&D');
});

describe('a refund', () => {
  const whole = { modifiedAfter: new Date(0), modifiedBefore: new Date(Date.now() + 3_600_000) };
  const refund = async (externalId: string, body: Record<string, unknown>) => {
    await shop('core').api('POST', `wc/v3/orders/${externalId}/refunds`, body);
    const listed = await shop('core').caller().listAll(whole);
    return listed.find((order) => order.externalId === externalId);
  };

  test('leaves the other pieces to be shipped, and blocks nothing', async () => {
    const { externalId, lines } = await shop('core').place();

    const order = await refund(externalId, {
      amount: '20.00',
      line_items: [
        { id: lines[0]?.externalLineId, quantity: 1, refund_total: 8.19, refund_tax: [{ id: 1, refund_total: 1.81 }] },
        { id: lines[1]?.externalLineId, quantity: 1, refund_total: 8.2, refund_tax: [{ id: 1, refund_total: 1.8 }] },
      ],
    });

    expect(order?.lines).toEqual([
      {
        externalLineId: lines[0]?.externalLineId,
        sku: 'TAZ',
        title: 'Tazza',
        quantity: 1,
        unitPriceGross: '10.00',
        totalGross: '10.00',
        totalNet: '8.20',
      },
    ]);
    expect(order).toMatchObject({ state: 'open', totalGross: '15.00', totalNet: '12.30', problems: [] });
    expect(await shop('core').caller().read(externalId)).toEqual(order);
  });

  test('changes no line and blocks nothing when it is money alone', async () => {
    const { externalId, lines } = await shop('core').place();

    const order = await refund(externalId, { amount: '2.00' });

    expect(order).toMatchObject({ state: 'open', lines, totalGross: '33.00', problems: [] });
  });

  test('is only read for orders that have one', async () => {
    const { externalId } = await shop('core').place();
    const caller = shop('core').caller();

    await caller.read(externalId);

    expect(caller.exchanges.map(({ operation }) => operation)).toEqual(['orders.get']);
  });
});

describe('a list of orders', () => {
  test('is read in UTC, not in the time zone of the shop', async () => {
    const early = await shop('core').place({ date_modified_gmt: '2026-11-10T11:59:59' });
    const inside = await shop('core').place({ date_modified_gmt: '2026-11-10T12:30:00' });
    const late = await shop('core').place({ date_modified_gmt: '2026-11-10T13:00:01' });

    const orders = await shop('core')
      .caller()
      .listAll({ modifiedAfter: new Date('2026-11-10T12:00:00Z'), modifiedBefore: new Date('2026-11-10T13:00:00Z') });
    const ids = orders.map(({ externalId }) => externalId);

    expect(ids).toContain(inside.externalId);
    expect(ids).not.toContain(early.externalId);
    expect(ids).not.toContain(late.externalId);
  });

  test('holds every status, and tells which of them the account creates orders of', async () => {
    const day = '2026-08-01T10:00:00';
    for (const status of ['processing', 'on-hold', 'trash', 'checkout-draft']) {
      await shop('ast').seed({ status, date_created_gmt: day, date_modified_gmt: day });
    }
    const window = {
      modifiedAfter: new Date('2026-08-01T09:00:00Z'),
      modifiedBefore: new Date('2026-08-01T11:00:00Z'),
    };

    const all = await shop('ast').caller().listAll(window);
    const some = await shop('ast')
      .caller({ statuses: ['on-hold'] })
      .listAll(window);

    expect(all.map(({ state, mayCreate }) => [state, mayCreate])).toEqual([
      ['open', undefined],
      ['held', undefined],
      ['held', false],
      ['cancelled', undefined],
    ]);
    expect(some.map(({ state, mayCreate }) => [state, mayCreate])).toEqual([
      ['open', false],
      ['held', undefined],
      ['held', false],
      ['cancelled', false],
    ]);
  });

  test('longer than a page is read to its end, each order once', async () => {
    const changed = '2026-10-01T10:00:00';
    const bare = { date_created_gmt: changed, date_modified_gmt: changed, line_items: [] };
    for (let index = 0; index < 201; index++) await shop('note').seed(bare);
    const caller = shop('note').caller();

    const orders = await caller.listAll({
      modifiedAfter: new Date('2026-10-01T09:00:00Z'),
      modifiedBefore: new Date('2026-10-01T11:00:00Z'),
    });

    expect(new Set(orders.map(({ externalId }) => externalId)).size).toBe(201);
    // The fourth asks for the trash.
    expect(caller.exchanges).toHaveLength(4);
  });
});

describe('a page of orders', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());

  const window = {
    modifiedAfter: new Date('2026-11-20T23:00:00.900Z'),
    modifiedBefore: new Date('2026-11-21T00:00:00Z'),
  };
  const list = () =>
    callerOf(woocommerce, { account: { url: server.url, consumerKey: 'ck_1', consumerSecret: 'cs_1' } }).listAll(
      window,
    );
  const page = (total: number, pages: number, body: unknown[]) => ({
    method: 'GET',
    path: ORDERS,
    headers: { 'x-wp-total': String(total), 'x-wp-totalpages': String(pages) },
    body,
  });

  test('is asked for by the recipe', async () => {
    server.script(page(0, 0, []), page(0, 0, []));

    await list();

    const { query } = server.requests[0] ?? { query: new URLSearchParams() };
    const asked = Object.fromEntries([...query].filter(([name]) => !name.startsWith('oauth_')));
    expect(asked).toEqual({
      status: 'any',
      modified_after: '2026-11-20T23:00:00',
      modified_before: '2026-11-21T00:00:00',
      dates_are_gmt: 'true',
      orderby: 'id',
      order: 'asc',
      per_page: '100',
      page: '1',
    });
    expect(server.requests[1]?.query.get('status')).toBe('trash');
  });

  test('survives an order that cannot be read at all', async () => {
    server.script(page(4, 1, [{ id: 1 }, null, { number: 'no id' }, { id: '4', number: 'W-4' }]), page(0, 0, []));

    const orders = await list();

    expect(orders.map(({ externalId, externalNumber }) => [externalId, externalNumber])).toEqual([
      ['1', '1'],
      ['4', 'W-4'],
    ]);
  });

  test('is read again when orders left the window and moved the rest forward', async () => {
    server.script(
      page(3, 2, [{ id: 1 }, { id: 2 }]),
      page(2, 1, []),
      page(2, 1, [{ id: 2 }, { id: 3 }]),
      page(0, 0, []),
    );

    const orders = await list();

    expect(orders.map(({ externalId }) => externalId)).toEqual(['1', '2', '2', '3']);
  });
});
