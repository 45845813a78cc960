import { describe, expect, test } from 'vitest';
import { shopInstant, wallWindow } from '../../../src/marketplaces/prestashop/shop-time.ts';
import { ADDRESS, CUPS, ORDER, usePrestashop } from './shop.ts';

const shop = usePrestashop();

describe('an order', () => {
  test('is imported as the shop counted it', async () => {
    const order = await shop.place({
      date_add: '2026-11-20 10:00:05',
      date_upd: '2026-11-20 11:30:00',
      note: 'Regalo',
      delivery: { ...ADDRESS, other: 'Secondo piano 🎁', phone: '06 555010' },
      invoice: { ...ADDRESS, company: 'Montaldo Srl', vat_number: 'IT00000000000', dni: 'AAAAAA00A00A000A' },
    });

    expect(order).toMatchObject({
      externalNumber: expect.stringMatching(/^SBX\d+$/),
      state: 'open',
      currency: 'EUR',
      createdAt: new Date('2026-11-20T09:00:05Z'),
      modifiedAt: new Date('2026-11-20T10:30:00Z'),
      customer: { fullName: 'Ilaria Montaldo', email: 'ilaria.montaldo@example.com', phone: '+39 333 5550177' },
      billing: { company: 'Montaldo Srl', vatNumber: 'IT00000000000', taxCode: 'AAAAAA00A00A000A' },
      shipping: {
        company: '',
        address: 'Corso Traiano 8',
        zip: '00184',
        city: 'Roma',
        province: 'RM',
        countryCode: 'IT',
      },
      shippingGross: '5.00',
      totalGross: '35.00',
      totalNet: '28.69',
      paymentMethod: 'ps_wirepayment',
      cashOnDelivery: false,
      note: 'Regalo\nSecondo piano 🎁',
      problems: [],
    });
    expect(order.lines).toEqual([
      {
        externalLineId: expect.stringMatching(/^\d+$/),
        sku: 'TAZ',
        title: 'Tazza',
        quantity: 2,
        unitPriceGross: '10.00',
        totalGross: '20.00',
        totalNet: '16.39',
      },
      expect.objectContaining({ sku: 'PIA', quantity: 1, totalNet: '8.20' }),
    ]);
  });

  test('needs no shipping with digital goods, where the key may read products', async () => {
    const book = { ...CUPS, product_id: '32' };
    const digital = await shop.place({ id_carrier: '0', order_details: [book] });
    const mixed = await shop.place({ id_carrier: '0', order_details: [book, { ...CUPS, product_id: '31' }] });
    const carried = await shop.place({ order_details: [book] });

    expect([digital, mixed, carried].map(({ needsShipping }) => needsShipping)).toEqual([false, undefined, undefined]);
    expect(digital.problems).toEqual(['The order holds digital goods only: there is nothing to ship']);
  });

  test('holds the rest when a piece was refunded or came back, and nothing blocks it', async () => {
    const order = await shop.place({ order_details: [{ ...CUPS, product_quantity_refunded: '1' }] });

    expect(order.lines).toMatchObject([{ quantity: Number(CUPS.product_quantity) - 1 }]);
    expect(order.lines[0]?.totalGross).toBe(order.lines[0]?.unitPriceGross);
    expect(order.problems).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no lines', { order_details: [] }, 'The order has no lines'],
    ['no delivery address', { id_address_delivery: '0' }, 'The shop has no shipping address for the order'],
    ['a delivery address that was deleted', { id_address_delivery: '999999' }, 'no shipping address'],
    ['no street', { delivery: { ...ADDRESS, address1: '' } }, 'The shipping address has no street'],
    ['no city', { delivery: { ...ADDRESS, city: null } }, 'The shipping address has no city'],
    ['no postal code', { delivery: { ...ADDRESS, postcode: '' } }, 'The shipping address has no postal code'],
    ['a country that is not there', { delivery: { ...ADDRESS, country: 'XX' } }, 'The shipping address has no country'],
    ['no name', { delivery: { ...ADDRESS, firstname: '', lastname: '' } }, 'The shipping address has no name'],
    ['a quantity of nothing', { order_details: [{ ...CUPS, product_quantity: '0' }] }, 'The quantity of "Tazza" is 0'],
    ['half a piece', { order_details: [{ ...CUPS, product_quantity: '0.5' }] }, 'The quantity of "Tazza" is 0.5'],
    ['a line without a price', { order_details: [{ ...CUPS, total_price_tax_incl: null }] }, '"Tazza" has no price'],
    [
      'nothing left of it',
      { order_details: [{ ...CUPS, product_quantity_refunded: CUPS.product_quantity }] },
      'refunded or returned',
    ],
    ['no total', { total_paid_tax_incl: 'n/a' }, 'The order has no total'],
    ['a currency that is not there', { id_currency: '99' }, 'The order has no currency'],
    ['no carrier', { id_carrier: '0' }, 'it may hold digital goods only'],
    ['a state that is not there', { current_state: '77' }, 'The shop has no order state "77"'],
  ])('with %s is imported and says so', async (_name, changes, problem) => {
    const order = await shop.place(changes);

    expect(order.problems.join('\n')).toContain(problem);
  });

  test.each<[string, Record<string, unknown>, object]>([
    ['500 lines', { order_details: Array.from({ length: 500 }, () => CUPS) }, { problems: [] }],
    ['a foreign currency', { id_currency: '2' }, { currency: 'CHF', problems: [] }],
    ['a foreign country', { delivery: { ...ADDRESS, country: 'FR', state: '' } }, { problems: [] }],
    [
      'dates of zeros',
      { date_add: '0000-00-00 00:00:00', date_upd: '' },
      { createdAt: expect.any(Date), problems: [] },
    ],
    ['no reference', { reference: '' }, { externalNumber: expect.stringMatching(/^\d+$/) }],
    ['no customer', { id_customer: '0' }, { customer: { fullName: 'Ilaria Montaldo', email: '' } }],
    ['numbers for text', { total_paid_tax_incl: 35, id_currency: 1 }, { totalGross: '35.00', currency: 'EUR' }],
    ['a landline only', { delivery: { ...ADDRESS, phone_mobile: '', phone: '06 5' } }, { shipping: { phone: '06 5' } }],
    ['cash on delivery', { module: 'ps_cashondelivery' }, { cashOnDelivery: true, paymentMethod: 'ps_cashondelivery' }],
  ])('with %s is imported', async (_name, changes, expected) => {
    expect(await shop.place(changes)).toMatchObject(expected);
  });

  test.each([
    ['1', 'held'],
    ['2', 'open'],
    ['3', 'open'],
    ['4', 'shipped'],
    ['5', 'shipped'],
    ['6', 'cancelled'],
    ['7', 'cancelled'],
    ['8', 'cancelled'],
    ['13', 'held'],
    ['77', 'held'],
  ])('in the state %s is %s', async (current_state, state) => {
    expect((await shop.place({ current_state })).state).toBe(state);
  });

  test('is open in the states that the account names, and in no other', async () => {
    const [paid, cashOnDelivery] = [await shop.seed({ ...ORDER }), await shop.seed({ ...ORDER, current_state: '13' })];
    const caller = shop.caller({ openStates: [3, 13] });

    expect((await caller.read(paid))?.state).toBe('held');
    expect((await caller.read(cashOnDelivery))?.state).toBe('open');
  });

  test('is paid to the courier by the modules that the account names', async () => {
    const id = await shop.seed({ ...ORDER, module: 'codfee' });

    expect((await shop.caller({ cashOnDeliveryModules: ['codfee'] }).read(id))?.cashOnDelivery).toBe(true);
  });

  test('is not asked for by an impossible id', async () => {
    const caller = shop.caller();

    expect(await caller.read('XKBKNABJK')).toBeNull();
    expect(caller.exchanges).toEqual([]);
  });
});

