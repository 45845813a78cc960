import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trackNow } from '../../src/usecases/tracking/queue-tracking.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany, demoContract } from './second-company.ts';
import { bookOrder, createOrder, readOrder, transmitOrder } from './ship-orders.ts';

const NOBODYS = 2_000_000_000;
const ASYNC = { Prefer: 'respond-async' };

let test: TestApp;

const cancel = (shipmentId: number, headers: Record<string, string> = {}) =>
  test.call('DELETE', `/shipment/${shipmentId}`, undefined, headers);
const create = (orderId: number) => test.call('POST', '/shipment/create', [{ orderId }]);

/** Lets a parcel travel for a while and waits until its shipment says `status`. */
async function travel(shipmentId: number, hours: number, status: string): Promise<void> {
  await test.advance(hours);
  await trackNow(test.app.deps, [shipmentId]);
  await test.until(
    () => test.call('GET', `/shipment/${shipmentId}/tracking`),
    (answer) => answer.body.shipment.status === status,
  );
}

beforeAll(async () => {
  test = await startTestApp({ env: { RETRY_ATTEMPTS: '1' } });
});
afterAll(() => test.stop());

describe('cancelling a shipment', () => {
  it('succeeds on every repeat, and the order may be booked again with another label', async () => {
    const { orderId, shipmentId } = await bookOrder(test);

    const first = await cancel(shipmentId);
    const second = await cancel(shipmentId);
    const pending = await readOrder(test, orderId);
    const again = await create(orderId);
    const detail = await readOrder(test, orderId);

    const [fresh, old] = detail.shipments;
    expect([first.body, second.body]).toEqual([true, true]);
    expect(pending.order.status).toBe('pending');
    expect(again.body.success).toBe(true);
    expect(detail.order.status).toBe('shipment_created');
    expect(old).toMatchObject({ id: shipmentId, status: 'cancelled' });
    expect(fresh.trackingNumber).not.toBe(old.trackingNumber);
    expect(await test.ledger('gls-it', old.reference)).toMatchObject({ labelsSold: 0, cancelled: 1 });
    expect(await test.ledger('gls-it', fresh.reference)).toMatchObject({ labelsSold: 1, cancelled: 0 });
  });

  it('succeeds after transmission, and for two requests at the same time', async () => {
    const { orderId, shipmentId } = await transmitOrder(test);

    const together = await Promise.all([cancel(shipmentId), cancel(shipmentId), cancel(shipmentId)]);
    const later = await cancel(shipmentId);

    const done = together.filter((answer) => answer.status === 200);
    const busy = together.filter((answer) => answer.body.code === 'shipment-in-progress');
    expect(done.length).toBeGreaterThan(0);
    expect(done.length + busy.length).toBe(3);
    expect(later.body).toBe(true);
    expect((await readOrder(test, orderId)).order.status).toBe('pending');
  });

  it('is refused once the parcel is on its way', async () => {
    const { orderId, shipmentId } = await transmitOrder(test);
    await travel(shipmentId, 24, 'in_transit');

    const refused = await cancel(shipmentId);

    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'shipment-moving', source: 'client', retryable: false });
    expect((await readOrder(test, orderId)).order.status).toBe('shipped');
  });

  it('is refused while the shipment is being booked, and may be tried again', async () => {
    const orderId = await createOrder(test);
    await test.fault('gls-it', 'AddParcel', 'delay');
    await test.call('POST', '/shipment/create', [{ orderId }], ASYNC);
    const { shipments } = await test.until(
      () => readOrder(test, orderId),
      (detail) => detail.shipments[0].status === 'submitting',
    );

    const refused = await cancel(shipments[0].id);
    await test.until(
      () => readOrder(test, orderId),
      (detail) => detail.order.status === 'shipment_created',
    );
    const later = await cancel(shipments[0].id);

    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'shipment-in-progress', retryable: true });
    expect(later.body).toBe(true);
  });

  it('that the carrier is too ill for is its fault, and leaves everything as it was', async () => {
    const { orderId, shipmentId } = await bookOrder(test);
    await test.fault('gls-it', '*', 'status-503');

    const broken = await cancel(shipmentId);
    const kept = await readOrder(test, orderId);
    const later = await cancel(shipmentId);

    expect(broken.status).toBe(502);
    expect(broken.body).toMatchObject({ source: 'carrier', code: 'partner-broken', retryable: true });
    expect(kept).toMatchObject({ order: { status: 'shipment_created' }, shipments: [{ status: 'created' }] });
    expect(later.body).toBe(true);
  });

  it.each(['tracking', 'label', 'release-held', ''])(
    'or asking for %s of an unknown shipment is a 404',
    async (what) => {
      const method = { 'release-held': 'POST', '': 'DELETE' }[what] ?? 'GET';
      const body = what === 'release-held' ? { action: 'DESTROY' } : undefined;

      const answer = await test.call(method, `/shipment/${NOBODYS}/${what}`.replace(/\/$/, ''), body);

      expect(answer.status).toBe(404);
      expect(answer.body.detail).toBe('There is no such shipment');
    },
  );
});

