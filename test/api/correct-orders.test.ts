import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OrderCorrection } from '../../src/db/entities/index.ts';
import { rebookCorrected } from '../../src/usecases/corrections/rebook-corrected.ts';
import { bookShipment } from '../../src/usecases/shipments/book-shipment.ts';
import { cancelShipment } from '../../src/usecases/shipments/cancel-shipment.ts';
import { openBooking } from '../../src/usecases/shipments/open-booking.ts';
import { planShipments } from '../../src/usecases/shipments/request-shipments.ts';
import { sweep } from '../../src/usecases/upkeep/sweep.ts';
import { backends, startTestApp, type TestApp } from '../support/test-app.ts';
import {
  database,
  jobContext,
  labelsSold,
  orderShipment,
  readExchanges,
  shipmentsOf,
  waitForLocks,
} from '../usecases/engine.ts';
import { bookOrder, createOrder, readOrder, transmitOrder } from './ship-orders.ts';

const NEW_ZIP = { shipping: { zip: '40122' } };

let test: TestApp;

const patch = (id: number, body: unknown, query = '', headers: Record<string, string> = {}) =>
  test.call('PATCH', `/orders/${id}${query}`, body, headers);

describe('without a label', () => {
  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.stop());

  it('an order is corrected, says what changed, and is told as corrected', async () => {
    const id = await createOrder(test);
    const before = await test.call('GET', `/orders/${id}`);

    const answer = await patch(id, { ...NEW_ZIP, note: 'citofono rotto' }, '', {
      'content-type': 'application/merge-patch+json',
      'if-match': before.headers.get('etag') ?? '',
    });

    expect(answer.status).toBe(200);
    expect(answer.body.correction).toEqual({
      changed: ['/shipping/zip', '/note'],
      applied: 'corrected',
      message: null,
    });
    const { zip, city } = answer.body.customerAddress;
    expect([zip, city]).toEqual(['40122', before.body.customerAddress.city]);
    expect(answer.body.revision).toBe(1);
    expect(answer.headers.get('etag')).toMatch(new RegExp(`^"${id}-1-`));
    const events = await test.call('GET', '/events?types=order.corrected');
    expect(events.body.map((event: { data: { orderId: number } }) => event.data.orderId)).toEqual([id]);
  });

  it('an older If-Match is refused, and nothing changes', async () => {
    const id = await createOrder(test);
    const tag = (await test.call('GET', `/orders/${id}`)).headers.get('etag') ?? '';
    await patch(id, { note: 'x' });

    const answer = await patch(id, NEW_ZIP, '', { 'if-match': tag });

    expect(answer).toMatchObject({ status: 412, body: { code: 'order-changed' } });
    expect((await readOrder(test, id)).customerAddress.zip).not.toBe('40122');
  });

  it('a patch that changes nothing says so and keeps the version', async () => {
    const id = await createOrder(test, { payment_method: 'COD', cod_amount: 30 });
    const { customerAddress } = await readOrder(test, id);

    const answers = [
      await patch(id, {}),
      await patch(id, { shipping: { zip: customerAddress.zip }, cod_amount: 30, billing: {} }),
    ];

    for (const { body } of answers) {
      expect(body).toMatchObject({ revision: 0, correction: { changed: [], applied: 'nothing' } });
    }
  });

  it('every fault is told with the pointers of order creation', async () => {
    const id = await createOrder(test);

    const { status, body, headers } = await patch(id, {
      shipping: { zip: '4012', city: null },
      items: [{ sku: 'A', quantity: 0, price: 1 }],
      surprise: 1,
    });
    const unknown = await patch(id, { surprise: 1, order_number: '7' });

    expect(status).toBe(400);
    expect(headers.get('x-ignored-fields')).toBeNull();
    expect(body.violations.map(({ pointer }: { pointer: string }) => pointer)).toContain('/items/0/quantity');
    expect((await patch(id, { shipping: { zip: '4012' } })).body.violations).toEqual([
      { in: 'body', pointer: '/shipping/zip', message: 'must be a five-digit Italian postal code' },
    ]);
    expect(unknown.headers.get('x-ignored-fields')).toBe('/surprise, /order_number');
    expect(unknown.body.correction.applied).toBe('nothing');
  });

  it('recounts the totals for new items, and collects nothing for a paid order', async () => {
    const id = await createOrder(test, { payment_method: 'COD', shipping_cost: 0 });

    const counted = await patch(id, { items: [{ sku: 'X', name: 'Vaso', quantity: 3, price: 10 }] });
    const paid = await patch(id, { payment_method: 'PREPAID' });

    expect(counted.body.orderItems).toMatchObject([{ title: 'Vaso', quantity: 3 }]);
    expect(counted.body.totals.grossAmount).toBe(30);
    expect(counted.body.payment.codAmount).toBe('30.00');
    expect(paid.body.payment).toEqual({ method: 'PREPAID', codAmount: null });
  });

  it('an order in error is pending again', async () => {
    const id = await createOrder(test);
    await database(test).execute(`update orders set status = 'error', error = 'Wrong' where id = ?`, [id]);

    const { body } = await patch(id, NEW_ZIP);

    expect(body).toMatchObject({ order: { status: 'pending' }, error: null });
  });

  it('an order is cancelled with a reason, idempotently, and reopened', async () => {
    const id = await createOrder(test);

    const cancelled = await test.call('POST', `/orders/${id}/cancel`, { reason: 'doppio' });
    const again = await test.call('POST', `/orders/${id}/cancel`);
    const corrected = await patch(id, NEW_ZIP);
    const booked = await test.call('POST', '/shipment/create', [{ orderId: id }]);
    const reopened = await test.call('POST', `/orders/${id}/reopen`);

    expect(cancelled.body).toMatchObject({ order: { status: 'cancelled' }, cancelReason: 'doppio' });
    expect(again).toMatchObject({ status: 200, body: { cancelReason: 'doppio' } });
    expect(corrected).toMatchObject({ status: 422, body: { detail: expect.stringContaining('reopen') } });
    expect(booked.body.details.errors[0].message).toBe('The order is cancelled');
    expect(reopened.body).toMatchObject({ order: { status: 'pending' }, cancelReason: null });
  });
});