describe('the time of the shop', () => {
  const window = (after: string, before: string) =>
    wallWindow({ modifiedAfter: new Date(after), modifiedBefore: new Date(before), page: null }, 'Europe/Rome');

  test.each([
    ['in winter', '2026-11-20T23:00:00Z', '2026-11-21T05:00:00Z', '[2026-11-21 00:00:00,2026-11-21 06:00:00]'],
    ['in whole minutes', '2026-11-20T23:00:59Z', '2026-11-20T23:01:01Z', '[2026-11-21 00:00:00,2026-11-21 00:02:00]'],
    [
      'over the gap in spring',
      '2026-03-29T00:30:00Z',
      '2026-03-29T01:30:00Z',
      '[2026-03-29 01:30:00,2026-03-29 03:30:00]',
    ],
    [
      'in the hour that comes twice',
      '2026-10-25T00:50:00Z',
      '2026-10-25T01:05:00Z',
      '[2026-10-25 01:50:00,2026-10-25 03:05:00]',
    ],
  ])('a window %s is asked for on its wall clock', (_name, after, before, expected) => {
    expect(window(after, before)).toBe(expected);
  });

  test('is read with its seconds, and not where it is no date', () => {
    expect(shopInstant('2026-07-01 10:00:05', 'Europe/Rome')).toEqual(new Date('2026-07-01T08:00:05Z'));
    expect(shopInstant('2026-07-01 10:00:05', 'Europe/London')).toEqual(new Date('2026-07-01T09:00:05Z'));
    expect(shopInstant('0000-00-00 00:00:00', 'Europe/Rome')).toBeNull();
  });
});
