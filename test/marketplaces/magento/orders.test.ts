import { describe, expect, test } from 'vitest';
import { ADDRESS, assigned, CUPS, PLATE, useMagento } from './shop.ts';

const shop = useMagento();
const place = shop.place;
const shippedTo = (more: object) => ({ extension_attributes: assigned({ ...ADDRESS, ...more }) });

describe('an order from Magento', () => {
  test('is imported with everything the contract asks for', async () => {
    const order = await place({ customer_note: 'Al piano terra 🎁' });

    expect(order).toEqual({
      externalId: expect.stringMatching(/^\d+$/),
      externalNumber: order.externalId.padStart(9, '0'),
      state: 'open',
      currency: 'EUR',
      createdAt: new Date('2026-11-20T09:00:00Z'),
      modifiedAt: new Date('2026-11-20T10:30:00Z'),
      customer: { fullName: 'Ilaria Montaldo', email: 'ilaria.montaldo@example.com', phone: '+39 333 5550177' },
      billing: { ...order.shipping, vatNumber: '', taxCode: '' },
      shipping: {
        fullName: 'Ilaria Montaldo',
        company: '',
        phone: '+39 333 5550177',
        address: 'Corso Traiano 8',
        address2: '',
        city: 'Roma',
        province: 'RM',
        zip: '00184',
        countryCode: 'IT',
      },
      lines: [
        {
          externalLineId: expect.stringMatching(/^\d+$/),
          sku: 'TAZ',
          title: 'Tazza',
          quantity: 2,
          unitPriceGross: '10.00',
          totalGross: '20.00',
          totalNet: '16.39',
        },
        expect.objectContaining({ sku: 'PIA', quantity: 1, totalGross: '10.00', totalNet: '8.20' }),
      ],
      shippingGross: '5.00',
      totalGross: '35.00',
      totalNet: '28.69',
      paymentMethod: 'paypal_express',
      cashOnDelivery: false,
      note: 'Al piano terra 🎁',
      problems: [],
    });
  });

  test.each([
    ['processing', 'open'],
    ['pending_payment', 'held'],
    ['payment_review', 'held'],
    ['holded', 'held'],
    ['complete', 'shipped'],
    ['closed', 'cancelled'],
    ['canceled', 'cancelled'],
  ])('that is %s there is "%s" here, whatever the shop calls it', async (state, here) => {
    expect(await place({ state, status: 'our_own_status' })).toMatchObject({ state: here, problems: [] });
  });

  test.each<[string, object, string]>([
    ['waits for its money', { total_due: 35, payment: { method: 'banktransfer' } }, 'held'],
    ['of which nothing says that it is paid waits', { total_due: null }, 'held'],
    ['goes to the courier who collects the money', { total_due: 35, payment: { method: 'cashondelivery' } }, 'open'],
    ['that costs nothing is sent', { total_due: 0, grand_total: 0 }, 'open'],
  ])('that is new and %s', async (_name, changes, here) => {
    expect((await place({ state: 'new', ...changes })).state).toBe(here);
  });

  test('is cash on delivery by the methods that the account names', async () => {
    const changes = { payment: { method: 'msp_cashondelivery' } };

    expect((await place(changes)).cashOnDelivery).toBe(false);
    expect((await place(changes, { cashOnDeliveryMethods: ['msp_cashondelivery'] })).cashOnDelivery).toBe(true);
  });

  test('waits with a sentence when its state is unknown', async () => {
    const order = await place({ state: 'fraud_check' });

    expect(order.state).toBe('held');
    expect(order.problems).toEqual([expect.stringContaining('"fraud_check"')]);
  });

  test('all of whose pieces left before they were invoiced is shipped', async () => {
    expect(await place({ items: [{ ...CUPS, qty_shipped: 2 }] })).toMatchObject({ state: 'shipped', problems: [] });
  });

  test('says that a part of it has left', async () => {
    const order = await place({
      items: [{ ...CUPS, qty_shipped: 1 }],
    });

    expect(order).toMatchObject({ state: 'open', problems: ['1 of 2 pieces of "Tazza" were already shipped'] });
  });

  test('holds the rest when a part was cancelled or refunded, and nothing blocks it', async () => {
    const { grand_total, tax_amount } = { grand_total: 30, tax_amount: 5.41 };
    const order = await place({
      items: [
        { ...PLATE, name: 'Gone', qty_refunded: PLATE.qty_ordered ?? 1 },
        { ...CUPS, qty_canceled: 1 },
      ],
      grand_total,
      tax_amount,
      total_refunded: 10,
      tax_refunded: 1.8,
    });

    expect(order.lines).toMatchObject([{ title: 'Tazza', quantity: 1 }]);
    expect(order).toMatchObject({ state: 'open', totalGross: '20.00', totalNet: '16.39', problems: [] });
  });

  test('needs no shipping with digital goods', async () => {
    const download = await place({ items: [{ ...CUPS, product_type: 'downloadable' }] });
    const mixed = await place({ items: [{ ...CUPS, is_virtual: 1 }, PLATE] });

    expect([download.needsShipping, mixed.needsShipping]).toEqual([false, undefined]);
  });

  test('has one line for a configurable product, and none for its parts', async () => {
    const items = [
      { ...CUPS, item_id: 81, product_type: 'configurable' },
      { item_id: 82, parent_item_id: 81, sku: 'TAZ', name: 'Tazza blu', qty_ordered: 2, row_total: 0 },
    ];

    const order = await place({ items });

    expect(order.lines.map(({ externalLineId }) => externalLineId)).toEqual(['81']);
    expect(order.problems).toEqual([]);
  });

  test.each<[string, object, { net: string; gross: string }]>([
    [
      'on prices without tax',
      { row_total: 100, discount_amount: 10, tax_amount: 19.8 },
      { net: '90.00', gross: '109.80' },
    ],
    [
      'on prices with tax',
      { row_total: 100, discount_amount: 12.2, discount_tax_compensation_amount: 2.2, tax_amount: 19.8 },
      { net: '90.00', gross: '109.80' },
    ],
  ])('has its discount %s taken off its line', async (_name, line, { net, gross }) => {
    const order = await place({ items: [{ ...PLATE, ...line }] });

    expect(order.lines[0]).toMatchObject({ totalNet: net, totalGross: gross });
  });

  test('has the discount on its shipping taken off', async () => {
    const order = await place({
      shipping_amount: 10,
      shipping_tax_amount: 1.1,
      shipping_discount_amount: 6.1,
      shipping_discount_tax_compensation_amount: 1.1,
    });

    expect(order.shippingGross).toBe('6.10');
  });

  test('keeps the decimals of amounts that Magento gives as text', async () => {
    const order = await place({
      grand_total: '35.0050',
      tax_amount: '6.3100',
      items: [{ ...CUPS, row_total: '10.0000', tax_amount: '0', qty_ordered: 3 }],
    });

    expect(order).toMatchObject({ totalGross: '35.005', totalNet: '28.695', lines: [{ unitPriceGross: '3.3333' }] });
  });

  test.each<[string, object, string]>([
    ['an address', { vat_id: 'IT00000000000' }, ''],
    ['the address before the customer', { vat_id: 'IT00000000000' }, 'IT99999999999'],
  ])('has the VAT number of %s', async (_name, more, customer_taxvat) => {
    const { billing } = await place({ billing_address: { ...ADDRESS, ...more }, customer_taxvat });

    expect(billing).toMatchObject({ vatNumber: 'IT00000000000', taxCode: '' });
  });

  test.each([
    ['IT00000000000', { vatNumber: 'IT00000000000', taxCode: '' }],
    ['mntlri80a41h501x', { vatNumber: '', taxCode: 'MNTLRI80A41H501X' }],
  ])('tells from %s which number the customer gave', async (customer_taxvat, numbers) => {
    expect((await place({ customer_taxvat })).billing).toMatchObject(numbers);
  });

  test.each<[string, unknown, [string, string]]>([
    ['a list', ['Via Po 1', '', 'Scala B', 'Interno 3'], ['Via Po 1', 'Scala B, Interno 3']],
    ['a text of lines', 'Via Po 1\nScala B', ['Via Po 1', 'Scala B']],
  ])('has its street from %s', async (_name, street, [address, address2]) => {
    expect((await place(shippedTo({ street }))).shipping).toMatchObject({ address, address2 });
  });

  test('has its province as the shop spells it where there is no code', async () => {
    expect((await place(shippedTo({ region_code: null }))).shipping.province).toBe('Roma');
  });

  test('is imported whole with 500 lines', async () => {
    const order = await place({ items: Array.from({ length: 500 }, (_, at) => ({ ...PLATE, sku: `S${at}` })) });

    expect(order.lines).toHaveLength(500);
    expect(order.problems).toEqual([]);
  });

  test('in another currency keeps it', async () => {
    expect((await place({ order_currency_code: 'CHF' })).currency).toBe('CHF');
  });
});