describe.each(backends())('with a label, queue on %s', (backend) => {
  beforeAll(async () => {
    test = await startTestApp({ backend });
  });
  afterEach(() => test.clearFaults());
  afterAll(() => test.stop());

  it('is refused until rebook is named, then has one label, to the new address', async () => {
    const { orderId } = await bookOrder(test);

    const refused = await patch(orderId, NEW_ZIP);
    const items = await patch(orderId, { items: [{ sku: 'X', name: 'V', quantity: 1, price: 1 }] }, '?rebook=true');
    const rebooked = await patch(orderId, NEW_ZIP, '?rebook=true');

    expect(refused.status).toBe(422);
    expect(refused.body.violations).toEqual([
      { in: 'query', pointer: '/rebook', message: expect.stringContaining('must be true') },
    ]);
    expect(items.body.violations).toMatchObject([{ pointer: '/items' }]);
    expect(rebooked).toMatchObject({
      status: 200,
      body: {
        order: { status: 'shipment_created' },
        customerAddress: { zip: '40122' },
        correction: { changed: ['/shipping/zip'], applied: 'rebooked', message: null },
      },
    });
    const rows = await shipmentsOf(test, orderId);
    expect(rows.map(({ processStatus }) => processStatus)).toEqual(['cancelled', 'created']);
    expect(rows[1]?.contractId).toBe(rows[0]?.contractId);
    expect(await labelsSold(test, orderId)).toEqual([0, 1]);
    expect(await database(test).find(OrderCorrection, { orderId })).toMatchObject([{ status: 'rebooked', change: {} }]);
  });

  it('answers 202 to a client that does not wait, and the operation has the rest', async () => {
    const { orderId } = await bookOrder(test);

    const asked = await patch(orderId, NEW_ZIP, '?rebook=true', { prefer: 'respond-async' });
    const location = asked.headers.get('location')?.replace('/api/v1/external', '') ?? '';
    const done = await test.until(
      () => test.call('GET', location),
      ({ status }) => status === 200,
    );

    expect(asked).toMatchObject({ status: 202, body: { correction: { applied: 'pending' } } });
    expect(done.body).toMatchObject({ customerAddress: { zip: '40122' }, correction: { applied: 'rebooked' } });
  });

  it("the carrier's refusal refuses it, and the old label stays with the old data", async () => {
    const { orderId } = await bookOrder(test);
    await test.fault('gls-it', 'DeleteSped', 'proxy-403');

    const answer = await patch(orderId, NEW_ZIP, '?rebook=true');

    expect(answer.status).toBe(424);
    expect((await readOrder(test, orderId)).customerAddress.zip).not.toBe('40122');
    expect(await labelsSold(test, orderId)).toEqual([1]);
    expect((await patch(orderId, NEW_ZIP, '?rebook=true')).body.correction.applied).toBe('rebooked');
  });

  it('a refused new label leaves the corrected order in error, which says why', async () => {
    const { orderId } = await bookOrder(test);
    await test.fault('gls-it', 'AddParcel', 'proxy-403');

    const { status, body } = await patch(orderId, NEW_ZIP, '?rebook=true');

    expect(status).toBe(200);
    expect(body).toMatchObject({
      order: { status: 'error' },
      correction: { applied: 'corrected', message: expect.stringContaining('no new one') },
    });
    expect(await labelsSold(test, orderId)).toEqual([0, 0]);
  });

  it('a transmitted label is refused in words', async () => {
    const { orderId } = await transmitOrder(test);

    const answer = await patch(orderId, NEW_ZIP, '?rebook=true');

    expect(answer).toMatchObject({ status: 422, body: { detail: expect.stringContaining('release-held') } });
  });

  it('refuses beside a booking that began while it waited, so that no label goes to the old address', async () => {
    const id = await createOrder(test);

    const [booking, correction] = await database(test).transactional(async (tx) => {
      await tx.execute('select id from orders where id = ? for update', [id]);
      const first = test.call('POST', '/shipment/create', [{ orderId: id }]);
      await waitForLocks(test, 1);
      const late = patch(id, NEW_ZIP, '?rebook=true');
      await waitForLocks(test, 2);
      return [first, late];
    });

    expect((await booking).body.success).toBe(true);
    expect(await correction).toMatchObject({ status: 409, body: { code: 'order-changed', retryable: true } });
    expect((await readOrder(test, id)).customerAddress.zip).not.toBe('40122');
  });

  it('beside bookings of the same order, no label has the old address after a 200', async () => {
    const rounds = Array.from({ length: 8 }, async () => {
      const id = await createOrder(test);
      const book = () => test.call('POST', '/shipment/create', [{ orderId: id }]);
      const [, answer] = await Promise.all([book(), patch(id, NEW_ZIP, '?rebook=true'), book()]);
      const live = (await shipmentsOf(test, id)).filter(({ processStatus }) => processStatus !== 'cancelled');
      return { status: answer?.status ?? 0, live };
    });
    const ended = await Promise.all(rounds);
    const sent = new Map(
      (await readExchanges(test))
        .filter(({ row }) => row.operation === 'AddParcel')
        .map(({ row, request }) => [row.shipmentId, request]),
    );

    for (const { status, live } of ended) {
      expect([200, 409]).toContain(status);
      expect(live.length).toBeLessThanOrEqual(1);
      if (status === 200) for (const { id } of live) expect(sent.get(id)).toContain('40122');
    }
    expect(ended.map(({ status }) => status)).toContain(200);
  });
});

