import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bookShipment } from '../../src/usecases/shipments/book-shipment.ts';
import { cancelShipment } from '../../src/usecases/shipments/cancel-shipment.ts';
import { backends, startTestApp, type TestApp } from '../support/test-app.ts';
import { database, jobContext, labelsSold, shipmentsOf, waitForLocks } from '../usecases/engine.ts';
import { bookOrder, createOrder, readOrder } from './ship-orders.ts';

const LATER = { prefer: 'respond-async' };

let test: TestApp;

/** Creates an order in two parts; returns its id and theirs. */
async function splitOrder(): Promise<{ id: number; parts: number[] }> {
  const id = await createOrder(test);
  const [line] = (await readOrder(test, id)).orderItems;
  const parts = [{ lines: [{ itemId: line.id, quantity: 1 }] }];
  const { body } = await test.call('POST', `/orders/${id}/split`, { parts });
  return { id, parts: body.parts.map((part: { id: number }) => part.id) };
}

const cancel = (id: number, reason: string, headers: Record<string, string> = {}) =>
  test.call('POST', `/orders/${id}/cancel`, { reason }, headers);

/** Runs the cancellations that wait at the carrier, as a worker would. */
async function runCancellations(orderId: number): Promise<void> {
  const items = await database(test).execute<{ id: number }[]>(
    `select id from operation_items where order_id = ? and kind = 'cancel' and status = 'pending' order by id`,
    [orderId],
  );
  for (const { id } of items) await cancelShipment(test.app.deps, { itemId: id, ...jobContext() });
}

describe.each(backends())('cancelling an order with labels, queue on %s', (backend) => {
  beforeAll(async () => {
    test = await startTestApp({ backend });
  });
  afterEach(() => test.clearFaults());
  afterAll(() => test.stop());

  it('cancels the label too', async () => {
    const { orderId } = await bookOrder(test);

    const { status, body } = await cancel(orderId, 'ripensamento');

    expect(status).toBe(200);
    expect(body).toMatchObject({ order: { status: 'cancelled' }, cancelReason: 'ripensamento' });
    expect(await labelsSold(test, orderId)).toEqual([0]);
  });

  it('cancels the labels of all parts of a split order', async () => {
    const { id } = await splitOrder();
    await test.call('POST', '/shipment/create', [{ orderId: id }]);
    const before = await labelsSold(test, id);

    const { status, body } = await cancel(id, 'ripensamento');

    expect(before).toEqual([1, 1]);
    expect([status, body.order.status]).toEqual([200, 'cancelled']);
    expect(await labelsSold(test, id)).toEqual([0, 0]);
  });

  it('ends as cancelled when the answer of the carrier was lost', async () => {
    const { orderId } = await bookOrder(test);
    await test.fault('gls-it', 'DeleteSped', 'accept-then-500');

    const { status, body } = await cancel(orderId, 'ripensamento');

    expect([status, body.order.status]).toEqual([200, 'cancelled']);
    expect(await labelsSold(test, orderId)).toEqual([0]);
  });

  it('refuses beside a booking that began while it waited, so that no cancelled order has a label', async () => {
    const id = await createOrder(test);

    const [booking, cancellation] = await database(test).transactional(async (tx) => {
      await tx.execute('select id from orders where id = ? for update', [id]);
      const first = test.call('POST', '/shipment/create', [{ orderId: id }]);
      await waitForLocks(test, 1);
      const late = cancel(id, 'ripensamento');
      await waitForLocks(test, 2);
      return [first, late];
    });

    expect((await booking).body.success).toBe(true);
    expect(await cancellation).toMatchObject({ status: 409, body: { code: 'order-changed', retryable: true } });
    expect((await readOrder(test, id)).order.status).toBe('shipment_created');
  });

  it('leaves the order as it was when the carrier refuses', async () => {
    const { orderId } = await bookOrder(test);
    await test.fault('gls-it', 'DeleteSped', 'proxy-403');

    const { status } = await cancel(orderId, 'ripensamento');

    expect(status).toBe(424);
    expect((await readOrder(test, orderId)).order.status).toBe('shipment_created');
    expect(await labelsSold(test, orderId)).toEqual([1]);
  });
});

describe('while a cancelled order waits for its carrier', () => {
  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'] });
  });
  afterAll(() => test.stop());

  it('no other part of it gets a label, and the order ends as cancelled', async () => {
    const { id, parts } = await splitOrder();
    await test.call('POST', '/shipment/create', [{ orderId: id, partId: parts[0] }], LATER);
    const [shipment] = await shipmentsOf(test, id);
    await bookShipment(test.app.deps, { shipmentId: shipment?.id ?? 0, ...jobContext() });
    await cancel(id, '', LATER);

    const { body } = await test.call('POST', '/shipment/create', [{ orderId: id, partId: parts[1] }], LATER);
    await runCancellations(id);

    expect(body.details.errors).toEqual([{ id, message: expect.stringContaining('try again') }]);
    expect((await readOrder(test, id)).order.status).toBe('cancelled');
    expect(await labelsSold(test, id)).toEqual([0]);
  });

  it('a repeated cancellation joins it', async () => {
    const id = await createOrder(test);
    await test.call('POST', '/shipment/create', [{ orderId: id }], LATER);
    const [shipment] = await shipmentsOf(test, id);
    await bookShipment(test.app.deps, { shipmentId: shipment?.id ?? 0, ...jobContext() });

    const first = await cancel(id, 'ripensamento', LATER);
    const second = await cancel(id, 'doppio', LATER);
    await runCancellations(id);

    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect((await readOrder(test, id)).cancelReason).toBe('ripensamento');
  });
});
