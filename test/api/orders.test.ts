import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Order } from '../../src/db/entities/index.ts';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';
import { addCompany } from './second-company.ts';
import { createOrder, readOrder } from './ship-orders.ts';

const PRODUCT = '0b8f2f6e-3a86-4d4a-9d0e-5b7f3c1a2d4e';
const UNKNOWN = '0b8f2f6e-3a86-4d4a-9d0e-000000000000';
const PRODUCT_OF_CLIENT = '6a1f0c3e-5b7d-4e2a-9c1b-2f3d4e5a6b7c';
const NOBODYS = 2_000_000_000;

let test: TestApp;

const post = (overrides: Record<string, unknown>, headers: Record<string, string> = {}) =>
  test.call('POST', '/orders', buildOrder(overrides), headers);

function item(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'Tazza', quantity: 1, price: 10, ...overrides };
}

function shipping(overrides: Record<string, unknown>): Record<string, unknown> {
  return { ...(buildOrder().shipping as object), ...overrides };
}

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.stop());

describe('the money of an order', () => {
  it('includes VAT unless the company says otherwise', async () => {
    const netto = await addCompany(test, 'netto', { settings: { prices_include_vat: false, vat_rate: '10' } });

    const gross = await post({});
    const net = await post({}, netto.headers);

    expect(gross.body.totals).toEqual({ netAmount: 25.33, vatAmount: 5.57, grossAmount: 30.9 });
    expect(gross.body.orderItems[0]).toMatchObject({
      unitPriceGross: 12.5,
      unitPriceNet: 10.2459,
      totalAmountGross: 25,
    });
    expect(net.body.totals).toEqual({ netAmount: 30.9, vatAmount: 3.09, grossAmount: 33.99 });
    expect(net.body.orderItems[0]).toMatchObject({ unitPriceGross: 13.75, unitPriceNet: 12.5, totalAmountNet: 25 });
    expect(net.body.order).toMatchObject({ saleShippingCost: '5.90', shippingCostGrossAmount: 6.49 });
  });

  it('is rounded per line, half up, and adds up to the cent', async () => {
    const items = [
      item({ price: 0.335, quantity: 3 }),
      item({ price: 0.005 }),
      item({ price: 1e-7, quantity: 100_000 }),
    ];

    const { body } = await post({ items, shipping_cost: 0 });

    expect(body.orderItems.map((one: { totalAmountGross: number }) => one.totalAmountGross)).toEqual([
      1.01, 0.01, 0.01,
    ]);
    expect(body.order).toMatchObject({ totalNetAmount: '0.85', totalVatAmount: '0.18', totalGrossAmount: '1.03' });
  });

  it('may be nothing at all', async () => {
    const created = await post({ items: [item({ price: 0 })], shipping_cost: null, payment_method: null });

    expect(created.status).toBe(201);
    expect(created.body.totals).toEqual({ netAmount: 0, vatAmount: 0, grossAmount: 0 });
  });

  it('has a ceiling that is said in words', async () => {
    const refused = await post({ items: [item({ price: 1_000_000, quantity: 100_000 })] });

    expect(refused.status).toBe(422);
    expect(refused.body.violations).toEqual([
      { in: 'body', pointer: '/items', message: 'The sum is above 20000000.00' },
    ]);
  });
});

describe('the payment of an order', () => {
  it.each([
    ['COD', undefined, '30.90'],
    ['cod ', undefined, '30.90'],
    ['Contrassegno', undefined, '30.90'],
    ['CASH_ON_DELIVERY', undefined, '30.90'],
    ['COD', 12.345, '12.35'],
    ['COD', null, '30.90'],
    ['PREPAID', undefined, null],
    ['PREPAID', 10, null],
    ['PayPal', undefined, null],
  ])('by %j with cod_amount %j collects %j', async (method, amount, collected) => {
    const { body } = await post({ payment_method: method, ...(amount === undefined ? {} : { cod_amount: amount }) });

    const detail = await readOrder(test, body.order.id);
    expect(detail.payment).toEqual({ method: method.trim(), codAmount: collected });
  });

  it('is prepaid by default, and any text up to fifty characters', async () => {
    const silent = await createOrder(test, { payment_method: undefined });
    const long = await post({ payment_method: 'x'.repeat(50) });
    const tooLong = await post({ payment_method: 'x'.repeat(51) });

    expect((await readOrder(test, silent)).payment.method).toBe('PREPAID');
    expect(long.status).toBe(201);
    expect(tooLong.body.violations.map((one: { pointer: string }) => one.pointer)).toEqual(['/payment_method']);
  });
});