describe('a decision that is older than the order', () => {
  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'] });
  });
  afterAll(() => test.stop());

  it('does not mark a reopened order with the refusal of the cancelled one', async () => {
    const id = await createOrder(test);
    await test.call('POST', `/orders/${id}/cancel`, {});
    const origin = { companyId: test.demo.companyId, requestId: 'test' };
    const plans = await planShipments(test.app.deps, { ...origin, requests: [{ orderId: id, contractId: null }] });
    await test.call('POST', `/orders/${id}/reopen`);

    await openBooking(test.app.deps, origin, { direction: 'outbound', plans });

    expect(plans).toMatchObject([{ refused: 'The order is cancelled' }]);
    expect((await readOrder(test, id)).order).toMatchObject({ status: 'pending' });
    const told = await test.call('GET', '/events?types=order.corrected');
    expect(told.body).toEqual([]);
  });

  it('does not mark an order when the request names a part that it does not have', async () => {
    const id = await createOrder(test);

    const { body } = await test.call('POST', '/shipment/create', [{ orderId: id, partId: 1 }]);

    expect(body.details.errors).toEqual([{ id, message: `Order ${id} is not split: leave out partId` }]);
    expect((await readOrder(test, id)).order).toMatchObject({ status: 'pending' });
  });
});

describe('a transmission beside a correction', () => {
  const LATER = { prefer: 'respond-async' };

  async function bookedOrder(): Promise<number> {
    const { orderId, shipmentId } = await orderShipment(test);
    await bookShipment(test.app.deps, { shipmentId, ...jobContext() });
    return orderId;
  }

  beforeAll(async () => {
    // No worker: what is asked for waits.
    test = await startTestApp({ roles: ['api'] });
  });
  afterAll(() => test.stop());

  it('is refused while the correction waits for its carrier, so that no confirmed label is replaced', async () => {
    const orderId = await bookedOrder();
    const corrected = await patch(orderId, NEW_ZIP, '?rebook=true', LATER);

    const { body } = await test.call('POST', '/shipment/transmit', [{ orderId }]);

    expect(corrected.status).toBe(202);
    const message = 'The shipment is being cancelled: try again later';
    expect(body.details.errors).toEqual([{ id: orderId, message }]);
  });

  it('refuses the correction while it waits itself', async () => {
    const orderId = await bookedOrder();
    const transmitted = await test.call('POST', '/shipment/transmit', [{ orderId }], LATER);

    const { status, body } = await patch(orderId, NEW_ZIP, '?rebook=true', LATER);

    expect(transmitted.status).toBe(202);
    expect([status, body.code]).toEqual([409, 'shipment-in-progress']);
  });
});

