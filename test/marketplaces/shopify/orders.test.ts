import { describe, expect, test } from 'vitest';
import { importOrder } from '../../../src/marketplaces/shopify/mapping.ts';
import { ALWAYS, ORDER, useShop, wireLine, wireOrder } from './shop.ts';

const shop = useShop();
const money = (amount: string) => ({ shopMoney: { amount } });
const lines = (...nodes: unknown[]) => ({ lineItems: { nodes, pageInfo: { hasNextPage: false, endCursor: null } } });
const read = (more: Record<string, unknown> = {}) => importOrder({ raw: wireOrder(more) });
const address = (more: Record<string, unknown>) => ({ shippingAddress: { ...ORDER.shippingAddress, ...more } });

describe('an order of the shop', () => {
  test('is imported with everything the contract asks for', () => {
    expect(read({ localizedFields: { nodes: [{ key: 'TAX_CREDENTIAL_IT', value: 'MNTLRI80A41H501X' }] } })).toEqual({
      externalId: '815',
      externalNumber: '#1815',
      state: 'open',
      currency: 'EUR',
      createdAt: new Date('2026-11-20T09:00:00Z'),
      modifiedAt: new Date('2026-11-20T10:30:00Z'),
      customer: { fullName: 'Ilaria Montaldo', email: 'ilaria.montaldo@example.com', phone: '+39 333 5550177' },
      billing: {
        fullName: 'Ilaria Montaldo',
        company: '',
        phone: '+39 333 5550177',
        address: 'Corso Traiano 8',
        address2: 'Scala A',
        city: 'Roma',
        province: 'RM',
        zip: '00184',
        countryCode: 'IT',
        vatNumber: '',
        taxCode: 'MNTLRI80A41H501X',
      },
      shipping: {
        fullName: 'Ilaria Montaldo',
        company: '',
        phone: '+39 333 5550177',
        address: 'Corso Traiano 8',
        address2: 'Scala A',
        city: 'Roma',
        province: 'RM',
        zip: '00184',
        countryCode: 'IT',
      },
      lines: [
        {
          externalLineId: '71',
          sku: 'TAZ-B',
          title: 'Tazza - Blu',
          quantity: 2,
          unitPriceGross: '10.00',
          totalGross: '20.00',
          totalNet: '16.39',
        },
      ],
      shippingGross: '5.00',
      totalGross: '25.00',
      totalNet: '20.49',
      paymentMethod: 'shopify_payments',
      cashOnDelivery: false,
      note: 'Al piano terra 🎁',
      problems: [],
    });
  });

  test.each([
    ['UNFULFILLED', 'open'],
    ['PARTIALLY_FULFILLED', 'open'],
    ['IN_PROGRESS', 'open'],
    ['PENDING_FULFILLMENT', 'open'],
    ['REQUEST_DECLINED', 'open'],
    ['RESTOCKED', 'open'],
    ['OPEN', 'open'],
    ['ON_HOLD', 'held'],
    ['SCHEDULED', 'held'],
    ['FULFILLED', 'shipped'],
    ['FULFILLMENT_NOT_REQUIRED', 'shipped'],
  ])('with the fulfilment %s there is "%s" here', (displayFulfillmentStatus, state) => {
    expect(read({ displayFulfillmentStatus })).toMatchObject({ state, problems: [] });
  });

  test.each([
    ['PAID', 'open'],
    ['PARTIALLY_REFUNDED', 'open'],
    ['AUTHORIZED', 'open'],
    ['PENDING', 'held'],
    ['PARTIALLY_PAID', 'held'],
    ['REFUNDED', 'held'],
    ['VOIDED', 'held'],
    ['EXPIRED', 'held'],
    [null, 'held'],
  ])('with the payment %s there is "%s" here', (displayFinancialStatus, state) => {
    const order = read({ displayFinancialStatus });

    expect(order.state).toBe(state);
    expect(order.problems).toHaveLength(state === 'held' ? 1 : 0);
  });

  test('that is cancelled is cancelled, whatever else it is', () => {
    const order = read({ cancelledAt: '2026-11-20T11:00:00Z', displayFulfillmentStatus: 'FULFILLED' });

    expect(order.state).toBe('cancelled');
  });

  test.each<[string, Record<string, unknown>, boolean, string]>([
    ['unpaid, by Shopify’s own method', { displayFinancialStatus: 'PENDING' }, true, 'open'],
    ['marked as paid in the shop', { displayFinancialStatus: 'PAID' }, false, 'open'],
    ['paid in part', { displayFinancialStatus: 'PARTIALLY_PAID' }, false, 'held'],
  ])('on delivery, %s, is collected or not', (_name, more, cashOnDelivery, state) => {
    const order = read({ paymentGatewayNames: ['gift_card', 'Cash on Delivery (COD)'], ...more });

    expect(order).toMatchObject({ cashOnDelivery, state });
  });

  test('on delivery goes by the names that the account gives, in any capitals', () => {
    const raw = wireOrder({ paymentGatewayNames: ['CONTRASSEGNO'], displayFinancialStatus: 'PENDING' });

    expect(importOrder({ raw }).cashOnDelivery).toBe(false);
    expect(importOrder({ raw, cashOnDeliveryNames: ['Contrassegno'] }).cashOnDelivery).toBe(true);
  });

  test('with taxes on top has them in its gross amounts', () => {
    expect(read({ taxesIncluded: false }).shippingGross).toBe('5.90');
  });

  test('has the pieces left after a refund, with their share of the taxes', () => {
    const left = wireLine({
      quantity: 3,
      currentQuantity: 2,
      priceAfterAllDiscountsBeforeTaxesSet: money('16.39'),
      taxLines: [{ priceSet: money('5.41') }],
    });
    const gone = wireLine({ id: 'gid://shopify/LineItem/72', quantity: 1, currentQuantity: 0 });

    const order = read(lines(left, gone));

    expect(order.lines).toMatchObject([{ externalLineId: '71', quantity: 2, totalGross: '20.00' }]);
    expect(order.problems).toEqual([]);
  });

  test('keeps the decimals of a price that does not divide', () => {
    const trio = { quantity: 3, currentQuantity: 3, priceAfterAllDiscountsBeforeTaxesSet: money('8.20') };

    const order = read(
      lines(wireLine({ ...trio, taxLines: [{ priceSet: money('1.5') }, { priceSet: money('0.3') }] })),
    );

    expect(order.lines[0]).toMatchObject({ unitPriceGross: '3.3333', totalGross: '10.00', totalNet: '8.20' });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['a status that only later versions have', { displayFulfillmentStatus: 'TELEPORTED' }, '"TELEPORTED"'],
    ['no shipping address', { shippingAddress: null }, 'no shipping address'],
    ['digital goods only', { requiresShipping: false, shippingAddress: null }, 'digital'],
    ['no name', address({ name: null }), 'no name'],
    ['no street', address({ address1: '' }), 'no street'],
    ['no city', address({ city: null }), 'no city'],
    ['no postal code', address({ zip: null }), 'no postal code'],
    ['no country', address({ countryCodeV2: null }), 'no country'],
    ['a country that the shop does not know', address({ countryCodeV2: 'ZZ' }), 'no country'],
    ['no lines', lines(), 'no lines'],
    ['a line of no pieces', lines(wireLine({ quantity: 0, currentQuantity: 0 })), 'nothing to ship'],
    ['a line without an id', lines(wireLine({ id: null }), wireLine({})), "1 of the order's lines could not be read"],
    ['half a piece', lines(wireLine({ currentQuantity: 0.5 })), "1 of the order's lines could not be read"],
    ['play money', { test: true }, 'test order'],
    [
      'cash in a foreign currency',
      {
        presentmentCurrencyCode: 'CHF',
        paymentGatewayNames: ['Cash on Delivery (COD)'],
        displayFinancialStatus: 'PENDING',
      },
      'CHF',
    ],
  ])('with %s is imported as it is, with a sentence', (_name, odd, sentence) => {
    expect(read(odd).problems.join('\n')).toContain(sentence);
  });

  test.each<[string, Record<string, unknown>]>([
    ['an amount in words', { currentTotalPriceSet: money('free') }],
    ['no date', { updatedAt: null }],
  ])('with %s, which the interface excludes, is not read, and its values are not repeated', (_name, odd) => {
    expect(() => read({ ...odd, email: 'private@example.com' })).toThrow(/✖/);
    expect(() => read({ ...odd, email: 'private@example.com' })).not.toThrow(/private@example\.com|free/);
  });

  test('needs no shipping with digital goods', () => {
    expect(read({ requiresShipping: false }).needsShipping).toBe(false);
    expect(read({}).needsShipping).toBeUndefined();
  });

  test('is imported whole with 500 lines', () => {
    const all = Array.from({ length: 500 }, (_, index) => wireLine({ id: `gid://shopify/LineItem/${index}` }));

    expect(read(lines(...all)).lines).toHaveLength(500);
  });

  test('abroad, in a foreign currency and without a phone of its own is as good as any', () => {
    const order = read({
      currencyCode: 'CHF',
      presentmentCurrencyCode: 'CHF',
      phone: '+41 79 5550100',
      ...address({ countryCodeV2: 'CH', provinceCode: null, phone: null }),
    });

    expect(order).toMatchObject({
      currency: 'CHF',
      shipping: { countryCode: 'CH', phone: '+41 79 5550100' },
      problems: [],
    });
  });
});

