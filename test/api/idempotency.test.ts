import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemEm } from '../../src/db/orm.ts';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { bookOrder, createOrder, readOrder, transmitOrder } from './ship-orders.ts';

describe('a request with an Idempotency-Key', () => {
  let test: TestApp;
  const key = (name: string) => ({ 'Idempotency-Key': name });
  const replayed = (answer: { headers: Headers }) => answer.headers.get('Idempotency-Replayed');

  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.stop());

  it('is carried out once and answered twice', async () => {
    const body = buildOrder({ order_number: 'UNA-VOLTA' });

    const first = await test.call('POST', '/orders', body, key('ordine-1'));
    const second = await test.call('POST', '/orders', body, key('ordine-1'));

    const orders = await test.call('GET', '/orders?orderNumber=UNA-VOLTA');
    expect([first.status, second.status]).toEqual([201, 201]);
    expect([replayed(first), replayed(second)]).toEqual([null, 'true']);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('Location')).toBe(first.headers.get('Location'));
    expect(second.headers.get('Content-Type')).toBe(first.headers.get('Content-Type'));
    expect(orders.body).toHaveLength(1);
  });

  it('is refused when the payload, the path or the query is another', async () => {
    const body = buildOrder();
    await test.call('POST', '/orders', body, key('ordine-2'));

    const otherBody = await test.call('POST', '/orders', buildOrder({ note: 'altro' }), key('ordine-2'));
    const otherPath = await test.call('POST', '/shipment/create', [{ orderId: 1 }], key('ordine-2'));
    const otherQuery = await test.call('POST', '/orders?x=1', body, key('ordine-2'));

    for (const answer of [otherBody, otherPath, otherQuery]) {
      expect(answer.status).toBe(422);
      expect(answer.body.code).toBe('idempotency-key-reused');
    }
  });

  it('is refused while the first one is still running, and answered when it is over', async () => {
    const orderId = await createOrder(test);
    await test.fault('gls-it', 'AddParcel', 'delay');
    const ask = () => test.call('POST', '/shipment/create', [{ orderId }], key('etichetta'));
    const isTaken = () =>
      systemEm(test.app.deps.orm).execute<object[]>("select 1 from idempotency_keys where key = 'etichetta'");

    const first = ask();
    await test.until(isTaken, (rows) => rows.length === 1);
    const meanwhile = await ask();
    const settled = await first;
    const after = await ask();

    expect(meanwhile.status).toBe(409);
    expect(meanwhile.body).toMatchObject({ code: 'idempotency-in-flight', retryable: true });
    expect(meanwhile.headers.get('Retry-After')).toBe('1');
    expect(settled.body.details.success).toEqual([orderId]);
    expect(after.body).toEqual(settled.body);
    expect(replayed(after)).toBe('true');
  });

  it('is not remembered when it was refused', async () => {
    const { orderId } = await bookOrder(test);
    const ask = () =>
      test.call('POST', '/bordero', { carrierId: test.carrierId, orderIds: [orderId] }, key('bordero-1'));

    const tooEarly = await ask();
    await test.call('POST', '/shipment/transmit', [{ orderId }]);
    const inTime = await ask();
    const again = await ask();

    expect([tooEarly.status, inTime.status, again.status]).toEqual([422, 201, 201]);
    expect([replayed(inTime), replayed(again)]).toEqual([null, 'true']);
    expect(again.body).toEqual(inTime.body);
  });

  it('is not remembered when its syntax was wrong', async () => {
    const wrong = await test.call('POST', '/orders', buildOrder({ items: [] }), key('ordine-3'));
    const right = await test.call('POST', '/orders', buildOrder(), key('ordine-3'));

    expect([wrong.status, right.status]).toEqual([400, 201]);
  });

  it('works for deleting', async () => {
    const one = await bookOrder(test);
    const two = await bookOrder(test);

    const first = await test.call('DELETE', `/shipment/${one.shipmentId}`, undefined, key('annulla'));
    const second = await test.call('DELETE', `/shipment/${one.shipmentId}`, undefined, key('annulla'));
    const other = await test.call('DELETE', `/shipment/${two.shipmentId}`, undefined, key('annulla'));

    expect(first).toMatchObject({ status: 200, body: true });
    expect(second).toMatchObject({ status: 200, body: true });
    expect(replayed(second)).toBe('true');
    expect(other.status).toBe(422);
    expect((await readOrder(test, two.orderId)).shipments[0].status).toBe('created');
  });

  it('tells a preview of a bordero deletion from the deletion', async () => {
    const { orderId } = await transmitOrder(test);
    const bordero = await test.call('POST', '/bordero', { carrierId: test.carrierId, orderIds: [orderId] });
    const path = `/bordero/${bordero.body.manifestId}`;

    const preview = await test.call('DELETE', path, undefined, key('elimina'));
    const deletion = await test.call('DELETE', `${path}?confirm=true`, undefined, key('elimina'));

    expect(preview.body.mode).toBe('preview');
    expect(deletion.status).toBe(422);
  });

  it.each(['a b', 'è', 'x'.repeat(256)])('is refused by name when the key is %j', async (name) => {
    const answer = await test.call('POST', '/orders', buildOrder(), key(name));

    expect(answer.status).toBe(400);
    expect(answer.body.violations).toEqual([
      { in: 'header', pointer: '/Idempotency-Key', message: expect.any(String) },
    ]);
  });

  it('changes nothing about reading', async () => {
    const orderId = await createOrder(test);

    const before = await test.call('GET', `/orders/${orderId}`, undefined, key('leggi'));
    await test.call('POST', '/shipment/create', [{ orderId }]);
    const after = await test.call('GET', `/orders/${orderId}`, undefined, key('leggi'));

    expect(before.body.order.status).toBe('pending');
    expect(after.body.order.status).toBe('shipment_created');
  });
});