describe('an order that lacks something', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['an empty address', { extension_attributes: assigned({}) }, ['name', 'street', 'city', 'postal code', 'country']],
    ['no assignment', { extension_attributes: null }, ['name', 'street', 'city', 'postal code', 'country']],
    [
      'PHP’s empty object',
      { extension_attributes: [], payment: [], billing_address: [] },
      ['name', 'street', 'city', 'postal code', 'country'],
    ],
    ['two addresses', { extension_attributes: assigned(ADDRESS, ADDRESS) }, ['goes to 2 addresses']],
    ['digital goods', { is_virtual: 1, extension_attributes: null }, ['digital goods only']],
    ['digital goods said as a truth', { is_virtual: true, extension_attributes: null }, ['digital goods only']],
    ['no lines', { items: [] }, ['has no lines']],
    ['lines that are no list', { items: 'none' }, ['could not be read']],
    ['a line that is none', { items: [CUPS, 'x', { sku: 'no id', item_id: 'x' }] }, ['Line 2', 'Line 3']],
    ['a quantity of zero', { items: [{ ...CUPS, qty_ordered: 0 }] }, ['"Tazza" is 0']],
    ['half a piece', { items: [{ ...CUPS, qty_ordered: 2.5 }] }, ['"Tazza" is 2.5']],
    ['a line without a price', { items: [{ ...CUPS, row_total: null }] }, ['"Tazza" has no price']],
    ['a line without a name', { items: [{ ...CUPS, name: null, row_total: null }] }, ['"TAZ" has no price']],
    ['no currency', { order_currency_code: null }, ['no currency']],
    ['no total', { grand_total: 'free' }, ['no total']],
  ])('because of %s is imported with sentences', async (_name, changes, words) => {
    const { problems } = await place(changes);

    expect(problems).toEqual(words.map((word) => expect.stringContaining(word)));
  });

  test('loses nothing to strange characters', async () => {
    const order = await place({
      ...shippedTo({ lastname: 'D’Amico 🌋' }),
      customer_note: 'a\u0000b',
      items: [{ ...CUPS, name: '日本 ☕' }],
    });

    expect(order).toMatchObject({
      shipping: { fullName: 'Ilaria D’Amico 🌋' },
      note: 'ab',
      lines: [{ title: '日本 ☕' }],
    });
  });

  test('has the buyer from the address for the invoice when Magento does not name one', async () => {
    const order = await place({ customer_firstname: null, customer_lastname: null });

    expect(order.customer.fullName).toBe('Ilaria Montaldo');
  });
});
