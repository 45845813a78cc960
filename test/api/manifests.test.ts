import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemEm } from '../../src/db/orm.ts';
import { trackNow } from '../../src/usecases/tracking/queue-tracking.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany, demoContract } from './second-company.ts';
import { bookOrder, createOrder, readOrder, transmitOrder } from './ship-orders.ts';

const NOBODYS = 2_000_000_000;

let test: TestApp;
let now: Date;

const bordero = (orderIds: readonly number[], headers: Record<string, string> = {}) =>
  test.call('POST', '/bordero', { carrierId: test.carrierId, orderIds }, headers);
const statusOf = async (orderId: number): Promise<string> => (await readOrder(test, orderId)).order.status;

/** Lets a parcel of the pretend carrier travel until it was scanned. */
async function scan({ orderId, shipmentId }: { orderId: number; shipmentId: number }): Promise<void> {
  await test.advance(24);
  await trackNow(test.app.deps, [shipmentId]);
  await test.until(
    () => statusOf(orderId),
    (status) => status === 'shipped',
  );
}

beforeAll(async () => {
  test = await startTestApp({ now: () => now ?? new Date() });
});
beforeEach(() => {
  now = new Date();
});
afterAll(() => test.stop());

describe('making a bordero', () => {
  it('counts what is on it', async () => {
    const parcels = [{ weight_kg: 2 }, { weight_kg: 0.5 }];
    const one = await transmitOrder(test, { parcels, payment_method: 'COD', cod_amount: 12.3 });
    const two = await transmitOrder(test);

    const created = await bordero([one.orderId, two.orderId]);
    const detail = await test.call('GET', `/bordero/${created.body.manifestId}`);
    const [listed] = (await test.call('GET', '/bordero')).body;

    expect(created.status).toBe(201);
    expect(created.headers.get('Location')).toBe(`/api/v1/external/bordero/${created.body.manifestId}`);
    expect(created.body).toMatchObject({ totalShipments: 2, manifestCode: created.body.manifestNumber });
    expect(detail.body).toMatchObject({ totalParcels: 3, totalWeight: '3.300', totalShipments: 2 });
    expect(detail.body.company.name).toBe('Bottega Aurora S.r.l.');
    expect(detail.body.carrierCompany.configFields.passwordClienteGls).toBe('********');
    expect(detail.body.manifestItems[0]).toMatchObject({
      parcelsCount: 2,
      weight: '2.500',
      codAmount: '12.30',
      shipmentValue: '30.90',
      order: { sentToCarrier: true, sentToMarketplace: false, sentToErp: false, dateSendToMarketplace: null },
    });
    expect(detail.body.manifestItems[1]).toMatchObject({ codAmount: '0.00', recipientAddress: 'Via Torino, 5' });
    expect(listed).toMatchObject({
      totalParcels: 3,
      codAmount: '12.30',
      sentToCarrier: true,
      sentToMarketplace: false,
    });
    expect(listed.warehouse.map((one: { name: string }) => one.name)).toEqual(['Magazzino Bologna']);
    expect(await Promise.all([statusOf(one.orderId), statusOf(two.orderId)])).toEqual(['manifested', 'manifested']);
  });

  it('takes all orders or none, with one reason for each that cannot go', async () => {
    const good = await transmitOrder(test);
    const unbooked = await createOrder(test);
    const untransmitted = await bookOrder(test);
    const cancelled = await bookOrder(test);
    await test.call('DELETE', `/shipment/${cancelled.shipmentId}`);
    const taken = await transmitOrder(test);
    await bordero([taken.orderId]);
    const before = (await test.call('GET', '/bordero')).body;

    const refused = await bordero([
      good.orderId,
      unbooked,
      untransmitted.orderId,
      cancelled.orderId,
      taken.orderId,
      NOBODYS,
      good.orderId,
    ]);

    expect(refused.status).toBe(422);
    expect(refused.body.violations).toEqual(
      [
        `Order ${unbooked} has no shipment`,
        `The shipment of order ${untransmitted.orderId} is not transmitted yet`,
        `Order ${cancelled.orderId} has no shipment`,
        `Order ${taken.orderId} is already on a bordero`,
        `There is no order ${NOBODYS}`,
        `Order ${good.orderId} is listed twice`,
      ].map((message, at) => ({ in: 'body', pointer: `/orderIds/${at + 1}`, message })),
    );
    expect((await test.call('GET', '/bordero')).body).toEqual(before);
    expect(await statusOf(good.orderId)).toBe('transmitted');
    expect((await bordero([good.orderId])).status).toBe(201);
  });

  it('gives an order to one of two requests that want it at the same time', async () => {
    const { orderId } = await transmitOrder(test);

    const answers = await Promise.all([bordero([orderId]), bordero([orderId]), bordero([orderId])]);

    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 422, 422]);
  });

  it('is per contract, because the driver of one does not take the parcels of the other', async () => {
    const contract = demoContract(test);
    const shop = await addCompany(test, 'contratti', {
      contracts: [contract, { ...contract, key: 'altro', label: 'Altro', default: false }],
    });
    const [, other] = (await test.call('GET', '/carriers/contracts', undefined, shop.headers)).body;
    const one = await transmitOrder(test, {}, shop.headers);
    const two = await transmitOrder(test, { carrier_company_id: other.id }, shop.headers);

    const refused = await bordero([one.orderId, two.orderId], shop.headers);

    expect(refused.status).toBe(422);
    expect(refused.body.violations).toEqual([
      { in: 'body', pointer: '/orderIds/1', message: expect.stringContaining('another contract') },
    ]);
  });

  it.each([
    ['/carrierId', 422, { carrierId: NOBODYS, orderIds: [1] }],
    ['/carrierId', 400, { carrierId: 'gls-it', orderIds: [1] }],
    ['/orderIds', 400, { carrierId: 1, orderIds: [] }],
    ['/orderIds/1', 400, { carrierId: 1, orderIds: [1, '2'] }],
    ['/orderIds', 400, { carrierId: 1 }],
  ])('is refused with %s, %s', async (pointer, status, body) => {
    const refused = await test.call('POST', '/bordero', body);

    expect(refused.status).toBe(status);
    expect(refused.body.violations.map((one: { pointer: string }) => one.pointer)).toEqual([pointer]);
  });
});

