import { describe, expect, test } from 'vitest';
import { ADDRESS, CUP, PLATE, useKaufland } from './world.ts';

const world = useKaufland();
const statuses = (...list: string[]) => ({ order_units: list.map((status) => ({ ...CUP, status })) });

describe('an order from Kaufland', () => {
  test('is put together from its units, with everything the contract asks for', async () => {
    const order = await world.place({
      order_units: [{ ...CUP, ts_updated_iso: '2026-11-20T10:30:00Z' }, { ...CUP, shipping_rate: 0 }, PLATE],
    });

    expect(order).toMatchObject({
      externalNumber: order.externalId,
      state: 'open',
      currency: 'EUR',
      createdAt: new Date('2026-11-20T09:00:00Z'),
      modifiedAt: new Date('2026-11-20T10:30:00Z'),
      customer: { fullName: 'Ilaria Montaldo', email: 'ilaria.montaldo@kaufland.example', phone: '+39 333 5550177' },
      billing: { address: 'Corso Traiano 8', vatNumber: '', taxCode: '' },
      shipping: {
        fullName: 'Ilaria Montaldo',
        company: '',
        address: 'Corso Traiano 8',
        address2: 'Scala B',
        city: 'Roma',
        province: '',
        zip: '00184',
        countryCode: 'IT',
      },
      lines: [
        { sku: 'TAZ', title: 'Tazza', quantity: 1, unitPriceGross: '12.20', totalGross: '12.20', totalNet: '10.00' },
        { sku: 'TAZ', quantity: 1, totalGross: '12.20' },
        { sku: 'PIA', quantity: 1, totalGross: '10.00', totalNet: '9.09' },
      ],
      shippingGross: '4.90',
      totalGross: '39.30',
      totalNet: '33.11',
      paymentMethod: '',
      cashOnDelivery: false,
      note: '',
      problems: [],
    });
    expect(new Set(order.lines.map(({ externalLineId }) => externalLineId)).size).toBe(3);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['to be sent', statuses('need_to_be_sent', 'need_to_be_sent'), 'open'],
    ['to be sent but for a cancelled piece', statuses('cancelled', 'need_to_be_sent'), 'open'],
    ['new', statuses('open'), 'held'],
    ['new in a part', statuses('open', 'need_to_be_sent'), 'held'],
    ['cancelled', statuses('cancelled', 'cancelled'), 'cancelled'],
    ['sent', statuses('sent', 'sent'), 'shipped'],
    ['sent and paid', statuses('sent_and_autopaid'), 'shipped'],
    ['received', statuses('received', 'cancelled'), 'shipped'],
    ['returned', statuses('returned', 'returned_paid'), 'shipped'],
  ])('that is %s there has its state here', async (_name, changes, state) => {
    expect(await world.place(changes)).toMatchObject({ state, problems: [] });
  });

  test('leaves out the pieces that were cancelled, and their money', async () => {
    const order = await world.place({ order_units: [{ ...CUP, status: 'cancelled' }, PLATE] });

    expect(order.lines.map(({ sku }) => sku)).toEqual(['PIA']);
    expect(order).toMatchObject({ totalGross: '10.00', shippingGross: '0.00' });
  });

  test('that was cancelled as a whole keeps its pieces', async () => {
    const order = await world.place(statuses('cancelled', 'cancelled'));

    expect(order.lines).toHaveLength(2);
  });

  test.each([
    ['19', 1190, 19, '10.00'],
    ['none', 1190, null, '11.90'],
    ['nothing', 1190, 0, '11.90'],
    ['a fraction', 1055, 5.5, '10.00'],
    ['one that does not divide', 999, 22, '8.19'],
  ])('has its net without a VAT of %s', async (_name, price, vat, totalNet) => {
    const order = await world.place({ order_units: [{ ...CUP, price, vat, shipping_rate: 0 }] });

    expect(order.lines[0]?.totalNet).toBe(totalNet);
    expect(order.totalNet).toBe(totalNet);
    expect(order.problems).toEqual([]);
  });

  const to = (changes: object) => ({ shipping_address: { ...ADDRESS, ...changes } });
  test.each<[string, Record<string, unknown>, string]>([
    ['no address', { shipping_address: null }, 'has no street'],
    ['no name', to({ first_name: '', last_name: null }), 'has no name'],
    ['no street', to({ street: ' ', house_number: '' }), 'has no street'],
    ['no city', to({ city: null }), 'has no city'],
    ['no postal code', to({ postcode: undefined }), 'has no postal code'],
    ['no country', to({ country: '' }), 'has no country'],
    ['a country in three letters', to({ country: 'USA' }), 'country "USA"'],
    ['no units', { order_units: [] }, 'has no units'],
    ['units that are no list', { order_units: 'three' }, 'has no units'],
    ['a unit without an id', { order_units: [{ ...CUP, id_order_unit: 'abc' }, PLATE] }, 'Unit 1'],
    ['an id longer than numbers are exact', { order_units: [{ ...CUP, id_order_unit: 2 ** 53 }, PLATE] }, 'Unit 1'],
    ['a unit without its time', { order_units: [PLATE, { ...CUP, ts_updated_iso: 'now' }] }, 'Unit 2'],
    ['a unit that is none', { order_units: [null, PLATE] }, 'Unit 1'],
    ['a unit without a price', { order_units: [{ ...CUP, price: null }] }, '"Tazza" has no price'],
    ['a price in words', { order_units: [{ ...CUP, price: 'ten' }] }, '"Tazza" has no price'],
    ['two currencies', { order_units: [CUP, { ...PLATE, currency: 'PLN' }] }, 'several currencies: EUR, PLN'],
    ['no currency', { order_units: [{ ...CUP, currency: null }] }, 'has no currency'],
    ['an unknown status', statuses('lost', 'need_to_be_sent'), '"lost" is not known'],
    ['a part that was sent', statuses('sent', 'need_to_be_sent'), '1 of 2 units were already sent'],
    ['Kaufland as the sender', { fulfillment_type: 'fulfilled_by_kaufland' }, 'Kaufland ships this order itself'],
    [
      'a pick-up point',
      { delivery: { pickup_location: { pickup_location_id: '260', provider: 'DHL', carrier: 'DHL' } } },
      'pick-up point 260 of DHL',
    ],
  ])('with %s is imported and says so', async (_name, changes, problem) => {
    const order = await world.place(changes);

    expect(order.problems.join('; ')).toContain(problem);
  });

  test('with an unknown status waits, and one that Kaufland sends is shipped', async () => {
    expect((await world.place(statuses('lost'))).state).toBe('held');
    expect((await world.place({ fulfillment_type: 'fulfilled_by_kaufland' })).state).toBe('shipped');
    expect((await world.place({ order_units: [] })).state).toBe('held');
  });

  test('is named after what there is where names, products and buyer are missing', async () => {
    const order = await world.place({
      billing_address: null,
      buyer: null,
      shipping_address: { ...ADDRESS, first_name: '', company_name: 'Montaldo Srl' },
      order_units: [{ ...CUP, product: null, id_offer: null, price: null }],
    });

    expect(order.customer).toEqual({ fullName: 'Montaldo', email: '', phone: '+39 333 5550177' });
    expect(order.shipping).toMatchObject({ fullName: 'Montaldo', company: 'Montaldo Srl' });
    expect(order.lines[0]).toMatchObject({ sku: '', title: '', totalGross: '', totalNet: '' });
    expect(order.problems).toEqual([`"${order.lines[0]?.externalLineId}" has no price`]);
  });

  test('keeps emoji, foreign currencies and five hundred pieces', async () => {
    const order = await world.place({
      shipping_address: { ...ADDRESS, city: 'Praha 🏙️', country: 'cz' },
      order_units: Array.from({ length: 500 }, () => ({ ...CUP, currency: 'CZK' })),
    });

    expect(order).toMatchObject({ currency: 'CZK', shipping: { city: 'Praha 🏙️', countryCode: 'CZ' }, problems: [] });
    expect(order.lines).toHaveLength(500);
    expect(order.totalGross).toBe('8550.00');
  });

  test('is unknown where its number is', async () => {
    expect(await world.caller().read('no/such order')).toBeNull();
  });
});