describe('an order', () => {
  it.each([
    ['/customer', { customer: undefined }],
    ['/customer/full_name', { customer: { email: 'a@example.com' } }],
    ['/shipping', { shipping: undefined }],
    ['/shipping/full_name', { shipping: shipping({ full_name: ' ' }) }],
    ['/shipping/address', { shipping: shipping({ address: undefined }) }],
    ['/shipping/city', { shipping: shipping({ city: undefined }) }],
    ['/shipping/zip', { shipping: shipping({ zip: '2012' }) }],
    ['/shipping/country_code', { shipping: shipping({ country_code: 'ITA' }) }],
    ['/shipping/country_code', { shipping: shipping({ country_code: 'ZZ' }) }],
    ['/shipping/province', { shipping: shipping({ province: undefined }) }],
    ['/items', { items: [] }],
    ['/items', { items: Array.from({ length: 1001 }, () => item()) }],
    ['/items/0', { items: [item({ name: '', sku: ' ' })] }],
    ['/items/0/quantity', { items: [item({ quantity: 0 })] }],
    ['/items/0/quantity', { items: [item({ quantity: 1.5 })] }],
    ['/items/1/price', { items: [item(), item({ price: -0.01 })] }],
    ['/items/0/product_id', { items: [item({ product_id: '7' })] }],
    ['/billing/country_code', { billing: { country_code: 'Italia' } }],
    ['/parcels', { parcels: Array.from({ length: 100 }, () => ({ weight_kg: 1 })) }],
    ['/parcels/0/weight_kg', { parcels: [{ weight_kg: 0 }] }],
    ['/insurance', { insurance: 'yes' }],
  ])('is refused with %s', async (pointer, overrides) => {
    const refused = await post(overrides);

    expect(refused.status).toBe(400);
    expect(refused.body.violations.map((one: { pointer: string }) => one.pointer)).toEqual([pointer]);
  });

  it('needs few fields: the others may be missing or null', async () => {
    const created = await test.call('POST', '/orders', {
      customer: { full_name: 'Anna', email: null },
      billing: null,
      shipping: {
        full_name: 'Anna',
        address: 'Via Po, 1',
        city: 'Torino',
        province: 'to',
        zip: '10121',
        country_code: 'it',
      },
      items: [{ sku: 'X', quantity: 1, price: 1 }],
      shipping_cost: null,
      insurance: null,
      note: null,
      warehouse_id: null,
    });

    expect(created.status).toBe(201);
    expect(created.body.customerAddress).toMatchObject({ state: 'TO', countryCode: 'IT', company: '' });
    expect(created.body.order).toMatchObject({ insurance: false, buyerOrderNote: '', saleShippingCost: '0.00' });
  });

  it.each([
    ['Milano', 'MI'],
    ['milano', 'MI'],
    ['Reggio Emilia', 'RE'],
    ['OT', 'SS'],
  ])('takes the province %s and keeps it as %s', async (province, code) => {
    const created = await post({ shipping: shipping({ province }) });

    expect(created.status).toBe(201);
    expect(created.body.customerAddress.state).toBe(code);
  });

  it.each(['XX', 'Brianza', 'RSM'])('does not take the province %s', async (province) => {
    const refused = await post({ shipping: shipping({ province }) });

    expect(refused.status).toBe(400);
    expect(refused.body.violations).toEqual([
      { in: 'body', pointer: '/shipping/province', message: 'must be an Italian province such as BO or Bologna' },
    ]);
  });

  it('needs a province in Italy only', async () => {
    const place = { city: 'Paris', province: '', zip: '75001 CEDEX', country_code: 'FR' };

    const created = await post({ shipping: shipping(place) });

    expect(created.status).toBe(201);
    expect(created.body.customerAddress).toMatchObject({ state: '', zip: '75001 CEDEX', countryCode: 'FR' });
  });
});

