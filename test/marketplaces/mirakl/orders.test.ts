import { describe, expect, test } from 'vitest';
import { countryCodeOf } from '../../../src/marketplaces/mirakl/countries.ts';
import { ADDRESS, CUPS, customerWith, ORDER, PLATE, useMirakl } from './world.ts';

const world = useMirakl();
const place = world.place;

describe('an order from Mirakl', () => {
  test('is imported with everything the contract asks for', async () => {
    const order = await place({ last_updated_date: '2026-11-20T10:30:00Z' });

    expect(order).toMatchObject({
      externalNumber: order.externalId,
      state: 'open',
      currency: 'EUR',
      createdAt: new Date('2026-11-20T09:00:00Z'),
      modifiedAt: new Date('2026-11-20T10:30:00Z'),
      customer: { fullName: 'Ilaria Montaldo', email: 'notifica+d4@operator.example', phone: '+39 333 5550177' },
      billing: { fullName: 'Ilaria Montaldo', address: 'Corso Traiano 8', vatNumber: '', taxCode: '' },
      shipping: {
        fullName: 'Ilaria Montaldo',
        company: '',
        address: 'Corso Traiano 8',
        address2: '',
        city: 'Roma',
        province: 'RM',
        zip: '00184',
        countryCode: 'IT',
      },
      lines: [
        { sku: 'TAZ', title: 'Tazza', quantity: 2, unitPriceGross: '12.20', totalGross: '24.40', totalNet: '20.00' },
        { sku: 'PIA', title: 'Piatto', quantity: 1, unitPriceGross: '12.20', totalGross: '12.20', totalNet: '10.00' },
      ],
      shippingGross: '6.10',
      totalGross: '42.70',
      totalNet: '35.00',
      paymentMethod: 'CARD',
      cashOnDelivery: false,
      note: 'Al piano terra 🎁',
      problems: [],
    });
  });

  test.each([
    ['STAGING', 'held'],
    ['WAITING_ACCEPTANCE', 'held'],
    ['WAITING_DEBIT', 'held'],
    ['WAITING_DEBIT_PAYMENT', 'held'],
    ['SHIPPING', 'open'],
    ['SHIPPED', 'shipped'],
    ['TO_COLLECT', 'shipped'],
    ['RECEIVED', 'shipped'],
    ['CLOSED', 'shipped'],
    ['REFUSED', 'cancelled'],
    ['CANCELED', 'cancelled'],
    ['ON_THE_MOON', 'held'],
  ])('that is %s there is "%s" here', async (order_state, state) => {
    expect((await place({ order_state })).state).toBe(state);
  });

  test('has the name, the second line and the tax number of a company', async () => {
    const organization = { name: 'Montaldo Srl', tax_identification_number: 'IT00000000000' };
    const shipping_address = { ...ADDRESS, company: 'Montaldo Srl', company_2: 'Magazzino', street_2: 'Scala B' };

    const order = await place({ customer: { ...ORDER.customer, organization, shipping_address } });

    expect(order.billing).toMatchObject({ company: 'Montaldo Srl', vatNumber: 'IT00000000000' });
    expect(order.shipping).toMatchObject({ company: 'Montaldo Srl, Magazzino', address2: 'Scala B' });
  });

  test.each(['REFUSED', 'CANCELED', 'REFUNDED'])(
    'leaves out a line that is %s, as long as the rest may leave',
    async (state) => {
      const order = await place({ order_lines: [{ ...CUPS, order_line_state: state }, PLATE] });

      expect(order).toMatchObject({ lines: [{ sku: 'PIA' }], problems: [] });
    },
  );

  test('that was cancelled keeps its lines', async () => {
    expect((await place({ order_state: 'CANCELED' })).lines).toHaveLength(2);
  });

  test('is imported whole with 500 lines, in another currency', async () => {
    const order_lines = Array.from({ length: 500 }, (_, index) => ({ ...PLATE, product_title: `Pezzo ${index} 🧩` }));

    const order = await place({ order_lines, currency_iso_code: 'JPY' });

    expect(order).toMatchObject({ currency: 'JPY', problems: [] });
    expect(order.lines[499]).toMatchObject({ title: 'Pezzo 499 🧩', totalGross: '12.20' });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['a line of no pieces', { order_lines: [{ ...CUPS, quantity: 0 }] }, 'nothing to ship'],
    ['a line without a price', { order_lines: [{ ...CUPS, price: null }] }, '"Tazza" has no price'],
    ['a line without a title', { order_lines: [{ ...CUPS, product_title: '', quantity: 0 }] }, '"TAZ"'],
    ['one unreadable line', { order_lines: [null, CUPS] }, 'Line 1'],
    ['no lines', { order_lines: [] }, 'no lines'],
    ['lines that are no list', { order_lines: 'none' }, 'lines of the order could not be read'],
    ['an incident', { order_lines: [{ ...CUPS, order_line_state: 'INCIDENT_OPEN' }] }, 'incident about "Tazza"'],
    ['a part cancelled', { order_lines: [{ ...CUPS, cancelations: [{ id: '1' }] }] }, '"Tazza" was cancelled'],
    ['no total', { total_price: null }, 'no total'],
    ['a total in words', { total_price: 'free' }, 'no total'],
    ['no currency', { currency_iso_code: null }, 'no currency'],
    ['no customer', { customer: null }, 'no delivery address'],
    ['no name', customerWith({ firstname: '', lastname: '' }), 'no name'],
    ['no street', customerWith({ street_1: null }), 'no street'],
    ['no city', customerWith({ city: '' }), 'no city'],
    ['no postal code', customerWith({ zip_code: null }), 'no postal code'],
    ['no country', customerWith({ country_iso_code: '' }), 'no country'],
    ['a country of its own', customerWith({ country_iso_code: 'XXX' }), '"XXX"'],
    ['a pick-up point', { shipping_pudo_id: 'PU-1' }, 'pick-up point "PU-1"'],
    ['a shop that may not ship', { can_shop_ship: false }, 'may not ship'],
    ['a state of its own', { order_state: 'ON_THE_MOON' }, '"ON_THE_MOON"'],
    ['no yes from the shop yet', { order_state: 'WAITING_ACCEPTANCE' }, 'waits to be accepted'],
  ])('with %s is imported, and says so', async (_name, changes, words) => {
    const { problems } = await place(changes);

    expect(problems.join('\n')).toContain(words);
  });

  test.each([
    ['ITA', 'IT'],
    ['deu', 'DE'],
    ['SMR', 'SM'],
    ['CHE', 'CH'],
    ['IT', ''],
  ])('from the country %s is from "%s" here', (theirs, ours) => {
    expect(countryCodeOf(theirs)).toBe(ours);
  });
});