describe('a bordero of everything open', () => {
  const open = (filter: Record<string, unknown>, headers: Record<string, string>) =>
    test.call('POST', '/bordero', { allTransmitted: true, ...filter }, headers);
  const ordersOn = async (manifestId: number, headers: Record<string, string>): Promise<string[]> =>
    (await test.call('GET', `/bordero/${manifestId}`, undefined, headers)).body.manifestItems.map(
      (item: { orderRef: string }) => item.orderRef,
    );
  const named = (order_number: string, overrides: Record<string, unknown> = {}) => ({ order_number, ...overrides });

  it('takes what was transmitted and waits for its driver, one bordero per contract', async () => {
    const contract = demoContract(test);
    const { headers } = await addCompany(test, 'sera', {
      contracts: [contract, { ...contract, key: 'altro', label: 'Altro', default: false }],
    });
    const [main, other] = (await test.call('GET', '/carriers/contracts', undefined, headers)).body;
    await transmitOrder(test, named('A1'), headers);
    await transmitOrder(test, named('A2'), headers);
    await transmitOrder(test, named('B1', { carrier_company_id: other.id }), headers);
    await bookOrder(test, named('untransmitted'), headers);
    const taken = await transmitOrder(test, named('taken'), headers);
    await bordero([taken.orderId], headers);
    const gone = await transmitOrder(test, named('gone'), headers);
    await systemEm(test.app.deps.orm).execute('update shipments set picked_up_at = now() where id = ?', [
      gone.shipmentId,
    ]);
    const cancelled = await transmitOrder(test, named('cancelled'), headers);
    await test.call('DELETE', `/shipment/${cancelled.shipmentId}`, undefined, headers);

    const key = { ...headers, 'Idempotency-Key': 'sera-1' };
    const created = await open({}, key);
    const [first, second] = created.body.manifests;
    const nothingLeft = await open({}, headers);

    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ manifestId: first.manifestId, totalShipments: 2 });
    expect(created.body.manifests).toHaveLength(2);
    expect([first.carrierCompanyId, second.carrierCompanyId]).toEqual([main.id, other.id]);
    expect(await ordersOn(first.manifestId, headers)).toEqual(['A1', 'A2']);
    expect(await ordersOn(second.manifestId, headers)).toEqual(['B1']);
    expect(nothingLeft.status).toBe(422);
    expect(nothingLeft.body.violations[0].message).toBe(
      'No transmitted shipment waits for its driver under this filter',
    );
    // As if the process had died before it answered.
    await systemEm(test.app.deps.orm).execute(
      `update idempotency_keys set status = null, created_at = now() - interval '1 day' where key = 'sera-1'`,
    );
    expect((await open({}, key)).body).toEqual(created.body);
  });

  it('is narrowed by contract, warehouse and time', async () => {
    const contract = demoContract(test);
    const place = { name: 'Magazzino', address: 'Via Roma, 1', city: 'Bologna', province: 'BO', zip: '40121' };
    const { headers } = await addCompany(test, 'filtri', {
      contracts: [contract, { ...contract, key: 'altro', label: 'Altro', default: false }],
      warehouses: [
        { ...place, key: 'main', default: true },
        { ...place, key: 'nord' },
      ],
    });
    const [, other] = (await test.call('GET', '/carriers/contracts', undefined, headers)).body;
    const [, nord] = (await test.call('GET', '/warehouses', undefined, headers)).body;
    await transmitOrder(test, named('B1', { carrier_company_id: other.id }), headers);
    await transmitOrder(test, named('N1', { warehouse_id: 'nord' }), headers);
    await transmitOrder(test, named('M1', { warehouse_id: 'main' }), headers);
    now = new Date(now.getTime() + 3_600_000);
    const late = now;
    await transmitOrder(test, named('N2', { warehouse_id: nord.id }), headers);
    await transmitOrder(test, named('M2'), headers);

    const byContract = await open({ carrierCompanyId: other.id, carrierId: test.carrierId }, headers);
    const byTime = await open({ warehouseId: nord.id, transmittedBefore: late.toISOString() }, headers);
    const byKey = await open({ warehouseId: 'nord' }, headers);
    const byDefault = await open({ warehouseId: 'main' }, headers);

    const answers = [byContract, byTime, byKey, byDefault];
    expect(answers.map(({ body }) => body.manifests.length)).toEqual([1, 1, 1, 1]);
    expect(await Promise.all(answers.map(({ body }) => ordersOn(body.manifestId, headers)))).toEqual([
      ['B1'],
      ['N1'],
      ['N2'],
      ['M1', 'M2'],
    ]);
  });

  it('gives each order to one of several clerks who press at the same moment', async () => {
    const { headers } = await addCompany(test, 'corsa');
    const orders = [await transmitOrder(test, {}, headers), await transmitOrder(test, {}, headers)];
    const ids = orders.map(({ orderId }) => orderId);

    const answers = await Promise.all([open({}, headers), open({}, headers), bordero(ids, headers)]);

    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 422, 422]);
    expect(answers.find(({ status }) => status === 201)?.body.totalShipments).toBe(2);
  });

  it.each([
    [['/allTransmitted'], 400, { allTransmitted: true, carrierId: 1, orderIds: [1] }],
    [['/orderIds'], 400, { allTransmitted: false, carrierId: 1 }],
    [['/carrierId'], 400, { orderIds: [1] }],
    [
      ['/warehouseId', '/transmittedBefore'],
      400,
      { carrierId: 1, orderIds: [1], warehouseId: 'main', transmittedBefore: '2026-01-01T00:00:00Z' },
    ],
    [['/transmittedBefore'], 400, { allTransmitted: true, transmittedBefore: 'yesterday' }],
    [
      ['/carrierId', '/carrierCompanyId', '/warehouseId'],
      422,
      { allTransmitted: true, carrierId: NOBODYS, carrierCompanyId: NOBODYS, warehouseId: 'nowhere' },
    ],
  ])('is refused with %j, %s', async (pointers, status, body) => {
    const refused = await test.call('POST', '/bordero', body);

    expect(refused.status).toBe(status);
    expect(refused.body.violations.map((one: { pointer: string }) => one.pointer)).toEqual(pointers);
  });
});