describe('a list of orders', () => {
  test('reads whole an order with more lines than come at once', async () => {
    const lineItems = Array.from({ length: 120 }, (_, index) => ({ name: `Pezzo ${index} 🧩`, unitPrice: '1.22' }));

    const order = await shop.import({ lineItems });

    expect(order.lines).toHaveLength(120);
    expect(order.lines[119]).toMatchObject({ title: 'Pezzo 119 🧩', totalGross: '1.22', totalNet: '1.00' });
  });

  test('is asked for by both ends of the window, oldest change first', async () => {
    const at = (time: string) => shop.place({ createdAt: '2026-10-01T00:00:00.000Z', updatedAt: time });
    await at('2026-10-10T11:59:59.000Z');
    const second = await at('2026-10-10T12:40:00.000Z');
    const first = await at('2026-10-10T12:20:00.000Z');
    await at('2026-10-10T13:00:01.000Z');

    const orders = await shop
      .caller()
      .listAll({ modifiedAfter: new Date('2026-10-10T12:00:00Z'), modifiedBefore: new Date('2026-10-10T13:00:00Z') });

    expect(orders.map(({ externalNumber }) => externalNumber)).toEqual([first.name, second.name]);
  });

  test('longer than a page is read to its end, each order once', async () => {
    for (let index = 0; index < 21; index++) await shop.place({ createdAt: '2026-09-01T10:00:00.000Z' });
    const caller = shop.caller();

    const orders = await caller.listAll({
      modifiedAfter: new Date('2026-09-01T09:00:00Z'),
      modifiedBefore: new Date('2026-09-01T11:00:00Z'),
    });

    expect(new Set(orders.map(({ externalId }) => externalId)).size).toBe(21);
    expect(caller.exchanges.map(({ operation }) => operation)).toEqual([
      'orders',
      'orders',
      'orders',
      'fulfillmentOrders',
    ]);
  });

  test('holds an order of which only the fulfilment changed, as new as that change', async () => {
    const { id, name } = await shop.place({ createdAt: '2026-08-01T10:00:00.000Z' });
    const before = new Date();
    await shop.change({ externalId: String(id) }, { fulfillmentStatus: 'ON_HOLD', holds: ['INCORRECT_ADDRESS'] });

    const orders = await shop.caller().listAll({ modifiedAfter: before, modifiedBefore: new Date(Date.now() + 1000) });

    const order = orders.find(({ externalNumber }) => externalNumber === name);
    expect(order?.state).toBe('held');
    expect(order?.modifiedAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
  });

  test('begins with the three orders that the pretend shop has', async () => {
    const orders = await shop.caller().listAll(ALWAYS);
    const seeds = ['#1001', '#1002', '#1003'].map((name) => orders.find((each) => each.externalNumber === name));

    expect(seeds).toMatchObject([
      { billing: { company: 'Torneria Brandi Srl', taxCode: '01234560171' }, problems: [] },
      { shipping: { city: 'Lampedusa e Linosa' }, shippingGross: '9.90', totalGross: '44.40', problems: [] },
      { cashOnDelivery: true, state: 'open', lines: [{ quantity: 6 }, { quantity: 2 }], problems: [] },
    ]);
  });

  test('does not know a page that it never named', async () => {
    const { listOrders } = (await import('../../../src/marketplaces/shopify/index.ts')).shopify;

    await expect(listOrders({} as never, { ...ALWAYS, page: 'elsewhere' })).rejects.toMatchObject({
      code: 'validation',
    });
  });

  test.each(['999999', 'not-a-number'])('has no order %s', async (externalId) => {
    expect(await shop.caller().read(externalId)).toBeNull();
  });
});
