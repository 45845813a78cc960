import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { amazon } from '../../../src/marketplaces/amazon/index.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';
import { callerOf } from '../call-marketplace.ts';
import { ADDRESS, CUPS, euro, ORDER, PLATE, useAmazon } from './world.ts';

const ORDERS = '/orders/2026-01-01/orders';
const world = useAmazon();
const place = world.place;
const withAddress = (more: object) => ({ recipient: { deliveryAddress: { ...ADDRESS, ...more } } });
const status = (fulfillmentStatus: string, fulfilledBy = 'MERCHANT') => ({
  fulfillment: { fulfillmentStatus, fulfilledBy },
});

describe('an order from Amazon', () => {
  test('is imported with everything the contract asks for', async () => {
    const order = await place({ lastUpdatedTime: '2026-11-20T10:30:00Z' });

    expect(order).toMatchObject({
      externalId: expect.stringMatching(/^\d{3}-\d{7}-\d{7}$/),
      externalNumber: order.externalId,
      state: 'open',
      currency: 'EUR',
      createdAt: new Date('2026-11-20T09:00:00Z'),
      modifiedAt: new Date('2026-11-20T10:30:00Z'),
      customer: { fullName: 'Ilaria Montaldo', email: 'x7y8@marketplace.example', phone: '+39 333 5550177' },
      billing: { fullName: 'Ilaria Montaldo', company: '', address: '', vatNumber: '', taxCode: '' },
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
        { sku: 'TAZ', title: 'Tazza', quantity: 2, unitPriceGross: '10.00', totalGross: '20.00', totalNet: '16.39' },
        { sku: 'PIA', title: 'Piatto', quantity: 1, unitPriceGross: '10.00', totalGross: '10.00', totalNet: '8.20' },
      ],
      shippingGross: '5.00',
      totalGross: '35.00',
      totalNet: '28.69',
      paymentMethod: 'CreditCard',
      cashOnDelivery: false,
      note: 'Al piano terra 🎁',
      problems: [],
    });
  });

  test.each([
    ['UNSHIPPED', 'open'],
    ['PARTIALLY_SHIPPED', 'open'],
    ['SHIPPED', 'shipped'],
    ['CANCELLED', 'cancelled'],
  ])('that is %s there is "%s" here', async (there, here) => {
    expect(await place(status(there))).toMatchObject({ state: here, problems: [] });
  });

  test.each(['PENDING', 'PENDING_AVAILABILITY'])('that is %s waits, and has no address yet', async (there) => {
    const order = await place(status(there));

    expect(order).toMatchObject({ state: 'held', shipping: { address: '' } });
    expect(order.problems).toEqual([expect.stringContaining('no delivery address')]);
  });

  test('that is shipped needs no sentence about its pieces', async () => {
    const line = { ...CUPS, fulfillment: { quantityFulfilled: 2, quantityUnfulfilled: 0 } };

    expect(await place({ ...status('SHIPPED'), orderItems: [line] })).toMatchObject({ state: 'shipped', problems: [] });
  });

  test('waits with a sentence when its status is unknown', async () => {
    const order = await place(status('UNFULFILLABLE'));

    expect(order.state).toBe('held');
    expect(order.problems).toEqual([expect.stringContaining('"UNFULFILLABLE"')]);
  });

  test('that Amazon ships itself leaves nothing to do here', async () => {
    expect(await place(status('UNSHIPPED', 'AMAZON'))).toMatchObject({
      state: 'shipped',
      problems: ['Amazon ships this order itself'],
    });
  });

  test('has the VAT number, the name and the registered address of a company', async () => {
    const registration = {
      entityType: 'BUYER',
      legalName: 'Montaldo Srl',
      taxRegistrationType: 'VAT',
      taxRegistrationNumber: 'IT00000000000',
      taxRegistrationAddress: { addressLine1: 'Via Sede 1', city: 'Genova', postalCode: '16121', countryCode: 'it' },
    };
    const seller = { entityType: 'MERCHANT', taxRegistrationType: 'VAT', taxRegistrationNumber: 'IT99999999999' };

    const order = await place({ tax: { taxRegistrations: [seller, registration] } });

    expect(order.billing).toMatchObject({
      company: 'Montaldo Srl',
      vatNumber: 'IT00000000000',
      address: 'Via Sede 1',
      countryCode: 'IT',
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ['the payment', { payment: { paymentExecutions: [{ paymentMethod: 'CashOnDelivery' }] } }],
    [
      'a line',
      {
        orderItems: [{ ...CUPS, fulfillment: { shipping: { shippingConstraints: { cashOnDelivery: 'MANDATORY' } } } }],
      },
    ],
  ])('is cash on delivery when %s says so', async (_name, changes) => {
    expect((await place(changes)).cashOnDelivery).toBe(true);
  });

  test('has its street in whichever line Amazon put it, and the rest after it', async () => {
    const order = await place(
      withAddress({ addressLine1: '', addressLine2: 'Corso Traiano 8', addressLine3: 'Scala B' }),
    );

    expect(order.shipping).toMatchObject({ address: 'Corso Traiano 8', address2: 'Scala B' });
  });

  test('keeps gift messages and where to leave the parcel', async () => {
    const gift = { ...PLATE, fulfillment: { packing: { giftOption: { giftMessage: 'Auguri 🎂' } } } };
    const deliveryPreference = { dropOffLocation: 'Portineria' };

    const order = await place({ orderItems: [gift], recipient: { deliveryAddress: ADDRESS, deliveryPreference } });

    expect(order.note).toBe('Portineria\nAuguri 🎂');
  });

  test('without any tax broken down counts its amounts as net', async () => {
    const line = { ...PLATE, proceeds: { proceedsTotal: euro('10.00'), breakdowns: [] } };

    const order = await place({ orderItems: [line], proceeds: { grandTotal: euro('10.00') } });

    expect(order).toMatchObject({ totalNet: '10.00', lines: [{ totalGross: '10.00', totalNet: '10.00' }] });
  });

  test('in another currency keeps it, and the decimals of a price that does not divide', async () => {
    const yen = (amount: string) => ({ amount, currencyCode: 'JPY' });
    const line = { ...CUPS, quantityOrdered: 3, proceeds: { proceedsTotal: yen('1000'), breakdowns: [] } };

    const order = await place({ orderItems: [line], proceeds: { grandTotal: yen('1000') } });

    expect(order).toMatchObject({ currency: 'JPY', totalGross: '1000.00', lines: [{ unitPriceGross: '333.3333' }] });
  });

  test('is imported whole with 500 lines', async () => {
    const orderItems = Array.from({ length: 500 }, (_, index) => ({
      ...PLATE,
      product: { title: `Pezzo ${index} 🧩`, sellerSku: `P${index}` },
    }));

    const order = await place({ orderItems });

    expect(order.lines).toHaveLength(500);
    expect(order.lines[499]).toMatchObject({ title: 'Pezzo 499 🧩', totalGross: '10.00' });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['a line of no pieces', { orderItems: [{ ...CUPS, quantityOrdered: 0 }] }, 'nothing to ship'],
    ['a line without a price', { orderItems: [{ ...CUPS, proceeds: null }] }, '"Tazza" has no price'],
    ['a line without a name', { orderItems: [{ ...CUPS, product: {}, quantityOrdered: 0 }] }, 'line 405'],
    ['no lines', { orderItems: [] }, 'no lines'],
    ['lines that are no list', { orderItems: 'none' }, 'lines of the order could not be read'],
    ['one unreadable line', { orderItems: [null, CUPS] }, 'Line 1'],
    ['no total', { proceeds: {} }, 'no total'],
    ['a total in words', { proceeds: { grandTotal: { amount: 'free', currencyCode: 'EUR' } } }, 'no total'],
    ['no currency', { proceeds: { grandTotal: { amount: '1' } }, orderItems: [] }, 'no currency'],
    ['no recipient', { recipient: null }, 'no delivery address'],
    ['no name', withAddress({ name: '' }), 'no name'],
    ['no street', withAddress({ addressLine1: '' }), 'no street'],
    ['no city', withAddress({ city: null }), 'no city'],
    ['no postal code', withAddress({ postalCode: '' }), 'no postal code'],
    ['no country', withAddress({ countryCode: '' }), 'no country'],
    ['collection in a store', { programs: ['IN_STORE_PICK_UP'] }, 'collects'],
    [
      'a part that is shipped',
      { orderItems: [{ ...CUPS, fulfillment: { quantityFulfilled: 1, quantityUnfulfilled: 1 } }] },
      '1 of 2 pieces of "Tazza" were already shipped',
    ],
    [
      'a buyer who wants to cancel',
      {
        orderItems: [
          {
            ...CUPS,
            cancellation: { cancellationRequest: { requester: 'BUYER', cancelReason: 'Ordered by mistake' } },
          },
        ],
      },
      'asked to cancel "Tazza" (Ordered by mistake)',
    ],
  ])('with %s is imported as it is, with a sentence', async (_name, odd, sentence) => {
    const order = await place(odd);

    expect(order.problems.join('\n')).toContain(sentence);
  });

  test('names the missing role when the seller gave none for persons', async () => {
    const id = await world.seed(ORDER);

    const order = await world.caller({ refreshToken: 'Atzr|sandbox-no-pii' }).read(id);

    expect(order?.problems).toEqual([expect.stringContaining('role')]);
  });

  test('that is not there is not there', async () => {
    expect(await world.caller().read('405-9999999-9999999')).toBeNull();
  });
});

describe('a list of orders', () => {
  const window = {
    modifiedAfter: new Date('2026-11-10T12:00:00Z'),
    modifiedBefore: new Date('2026-11-10T13:00:00Z'),
  };
  const at = (lastUpdatedTime: string, more: object = {}) => ({
    createdTime: '2026-11-01T00:00:00Z',
    lastUpdatedTime,
    orderItems: [],
    ...more,
  });

  test('holds what was updated inside the window, and shipped by the seller', async () => {
    const inside = await world.seed(at('2026-11-10T12:30:00Z'));
    const edge = await world.seed(at('2026-11-10T13:00:00Z'));
    const cancelled = await world.seed(at('2026-11-10T12:31:00Z', status('CANCELLED')));
    await world.seed(at('2026-11-10T11:59:59Z'));
    await world.seed(at('2026-11-10T13:00:01Z'));
    await world.seed(at('2026-11-10T12:30:00Z', status('UNSHIPPED', 'AMAZON')));
    await world.seed(at('2026-11-10T12:30:00Z', status('PENDING')));

    const orders = await world.caller().listAll(window);

    expect(orders.map(({ externalId }) => externalId).toSorted()).toEqual([inside, edge, cancelled].toSorted());
  });

  test('holds only the marketplaces that the account names', async () => {
    const there = { salesChannel: { channelName: 'AMAZON', marketplaceId: 'A13V1IB3VIYZZH' } };
    const french = await world.seed(at('2026-11-09T12:30:00Z', there));
    await world.seed(at('2026-11-09T12:30:00Z'));

    const orders = await world
      .caller({ marketplaceIds: ['A13V1IB3VIYZZH', 'A1PA6795UKMFR9'] })
      .listAll({ modifiedAfter: new Date('2026-11-09T00:00:00Z'), modifiedBefore: new Date('2026-11-10T00:00:00Z') });

    expect(orders.map(({ externalId }) => externalId)).toEqual([french]);
  });

  test('longer than a page is read to its end, each order once, around the one that cannot be read', async () => {
    const day = { modifiedAfter: new Date('2026-10-01T00:00:00Z'), modifiedBefore: new Date('2026-10-02T00:00:00Z') };
    for (let index = 0; index < 200; index++) await world.seed(at('2026-10-01T10:00:00Z'));
    const poison = await world.seed(at('2026-10-01T11:00:00Z', { createdTime: 'one day' }));
    const caller = world.caller();

    const orders = await caller.listAll(day);

    expect(new Set(orders.map(({ externalId }) => externalId)).size).toBe(200);
    expect(caller.unreadable()).toEqual([poison]);
    expect(caller.exchanges.filter(({ operation }) => operation === 'searchOrders')).toHaveLength(3);
  });
});

describe('a page of orders', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());

  const token = { method: 'POST', path: '/auth/o2/token', body: { access_token: 'Atza|sandbox', expires_in: 3600 } };
  const page = (nextToken?: string) => ({
    method: 'GET',
    path: ORDERS,
    body: { orders: [], ...(nextToken ? { pagination: { nextToken } } : {}) },
  });
  const caller = (now: () => Date, more: object = {}) =>
    callerOf(amazon, {
      now,
      account: {
        clientId: 'one',
        clientSecret: 'sandbox',
        refreshToken: 'Atzr|sandbox',
        baseUrl: `${server.url}/`,
        tokenUrl: `${server.url}/auth/o2/token`,
        ...more,
      },
    });
  const asked = () => server.requests.slice(1).map(({ query }) => Object.fromEntries(query));

  test('is asked for by the recipe, the next one with the very same words', async () => {
    let minutes = 0;
    const now = () => new Date(Date.UTC(2026, 10, 21, 12, minutes++));
    server.script(token, page('dG9r/ZW4='), page());

    await caller(now, { marketplaceIds: ['APJ6JRA9NG5V4'] }).listAll({
      modifiedAfter: new Date('2026-11-21T11:00:00Z'),
      modifiedBefore: new Date('2026-11-21T12:00:00Z'),
    });

    const first = {
      lastUpdatedAfter: '2026-11-21T11:00:00.000Z',
      lastUpdatedBefore: '2026-11-21T11:57:00.000Z',
      fulfilledBy: 'MERCHANT',
      fulfillmentStatuses: 'UNSHIPPED,PARTIALLY_SHIPPED,SHIPPED,CANCELLED',
      marketplaceIds: 'APJ6JRA9NG5V4',
      includedData: 'BUYER,RECIPIENT,PROCEEDS,CANCELLATION,FULFILLMENT,TAX,PAYMENT',
      maxResultsPerPage: '100',
    };
    expect(asked()).toEqual([first, { ...first, paginationToken: 'dG9r/ZW4=' }]);
  });

  test('ends where the window ends when that is long ago', async () => {
    server.script(token, page());

    await caller(() => new Date('2026-11-21T12:00:00Z')).listAll({
      modifiedAfter: new Date('2026-11-20T00:00:00Z'),
      modifiedBefore: new Date('2026-11-21T00:00:00Z'),
    });

    expect(asked()[0]).toMatchObject({ lastUpdatedBefore: '2026-11-21T00:00:00.000Z' });
  });

  test('leaves the last two minutes for the next time', async () => {
    const now = new Date('2026-11-21T12:00:00Z');

    const orders = await caller(() => now).listAll({
      modifiedAfter: new Date('2026-11-21T11:58:30Z'),
      modifiedBefore: now,
    });

    expect(orders).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});