describe('the year of a bordero', () => {
  it('ends and begins on the wall clock of the company', async () => {
    const roma = await addCompany(test, 'roma');
    const lisbona = await addCompany(test, 'lisbona', { settings: { time_zone: 'Europe/Lisbon' } });
    const at = async (instant: string, { headers }: { headers: { 'x-api-key': string } }): Promise<string> => {
      const { orderId } = await transmitOrder(test, {}, headers);
      now = new Date(instant);
      return (await bordero([orderId], headers)).body.manifestNumber;
    };
    const numbersOf = async (anno: string, { headers }: { headers: { 'x-api-key': string } }) =>
      (await test.call('GET', `/bordero${anno}`, undefined, headers)).body.map(
        (manifest: { manifestNumber: string }) => manifest.manifestNumber,
      );

    const numbers = [
      await at('2027-12-31T22:59:59.999Z', roma),
      await at('2027-12-31T23:00:00.000Z', roma),
      await at('2028-12-31T22:59:59.999Z', roma),
      await at('2027-12-31T23:30:00.000Z', lisbona),
    ];

    expect(numbers).toEqual(['GLS-IT-2027-00001', 'GLS-IT-2028-00001', 'GLS-IT-2028-00002', 'GLS-IT-2027-00001']);
    expect(await numbersOf('?anno=2027', roma)).toEqual(['GLS-IT-2027-00001']);
    expect(await numbersOf('?anno=2028', roma)).toEqual(['GLS-IT-2028-00002', 'GLS-IT-2028-00001']);
    expect(await numbersOf('?anno=2029', roma)).toEqual([]);
    expect(await numbersOf('?anno=2027', lisbona)).toEqual(['GLS-IT-2027-00001']);
    expect(await numbersOf('', roma)).toEqual(['GLS-IT-2028-00002', 'GLS-IT-2028-00001', 'GLS-IT-2027-00001']);
  });

  it.each(['26', '0050', '9999', '2026.5', 'x', ''])('is not %j', async (anno) => {
    const refused = await test.call('GET', `/bordero?anno=${anno}`);

    expect(refused.status).toBe(400);
    expect(refused.body.violations).toEqual([
      { in: 'query', pointer: '/anno', message: 'must be a year such as 2026' },
    ]);
  });

  it('may be read page by page', async () => {
    const shop = await addCompany(test, 'pagine');
    const ids: number[] = [];
    for (let page = 0; page < 3; page++) {
      ids.push((await bordero([(await transmitOrder(test, {}, shop.headers)).orderId], shop.headers)).body.manifestId);
    }

    const first = await test.call('GET', '/bordero?limit=2', undefined, shop.headers);
    const next = first.headers.get('Link')?.match(/^<\/api\/v1\/external(.*)>; rel="next"$/)?.[1] ?? '';
    const second = await test.call('GET', next, undefined, shop.headers);

    const seen = [...first.body, ...second.body].map((manifest: { id: number }) => manifest.id);
    expect(seen).toEqual(ids.toReversed());
    expect(second.headers.get('Link')).toBeNull();
  });
});

