import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemEm } from '../../src/db/orm.ts';
import { createIdempotencyStore, markMade } from '../../src/engine/idempotency.ts';
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

  it('repeats the answer of a DELETE', async () => {
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

  describe('whose process died before it answered', () => {
    /** The row as a killed api leaves it: what it made is committed, the answer was never remembered. */
    async function loseAnswer(name: string): Promise<void> {
      await systemEm(test.app.deps.orm).execute(
        `update idempotency_keys set status = null, body = null, location = null, created_at = now() - interval '1 hour'
          where key = ?`,
        [name],
      );
    }

    it('gives the answer for the order it had made, and makes no second one', async () => {
      const body = buildOrder({ order_number: 'MORTA' });
      const first = await test.call('POST', '/orders', body, key('morta-1'));
      await loseAnswer('morta-1');

      const again = await test.call('POST', '/orders', body, key('morta-1'));
      const later = await test.call('POST', '/orders', body, key('morta-1'));

      expect(again).toMatchObject({ status: 201, body: first.body });
      expect(again.headers.get('Location')).toBe(first.headers.get('Location'));
      expect([replayed(again), replayed(later)]).toEqual(['true', 'true']);
      expect((await test.call('GET', '/orders?orderNumber=MORTA')).body).toHaveLength(1);
    });

    it('gives the answer of the operation it had opened', async () => {
      const orderId = await createOrder(test);
      const ask = () => test.call('POST', '/shipment/create', [{ orderId }], key('morta-2'));
      const first = await ask();
      await loseAnswer('morta-2');

      const again = await ask();

      const em = systemEm(test.app.deps.orm);
      const operations = await em.execute<object[]>('select id from operation_items where order_id = ?', [orderId]);
      expect(again).toMatchObject({ status: 200, body: first.body });
      expect(operations).toHaveLength(1);
    });

    it('gives the answer for the bordero it had made', async () => {
      const { orderId } = await transmitOrder(test);
      const ask = () =>
        test.call('POST', '/bordero', { carrierId: test.carrierId, orderIds: [orderId] }, key('morta-3'));
      const first = await ask();
      await loseAnswer('morta-3');

      const again = await ask();

      expect(first.status).toBe(201);
      expect(again).toMatchObject({ status: 201, body: first.body });
    });

    it('makes no second one when our own failure came after the first was made', async () => {
      const em = systemEm(test.app.deps.orm);
      const store = createIdempotencyStore(test.app.deps.orm, { abandonedSeconds: 60 });
      const begun = await store.begin(test.demo.companyId, 'morta-6', 'hash');
      if (typeof begun === 'string' || !('fresh' in begun)) throw new Error('The key was not free');
      await em.transactional((tx) => markMade(tx, begun.fresh, 42));

      await store.release(begun.fresh); // as after a connection that broke on the commit

      const again = await store.begin(test.demo.companyId, 'morta-6', 'hash');
      expect(again).toMatchObject({ made: 42 });
    });

    it('frees the key when our own failure came before anything was made', async () => {
      const store = createIdempotencyStore(test.app.deps.orm, { abandonedSeconds: 60 });
      const begun = await store.begin(test.demo.companyId, 'morta-7', 'hash');
      if (typeof begun === 'string' || !('fresh' in begun)) throw new Error('The key was not free');

      await store.release(begun.fresh);

      expect(await store.begin(test.demo.companyId, 'morta-7', 'hash')).toHaveProperty('fresh');
    });

    it('runs again when it had created nothing', async () => {
      await systemEm(test.app.deps.orm).execute(
        `insert into idempotency_keys (company_id, key, request_hash, created_at) values (?, 'morta-4', ?, now() - interval '1 hour')`,
        [test.demo.companyId, await hashOf('morta-4')],
      );

      const answer = await test.call('POST', '/orders', buildOrder(), key('morta-4'));

      expect(answer.status).toBe(201);
      expect(replayed(answer)).toBeNull();
    });

    it('writes nothing when it comes back after another took over', async () => {
      const em = systemEm(test.app.deps.orm);
      await em.execute(
        `insert into idempotency_keys (company_id, key, request_hash, claim) values (?, 'morta-5', '', 2)`,
        [test.demo.companyId],
      );
      const lost = { companyId: test.demo.companyId, key: 'morta-5', claim: 1 };

      await expect(markMade(em, lost, 1)).rejects.toMatchObject({ status: 409, code: 'idempotency-in-flight' });
      await expect(markMade(em, { ...lost, claim: 2 }, 1)).resolves.toBeUndefined();
    });

    /** The hash that the api keeps with a key, for one and the same order. */
    async function hashOf(name: string): Promise<string> {
      await test.call('POST', '/orders', buildOrder(), key(`${name}-probe`));
      const [row] = await systemEm(test.app.deps.orm).execute<{ request_hash: string }[]>(
        'select request_hash from idempotency_keys where key = ?',
        [`${name}-probe`],
      );
      return row?.request_hash ?? '';
    }
  });
});
