import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemEm } from '../../src/db/orm.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany, declareCompany, demoContract, demoTariff } from './second-company.ts';
import { bookOrder, createOrder, readOrder } from './ship-orders.ts';

const NOBODYS = 2_000_000_000;
const PARIS = { full_name: 'Anne', address: 'Rue de Rivoli, 1', city: 'Paris', zip: '75001', country_code: 'FR' };

let test: TestApp;

const create = (elements: unknown[], headers: Record<string, string> = {}) =>
  test.call('POST', '/shipment/create', elements, headers);
const sql = (query: string, values: unknown[]) => systemEm(test.app.deps.orm).execute(query, values);

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.stop());

describe('a batch of bookings', () => {
  it('tells the truth about each order, and none hides another', async () => {
    const good = await createOrder(test);
    const cancelled = await createOrder(test);
    await sql("update orders set status = 'cancelled' where id = ?", [cancelled]);
    const abroad = await createOrder(test, { shipping: PARIS });
    const tooMany = await createOrder(test);
    const parcel = { weightGrams: 1000, lengthMm: 0, widthMm: 0, heightMm: 0 };
    await sql('update orders set parcels = ?::jsonb where id = ?', [JSON.stringify(Array(100).fill(parcel)), tooMany]);
    const heavy = await createOrder(test, { items: [{ sku: 'OIL-05', quantity: 100_000, price: 0 }] });
    const noService = await createOrder(test, { carrier_options: ['TELETRASPORTO'] });
    const free = await createOrder(test, { payment_method: 'COD', cod_amount: 0 });
    const alsoGood = await createOrder(test);
    const bad = { cancelled, abroad, tooMany, heavy, noService, free, nobodys: NOBODYS };

    const elements = [good, ...Object.values(bad), alsoGood].map((orderId) => ({ orderId }));
    const { status, body } = await create(elements);

    expect(status).toBe(200);
    expect(body).toMatchObject({ success: false, total: 9, message: '2 of 9 created, 7 failed' });
    expect(body.details.success).toEqual([good, alsoGood]);
    expect(body.details.errors).toEqual([
      { id: cancelled, message: 'The order is cancelled' },
      { id: abroad, message: expect.stringContaining('Italy only') },
      { id: tooMany, message: expect.stringContaining('up to 99 parcels') },
      { id: heavy, message: expect.stringContaining('above the limit') },
      { id: noService, message: expect.stringContaining('TELETRASPORTO') },
      { id: free, message: expect.stringContaining('cash on delivery amount') },
      { id: NOBODYS, message: `There is no order ${NOBODYS}` },
    ]);
    expect(await readOrder(test, abroad)).toMatchObject({
      order: { status: 'error' },
      error: expect.stringContaining('Italy only'),
      shipments: [],
    });
    expect((await readOrder(test, cancelled)).order.status).toBe('cancelled');
  });

  it('names the shipment of each booked order and where its label is', async () => {
    const orderId = await createOrder(test);

    const { body } = await create([{ orderId }, { orderId: NOBODYS }]);
    const [made] = body.details.shipments;
    const label = await fetch(made.labelUrl, { headers: { 'x-api-key': test.demo.apiKey } });
    const transmitted = await test.call('POST', '/shipment/transmit', [{ orderId }]);

    const [shipment] = (await readOrder(test, orderId)).shipments;
    expect(body.details.shipments).toEqual([
      {
        orderId,
        shipmentId: shipment.id,
        trackingNumber: shipment.trackingNumber,
        labelUrl: `${test.app.url}/api/v1/external/shipment/${shipment.id}/label`,
      },
    ]);
    expect(label.headers.get('content-type')).toBe('application/pdf');
    expect(transmitted.body.details.shipments).toBeUndefined();
  });

  it('is not undone by parcels larger than numbers', async () => {
    const good = await createOrder(test);
    const cube = { weight_kg: 1, length_cm: 1000, width_cm: 1000, height_cm: 1000 };
    const huge = await createOrder(test, { parcels: [cube, cube, cube] });

    const { status, body } = await create([{ orderId: good }, { orderId: huge }]);

    expect(status).toBe(200);
    expect(body.details.success).toEqual([good]);
    expect(body.details.errors).toEqual([{ id: huge, message: expect.stringContaining('larger than anything') }]);
  });

  it('counts an order once, however often it is in it', async () => {
    const orderId = await createOrder(test);
    const other = await createOrder(test);

    const { body } = await create([{ orderId }, { orderId: other }, { orderId }, { orderId }]);

    const [shipment, ...more] = (await readOrder(test, orderId)).shipments;
    expect(body).toMatchObject({ success: true, total: 2, details: { success: [orderId, other], errors: [] } });
    expect(more).toEqual([]);
    expect(await test.ledger('gls-it', shipment.reference)).toMatchObject({ labelsSold: 1 });
  });

  it('may hold many, each with one label of its own', async () => {
    const orderIds = await Promise.all(Array.from({ length: 60 }, () => createOrder(test)));

    const { body } = await create(orderIds.map((orderId) => ({ orderId })));
    const transmitted = await test.call(
      'POST',
      '/shipment/transmit',
      orderIds.map((orderId) => ({ orderId })),
    );

    const shipments = (await Promise.all(orderIds.map((orderId) => readOrder(test, orderId)))).flatMap(
      (detail) => detail.shipments,
    );
    const sold = await Promise.all(shipments.map((shipment) => test.ledger('gls-it', shipment.reference)));
    expect(body).toMatchObject({ success: true, total: 60, details: { success: orderIds, errors: [] } });
    expect(transmitted.body).toMatchObject({ success: true, total: 60, details: { success: orderIds } });
    expect(new Set(shipments.map((shipment) => shipment.trackingNumber)).size).toBe(60);
    expect(sold.map((entry) => [entry?.labelsSold, entry?.confirmed])).toEqual(Array(60).fill([1, 1]));
  });

  it('makes one label for each parcel', async () => {
    const parcels = [{ weight_kg: 1 }, { weight_kg: 2 }, { weight_kg: 3 }];
    const { orderId } = await bookOrder(test, { parcels });

    const [shipment] = (await readOrder(test, orderId)).shipments;

    expect(shipment.parcelCount).toBe(3);
    expect(await test.ledger('gls-it', shipment.reference)).toMatchObject({ labelsSold: 3 });
  });

  it.each([
    ['', []],
    ['', { orderId: 1 }],
    ['', Array.from({ length: 5001 }, () => ({ orderId: 1 }))],
    ['/1/orderId', [{ orderId: 1 }, {}]],
    ['/0/orderId', [{ orderId: '1' }]],
    ['/0/orderId', [{ orderId: 0 }]],
    ['/0/carrierCompanyId', [{ orderId: 1, carrierCompanyId: 1.5 }]],
  ])('is refused with %j when it is not one', async (pointer, body) => {
    const answers = [await test.call('POST', '/shipment/create', body)];
    if (!pointer.includes('carrierCompanyId')) answers.push(await test.call('POST', '/shipment/transmit', body));

    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(answer.body.violations.map((one: { pointer: string }) => one.pointer)).toEqual([pointer]);
    }
  });
});