describe('deleting a bordero', () => {
  it('is planned first, and then frees every order whose parcel has not moved', async () => {
    const one = await transmitOrder(test);
    const two = await transmitOrder(test);
    const orderIds = [one.orderId, two.orderId];
    const { manifestId, manifestNumber } = (await bordero(orderIds)).body;
    const path = `/bordero/${manifestId}`;

    const plan = await test.call('DELETE', path);
    const notConfirmed = await test.call('DELETE', `${path}?confirm=false`);
    const still = await statusOf(one.orderId);
    const done = await test.call('DELETE', `${path}?confirm=true`);
    const gone = await Promise.all(['', '/pdf'].map((end) => test.call('GET', `${path}${end}`)));
    const again = await test.call('DELETE', `${path}?confirm=true`);
    const listed = (await test.call('GET', '/bordero')).body.map((manifest: { id: number }) => manifest.id);
    const anew = await bordero(orderIds);

    const counts = { restoredOrders: 2, keptOrders: 0, manifestId, targetStatus: 'transmitted', success: true };
    expect(plan.body).toMatchObject({ ...counts, mode: 'preview', remainingOrders: 2 });
    expect(notConfirmed.body).toEqual(plan.body);
    expect(still).toBe('manifested');
    expect(done.body).toMatchObject({ ...counts, mode: 'full', remainingOrders: 0 });
    expect([...gone, again].map((answer) => answer.status)).toEqual([404, 404, 404]);
    expect(listed).not.toContain(manifestId);
    expect(anew.status).toBe(201);
    expect(anew.body.manifestNumber).not.toBe(manifestNumber);
  });

  it('keeps the orders whose parcels have moved, and updates its totals', async () => {
    const moved = await transmitOrder(test, { payment_method: 'COD' });
    const still = await transmitOrder(test, { parcels: [{ weight_kg: 3 }] });
    const { manifestId } = (await bordero([moved.orderId, still.orderId])).body;
    await scan(moved);

    const plan = await test.call('DELETE', `/bordero/${manifestId}`);
    const done = await test.call('DELETE', `/bordero/${manifestId}?confirm=true`);
    const detail = await test.call('GET', `/bordero/${manifestId}`);
    const again = await test.call('DELETE', `/bordero/${manifestId}?confirm=true`);

    expect(plan.body).toMatchObject({ mode: 'preview', restoredOrders: 1, keptOrders: 1, remainingOrders: 2 });
    expect(done.body).toMatchObject({ mode: 'partial', restoredOrders: 1, keptOrders: 1, remainingOrders: 1 });
    expect(detail.body).toMatchObject({ totalShipments: 1, totalParcels: 1, totalWeight: '0.800' });
    expect(detail.body.manifestItems).toHaveLength(1);
    expect(again.body).toMatchObject({ mode: 'partial', restoredOrders: 0, keptOrders: 1, remainingOrders: 1 });
    expect(await statusOf(moved.orderId)).toBe('shipped');
    expect(await statusOf(still.orderId)).toBe('transmitted');
  });

  it('lets the shipment of a freed order be cancelled', async () => {
    const { orderId, shipmentId } = await transmitOrder(test);
    const { manifestId } = (await bordero([orderId])).body;

    const onIt = await test.call('DELETE', `/shipment/${shipmentId}`);
    await test.call('DELETE', `/bordero/${manifestId}?confirm=true`);
    const freed = await test.call('DELETE', `/shipment/${shipmentId}`);

    expect(onIt.body.code).toBe('shipment-on-manifest');
    expect(freed).toMatchObject({ status: 200, body: true });
    expect(await statusOf(orderId)).toBe('pending');
  });

  it('takes an order that was never transmitted back to where it was', async () => {
    const { orderId, shipmentId } = await transmitOrder(test);
    const { manifestId } = (await bordero([orderId])).body;
    // As with a carrier that needs no confirmation: booked, and on the bordero without one.
    await systemEm(test.app.deps.orm).execute(
      "update shipments set process_status = 'created', transmitted_at = null where id = ?",
      [shipmentId],
    );

    const done = await test.call('DELETE', `/bordero/${manifestId}?confirm=true`);

    expect(done.body).toMatchObject({ mode: 'full', targetStatus: 'shipment_created', restoredOrders: 1 });
    expect(await statusOf(orderId)).toBe('shipment_created');
  });

  it.each(['1', 'TRUE', ''])('is not confirmed by %j', async (confirm) => {
    const refused = await test.call('DELETE', `/bordero/1?confirm=${confirm}`);

    expect(refused.status).toBe(400);
    expect(refused.body.violations.map((one: { pointer: string }) => one.pointer)).toEqual(['/confirm']);
  });
});