describe('a doubtful address', () => {
  it('is no reason to refuse an order: its fields are named, and the order says why', async () => {
    const doubtful = shipping({ address: 'Via Torino', city: 'Milnao', province: 'MI', zip: '40121' });

    const created = await post({ shipping: doubtful });

    const order = (await test.call('GET', `/orders/${created.body.order.id}`)).body;
    expect(created.status).toBe(201);
    expect(created.headers.get('x-address-doubts')).toBe('/shipping/city, /shipping/zip, /shipping/address');
    expect(Object.keys(created.body).sort()).toEqual(['customer', 'customerAddress', 'order', 'orderItems', 'totals']);
    expect(order.addressDoubts).toEqual([
      {
        pointer: '/shipping/city',
        message: expect.stringContaining('There is no comune "Milnao"'),
        suggestion: 'Milano',
      },
      { pointer: '/shipping/zip', message: expect.stringContaining('40121'), suggestion: null },
      { pointer: '/shipping/address', message: expect.stringContaining('no house number'), suggestion: null },
    ]);
  });

  it('is not what most addresses are', async () => {
    const created = await post({});

    const order = (await test.call('GET', `/orders/${created.body.order.id}`)).body;
    expect(created.headers.get('x-address-doubts')).toBeNull();
    expect(order.addressDoubts).toEqual([]);
  });
});

describe('the references of an order', () => {
  it('must be there, and all that is not is named at once', async () => {
    const refused = await post({
      warehouse_id: NOBODYS,
      carrier_company_id: NOBODYS,
      marketplace: { connection_id: NOBODYS, order_id: '1' },
    });

    expect(refused.status).toBe(422);
    expect(refused.body.violations.map((one: { pointer: string }) => one.pointer)).toEqual([
      '/warehouse_id',
      '/carrier_company_id',
      '/marketplace/connection_id',
    ]);
  });

  it('a product is found by its id or its sku, and lends what the item does not say', async () => {
    const shop = await addCompany(test, 'prodotti', {
      products: [{ id: PRODUCT, sku: 'OLIO', title: "Olio d'oliva", weight_kg: 5.2 }],
    });

    const { body } = await post(
      { items: [{ product_id: PRODUCT, sku: '', name: '', quantity: 1, price: 1 }] },
      shop.headers,
    );
    const byId = await post({ items: [{ product_id: PRODUCT, name: 'Mio', quantity: 1, price: 1 }] }, shop.headers);
    const bySku = await post({ items: [{ sku: 'OLIO', quantity: 1, price: 1 }] }, shop.headers);

    expect(body.violations.map((one: { pointer: string }) => one.pointer)).toEqual(['/items/0']);
    expect(byId.body.orderItems[0]).toMatchObject({ companyProductId: PRODUCT, sku: 'OLIO', title: 'Mio' });
    expect(bySku.body.orderItems[0]).toMatchObject({ companyProductId: PRODUCT, sku: 'OLIO', title: "Olio d'oliva" });
  });

  it("a product id that the catalogue lacks is the client's own: kept, answered and doubted, never refused", async () => {
    const shop = await addCompany(test, 'riferimenti', {
      products: [{ id: PRODUCT_OF_CLIENT, sku: 'OLIO', title: "Olio d'oliva", weight_kg: 5.2 }],
    });
    const items = [
      { product_id: PRODUCT_OF_CLIENT, name: 'Noto', quantity: 1, price: 1 },
      { product_id: UNKNOWN, name: 'Mio', sku: 'MIO', quantity: 1, price: 1 },
      { product_id: UNKNOWN, name: 'Olio', sku: 'OLIO', quantity: 2, price: 1 },
    ];

    const created = await post({ items }, shop.headers);

    const read = await test.call('GET', `/orders/${created.body.order.id}`, undefined, shop.headers);
    expect(created.status).toBe(201);
    expect(created.headers.get('x-product-doubts')).toBe('/items/1/product_id, /items/2/product_id');
    for (const { body } of [created, read]) {
      expect(body.orderItems.map((one: { companyProductId: string }) => one.companyProductId)).toEqual([
        PRODUCT_OF_CLIENT,
        UNKNOWN,
        UNKNOWN,
      ]);
    }
    expect(read.body.productDoubts).toMatchObject([
      { pointer: '/items/1/product_id', suggestion: null },
      { pointer: '/items/2/product_id', suggestion: PRODUCT_OF_CLIENT },
    ]);
  });

  it('a warehouse is named by its id or its key', async () => {
    const place = { name: 'Nord', address: 'Via Po 1', city: 'Torino', province: 'TO', zip: '10123' };
    const shop = await addCompany(test, 'magazzini', { warehouses: [{ key: 'nord', ...place, default: true }] });

    const [listed] = (await test.call('GET', '/warehouses', undefined, shop.headers)).body;
    const byKey = await post({ warehouse_id: 'nord' }, shop.headers);
    const byId = await post({ warehouse_id: listed.id }, shop.headers);
    const foreign = await post({ warehouse_id: 'nord' });

    expect(listed).toMatchObject({ key: 'nord', name: 'Nord', isDefault: true });
    expect([byKey.status, byId.status]).toEqual([201, 201]);
    const rows = await database(test).find(Order, { id: { $in: [byKey.body.order.id, byId.body.order.id] } });
    expect(rows.map((row) => row.warehouseId)).toEqual([listed.id, listed.id]);
    expect(foreign).toMatchObject({ status: 422, body: { violations: [{ pointer: '/warehouse_id' }] } });
  });

  it('a marketplace order is here once, also when it comes twice at the same time', async () => {
    const marketplace = { connection_id: test.connectionId, order_id: 'DOPPIO' };

    const together = await Promise.all(Array.from({ length: 6 }, () => post({ marketplace })));
    const later = await post({ marketplace });

    expect(together.map((answer) => answer.status).toSorted()).toEqual([201, 422, 422, 422, 422, 422]);
    expect(later.body.violations).toEqual([
      { in: 'body', pointer: '/marketplace/order_id', message: 'This marketplace order exists already' },
    ]);
    expect((await test.call('GET', '/orders?marketplaceOrderId=DOPPIO')).body).toHaveLength(1);
  });
});