describe('a shipment that no worker has touched yet', () => {
  let idle: TestApp;

  beforeAll(async () => {
    idle = await startTestApp({ roles: ['api'] });
  });
  afterAll(() => idle.stop());

  it('is cancelled without asking anybody, and its booking says so', async () => {
    const orderId = await createOrder(idle);
    const asked = await idle.call('POST', '/shipment/create', [{ orderId }], ASYNC);
    const [shipment] = (await readOrder(idle, orderId)).shipments;
    const early = await idle.call('GET', `/shipment/${shipment.id}/label`);

    const cancelled = await idle.call('DELETE', `/shipment/${shipment.id}`);
    const operation = await idle.call('GET', asked.headers.get('Location')?.replace('/api/v1/external', '') ?? '');

    expect(asked.status).toBe(202);
    expect(shipment).toMatchObject({ status: 'queued', trackingNumber: '' });
    expect(early.status).toBe(404);
    expect(cancelled).toMatchObject({ status: 200, body: true });
    expect(operation.status).toBe(200);
    expect(operation.body.details.errors).toEqual([{ id: orderId, message: 'The shipment was cancelled' }]);
    expect((await readOrder(idle, orderId)).order.status).toBe('pending');
    expect(await idle.ledger('gls-it', shipment.reference)).toBeUndefined();
  });
});

describe('a booking whose tries are used up', () => {
  it('is in error with the reason, and is booked when it is asked again', async () => {
    const orderId = await createOrder(test);
    await test.fault('gls-it', 'AddParcel', 'status-503');

    const failed = await create(orderId);
    const inError = await readOrder(test, orderId);
    const booked = await create(orderId);

    const detail = await readOrder(test, orderId);
    expect(failed.body.details.errors).toEqual([{ id: orderId, message: expect.stringContaining('503') }]);
    expect(inError).toMatchObject({ order: { status: 'error' }, error: expect.stringContaining('503') });
    expect(booked.body.success).toBe(true);
    expect(detail.shipments).toHaveLength(1);
    expect(await test.ledger('gls-it', detail.shipments[0].reference)).toMatchObject({ labelsSold: 1 });
  });
});

describe('releasing a shipment', () => {
  const release = (shipmentId: number, body: unknown) =>
    test.call('POST', `/shipment/${shipmentId}/release-held`, body);

  it('that is not held is blocked with the reason', async () => {
    const { shipmentId } = await bookOrder(test);

    const { status, body } = await release(shipmentId, { action: 'RETURN_TO_SENDER' });

    expect(status).toBe(200);
    expect(body).toEqual({
      success: false,
      message: 'The shipment is not held by the carrier',
      summary: { requested: 1, succeeded: 0, failed: 1 },
      blockingError: 'The shipment is not held by the carrier',
      items: [],
    });
  });

  it('to a new address requires that address and uses it', async () => {
    const { shipmentId } = await transmitOrder(test, { note: 'GIACENZA' });
    await travel(shipmentId, 60, 'held');
    const newAddress = { name: 'Anna', address: 'Via Po, 1', city: 'Torino', province: 'Torino', zip: '10121' };

    const without = await release(shipmentId, { action: 'REDISPATCH_NEW_ADDRESS' });
    const incomplete = await release(shipmentId, { action: 'REDISPATCH_NEW_ADDRESS', newAddress: { name: 'Anna' } });
    const released = await release(shipmentId, { action: 'REDISPATCH_NEW_ADDRESS', newAddress });

    expect(without.body.blockingError).toMatch(/needs newAddress/);
    expect(incomplete.body.violations.map((one: { pointer: string }) => one.pointer)).toEqual([
      '/newAddress/address',
      '/newAddress/city',
      '/newAddress/zip',
    ]);
    expect(released.body).toMatchObject({ success: true, items: [{ shipmentId, success: true }] });
    const asked = await test.app.deps.orm.em
      .fork()
      .execute<{ province: string }[]>(
        `select input -> 'newAddress' ->> 'province' as province from operations where kind = 'release' order by id desc limit 1`,
      );
    expect(asked).toEqual([{ province: 'TO' }]);
  });
});