describe('when a worker dies', () => {
  beforeAll(async () => {
    // No worker: each test is the worker.
    test = await startTestApp({ roles: ['api'] });
  });
  afterAll(() => test.stop());

  it('between cancellation and booking, the sweep finds the new label to order', async () => {
    const silent = { add: async () => undefined, revive: async () => undefined };
    const deps = { ...test.app.deps, queues: silent };
    const { orderId: id, shipmentId } = await orderShipment(test);
    await bookShipment(deps, { shipmentId, ...jobContext() });
    await patch(id, NEW_ZIP, '?rebook=true', { prefer: 'respond-async' });
    const item = await database(test).execute<{ id: number }[]>(
      `select id from operation_items where order_id = ? and kind = 'cancel'`,
      [id],
    );
    await cancelShipment(deps, { itemId: item[0]?.id ?? 0, ...jobContext() });
    await database(test).execute(`update operation_items set updated_at = now() - interval '10 minutes'`);
    const found: { name: string; payload: object }[] = [];
    const keep = async (_queue: string, jobs: readonly { name: string; payload: object }[]) => void found.push(...jobs);

    await sweep({ ...test.app.deps, queues: { add: keep, revive: keep } });
    const job = found.find(({ name }) => name === 'correct');
    for (let twice = 0; twice < 2; twice += 1) {
      await rebookCorrected(deps, { ...(job?.payload as { itemId: number }), ...jobContext() });
    }

    const rows = await shipmentsOf(test, id);
    expect(rows.map(({ processStatus }) => processStatus)).toEqual(['cancelled', 'queued']);
    expect((await readOrder(test, id)).customerAddress.zip).toBe('40122');
  });
});