describe('the contract of a booking', () => {
  it('is that of the element, else of the order, else the default of the company, else the cheapest that fits', async () => {
    const contract = { ...demoContract(test), default: false };
    const light = { key: 'leggero', name: 'Leggero', zones: [zone('3.00', 3000)] };
    const contracts = [
      { ...contract, key: 'caro', label: 'Caro' },
      { ...contract, key: 'leggero', label: 'Leggero', tariff: 'leggero' },
      { ...contract, key: 'senza', label: 'Senza listino', tariff: undefined },
      { ...contract, key: 'spento', label: 'Spento', connected: false },
    ];
    const declaration = { contracts, tariffs: [demoTariff(test), light] };
    const shop = await addCompany(test, 'scelta', declaration);
    const [caro, leggero, senza, spento] = (
      await test.call('GET', '/carriers/contracts', undefined, shop.headers)
    ).body.map((one: { id: number }) => one.id);
    const usedFor = async (order: Record<string, unknown>, element: Record<string, unknown> = {}) => {
      const orderId = await createOrder(test, order, shop.headers);
      const { body } = await create([{ orderId, ...element }], shop.headers);
      const [shipment] = (await readOrder(test, orderId, shop.headers)).shipments;
      return shipment?.carrierCompanyId ?? body.details.errors[0].message;
    };
    const heavy = { parcels: [{ weight_kg: 5 }] };

    const cheapest = await usedFor({});
    const cheapestThatFits = await usedFor(heavy);
    const tooHeavy = await usedFor({ parcels: [{ weight_kg: 150 }] });
    await declareCompany(test, 'scelta', { ...declaration, contracts: [{ ...contracts[0], default: true }] });
    const byDefault = await usedFor({});
    const ofOrder = await usedFor({ carrier_company_id: leggero });
    const ofElement = await usedFor({ carrier_company_id: leggero }, { carrierCompanyId: senza });
    const nobodys = await usedFor({}, { carrierCompanyId: NOBODYS });
    const disconnected = await usedFor({}, { carrierCompanyId: spento });

    expect([cheapest, cheapestThatFits, byDefault, ofOrder, ofElement]).toEqual([leggero, caro, caro, leggero, senza]);
    expect(tooHeavy).toMatch(/^No carrier contract can take this order/);
    expect(nobodys).toBe(`There is no carrier contract ${NOBODYS}`);
    expect(disconnected).toBe(`Contract Spento (id ${spento}) is switched off`);
  });

  it('decides what it takes: cash on delivery and insurance', async () => {
    const contract = { ...demoContract(test), support_cod: false, support_insurance: false };
    const shop = await addCompany(test, 'niente', { contracts: [contract] });
    const cod = await createOrder(test, { payment_method: 'COD' }, shop.headers);
    const insured = await createOrder(test, { insurance: true }, shop.headers);

    const { body } = await create([{ orderId: cod }, { orderId: insured }], shop.headers);

    expect(body.details.errors).toEqual([
      { id: cod, message: 'The contract GLS Bologna takes no cash on delivery' },
      { id: insured, message: 'The contract GLS Bologna takes no insurance' },
    ]);
  });

  it('that the carrier refuses is told in its words, and another may be tried', async () => {
    const contract = demoContract(test);
    const account = { ...(contract.account as object), passwordClienteGls: 'sbagliata' };
    const shop = await addCompany(test, 'password', {
      contracts: [
        { ...contract, key: 'rotto', label: 'Rotto', account, default: true },
        { ...contract, default: false },
      ],
    });
    const [, fine] = (await test.call('GET', '/carriers/contracts', undefined, shop.headers)).body;
    const orderId = await createOrder(test, {}, shop.headers);

    const refused = await create([{ orderId }], shop.headers);
    const inError = await readOrder(test, orderId, shop.headers);
    const booked = await create([{ orderId, carrierCompanyId: fine.id }], shop.headers);
    const detail = await readOrder(test, orderId, shop.headers);

    expect(refused.body.details.errors).toEqual([{ id: orderId, message: 'GLS Italy refused: Login fallito.' }]);
    expect(inError.order.status).toBe('error');
    expect(JSON.stringify(inError)).not.toContain('sbagliata');
    expect(booked.body.success).toBe(true);
    expect(detail).toMatchObject({ order: { status: 'shipment_created' }, error: null });
    expect(detail.shipments.map((one: { status: string }) => one.status)).toEqual(['created', 'rejected']);
  });
});

describe('a batch of confirmations', () => {
  it('tells the truth about each order', async () => {
    const { orderId } = await bookOrder(test);
    const unbooked = await createOrder(test);
    const cancelled = await bookOrder(test);
    await test.call('DELETE', `/shipment/${cancelled.shipmentId}`);
    const ids = [orderId, unbooked, cancelled.orderId, NOBODYS, orderId];
    const transmit = () =>
      test.call(
        'POST',
        '/shipment/transmit',
        ids.map((id) => ({ orderId: id })),
      );

    const first = await transmit();
    const second = await transmit();

    const message = 'The order has no shipment: create it first';
    for (const { body } of [first, second]) {
      expect(body).toMatchObject({ success: false, total: 4, message: '1 of 4 transmitted, 3 failed' });
      expect(body.details.success).toEqual([orderId]);
      expect(body.details.errors).toEqual([unbooked, cancelled.orderId, NOBODYS].map((id) => ({ id, message })));
    }
  });
});

function zone(price: string, upToGrams: number) {
  return { code: 'IT', name: 'Italia', match: { countries: ['IT'] }, sale: { brackets: [{ upToGrams, price }] } };
}