describe('telling a marketplace', () => {
  it.each([
    ['an order of no marketplace', false, 'not linked'],
    ['an order without a shipment', true, 'no shipment'],
  ])('of %s is a KO that says what to do', async (_what, isLinked, words) => {
    const marketplace = isLinked ? { connection_id: test.connectionId, order_id: '1002' } : null;
    const orderId = await createOrder(test, { marketplace });

    const { status, body } = await test.call('POST', `/orders/${orderId}/send-to-marketplace`);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      Result: 'KO',
      ErrorType: 'configuration',
      ErrorMessage: expect.stringContaining(words),
    });
    for (const field of ['ErrorSuggestion', 'error']) expect(body[field]).toEqual(expect.stringMatching(/.+/));
  });
});

describe('the price of a shipment', () => {
  it.each([
    ['?orderId=1', ['/carrierCompanyId']],
    ['', ['/orderId', '/carrierCompanyId']],
    ['?orderId=a&carrierCompanyId=1', ['/orderId']],
    ['?orderId=1&orderId=2&carrierCompanyId=1', ['/orderId']],
  ])('needs an order and a contract: %j', async (query, pointers) => {
    const refused = await test.call('GET', `/shipment/quote${query}`);

    expect(refused.status).toBe(400);
    expect(refused.body.violations.map((one: { pointer: string }) => one.pointer)).toEqual(pointers);
  });

  it('is not guessed where there is none', async () => {
    const shop = await addCompany(test, 'gratis', { contracts: [{ ...demoContract(test), tariff: undefined }] });
    const [contract] = (await test.call('GET', '/carriers/contracts', undefined, shop.headers)).body;
    const orderId = await createOrder(test, {}, shop.headers);

    const path = `/shipment/quote?orderId=${orderId}&carrierCompanyId=${contract.id}`;
    const refused = await test.call('GET', path, undefined, shop.headers);

    expect(refused.status).toBe(422);
    expect(refused.body.detail).toBe('The contract GLS Bologna has no price list');
  });
});

describe('checking an address', () => {
  const check = (overrides: Record<string, unknown>) => {
    const address = { provincia: 'MI', city: 'Milano', address: 'Via Torino, 5', zip: '20123' };
    return test.call('POST', '/shipment/check-address', {
      carrierCompanyId: test.contractId,
      ...address,
      ...overrides,
    });
  };

  it('tells what the carrier knows, also when it knows nothing', async () => {
    const known = await check({});
    const unknown = await check({ city: 'Inesistente', provincia: 'ZZ' });

    expect(known.body.status).toBe('ok');
    expect(unknown.status).toBe(200);
    expect(unknown.body.status).not.toBe('ok');
  });

  it('says whose fault it is when it cannot be told', async () => {
    const contract = demoContract(test);
    const account = { ...(contract.account as object), passwordClienteGls: 'sbagliata' };
    const shop = await addCompany(test, 'chiuso', { contracts: [{ ...contract, account }] });
    const [own] = (await test.call('GET', '/carriers/contracts', undefined, shop.headers)).body;
    await test.fault('gls-it', '*', 'status-500');

    const broken = await check({});
    const refused = await test.call(
      'POST',
      '/shipment/check-address',
      { carrierCompanyId: own.id, provincia: 'MI', city: 'Milano', address: 'Via Po, 1', zip: '20123' },
      shop.headers,
    );

    expect(broken.status).toBe(502);
    expect(broken.body).toMatchObject({ source: 'carrier', code: 'partner-broken', retryable: true });
    expect(refused.status).toBe(424);
    expect(refused.body).toMatchObject({ source: 'carrier', code: 'carrier-refused', retryable: false });
  });
});