describe('the parcels of an order', () => {
  it('are those the client describes, else one with the weight of the products', async () => {
    const parcels = [{ weight_kg: 2.5, length_cm: 40, width_cm: 30, height_cm: 20 }, { weight_kg: 0.0001 }];
    const quote = async (orderId: number) =>
      (await test.call('GET', `/shipment/quote?orderId=${orderId}&carrierCompanyId=${test.contractId}`)).body;

    const described = await createOrder(test, { parcels });
    const known = await createOrder(test, { items: [{ sku: 'OIL-05', quantity: 2, price: 1 }] });
    const unknown = await createOrder(test, { items: [{ sku: 'MAI-VISTO', quantity: 2, price: 1 }] });

    expect((await readOrder(test, described)).order.parcelNumber).toBe(2);
    expect(await quote(described)).toMatchObject({ real_weight: '2.501', volumetric_weight: '7.200' });
    expect(await quote(known)).toMatchObject({ real_weight: '10.400' });
    expect(await quote(unknown)).toMatchObject({ real_weight: '1.000' });
  });
});

describe('orders that are read', () => {
  it('come one by one under their Location, with a number of their own', async () => {
    const named = await post({ order_number: 'A/1 è' });
    const unnamed = await post({});

    const read = await fetch(`${test.app.url}${named.headers.get('Location')}`, {
      headers: { 'x-api-key': test.demo.apiKey },
    });
    expect(await read.json()).toMatchObject({ order: { orderNumber: 'A/1 è' }, totals: named.body.totals });
    expect(unnamed.body.order.orderNumber).toBe(String(unnamed.body.order.id));
  });

  it.each(['0', '2000000000', '999999999999999999'])('is not there under %s', async (id) => {
    const answer = await test.call('GET', `/orders/${id}`);

    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: 'not-found', detail: 'There is no such order' });
  });

  it('come in pages, newest first, each leading to the next', async () => {
    const shop = await addCompany(test, 'pagine');
    const ids: number[] = [];
    for (let number = 0; number < 5; number++)
      ids.push(await createOrder(test, { order_number: `N${number}` }, shop.headers));
    const seen: number[] = [];
    let next: string | undefined = '/orders?limit=2&status=pending';
    let pages = 0;

    while (next) {
      const page: Awaited<ReturnType<TestApp['call']>> = await test.call('GET', next, undefined, shop.headers);
      seen.push(...page.body.map((order: { id: number }) => order.id));
      next = page.headers.get('Link')?.match(/^<\/api\/v1\/external(.*)>; rel="next"$/)?.[1];
      pages++;
    }

    expect(seen).toEqual(ids.toReversed());
    expect(pages).toBe(3);
    expect((await test.call('GET', '/orders?orderNumber=N3', undefined, shop.headers)).body).toHaveLength(1);
    expect((await test.call('GET', '/orders?status=held', undefined, shop.headers)).body).toEqual([]);
    expect((await test.call('GET', '/orders?limit=0')).status).toBe(400);
  });
});
