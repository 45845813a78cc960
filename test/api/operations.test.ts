import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany } from './second-company.ts';
import { bookOrder, createOrder, readOrder } from './ship-orders.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.stop());

describe('operations', () => {
  it('are listed newest first, by kind and by what is open', async () => {
    const { headers } = await addCompany(test, 'operazioni');
    const { orderId } = await bookOrder(test, {}, headers);
    await test.call('POST', '/shipment/transmit', [{ orderId }], headers);
    const list = async (query: string) => (await test.call('GET', `/operations?${query}`, undefined, headers)).body;

    const all = await list('');
    expect(all.map(({ kind, status, items }: Record<string, unknown>) => [kind, status, items])).toEqual([
      ['transmit', 'succeeded', { total: 1, open: 0, succeeded: 1, failed: 0 }],
      ['create', 'succeeded', { total: 1, open: 0, succeeded: 1, failed: 0 }],
    ]);
    expect(all[0].finishedAt >= all[0].createdAt).toBe(true);
    expect(await list('kind=create')).toEqual([all[1]]);
    expect(await list('open=true')).toEqual([]);
    expect(await list('open=false&limit=1')).toEqual([all[0]]);
  });

  it('of a kind that confirms to a carrier cannot be cancelled', async () => {
    const { headers } = await addCompany(test, 'conferma');
    const { orderId } = await bookOrder(test, {}, headers);
    await test.call('POST', '/shipment/transmit', [{ orderId }], headers);
    const [transmit] = (await test.call('GET', '/operations', undefined, headers)).body;

    const refused = await test.call('DELETE', `/operations/${transmit.id}`, undefined, headers);

    expect([refused.status, refused.body.code]).toEqual([409, 'operation-not-cancellable']);
  });
});

describe('an operation of the api alone, without workers', () => {
  let api: TestApp;

  beforeAll(async () => {
    api = await startTestApp({ env: { WAIT_SECONDS: '0' }, roles: ['api'] });
  });
  afterAll(() => api.stop());

  it('is cancelled unsold, and its orders can be booked again', async () => {
    const ids = [await createOrder(api), await createOrder(api)];
    const asked = await api.call(
      'POST',
      '/shipment/create',
      ids.map((orderId) => ({ orderId })),
    );
    const at = asked.headers.get('location')?.replace('/api/v1/external', '') ?? '';
    const [open] = (await api.call('GET', '/operations?open=true')).body;

    const cancelled = await api.call('DELETE', at);
    const again = await api.call('DELETE', at);
    const result = await api.call('GET', at);

    expect([asked.status, `/operations/${open.id}`, open.items.open]).toEqual([202, at, 2]);
    expect([cancelled.body, again.body]).toEqual([{ cancelled: 2 }, { cancelled: 0 }]);
    expect(result.body.details.errors).toEqual(
      ids.map((id) => ({ id, message: 'The operation was cancelled before it began' })),
    );
    const order = await readOrder(api, ids[0] ?? 0);
    expect([order.order.status, order.shipments[0].status]).toEqual(['pending', 'cancelled']);
    expect((await api.call('POST', '/shipment/create', [{ orderId: ids[0] }])).status).toBe(202);
  });

  it('ends another operation that waits for the same label, and says why', async () => {
    const orderId = await createOrder(api);
    const [first, second] = [
      await api.call('POST', '/shipment/create', [{ orderId }]),
      await api.call('POST', '/shipment/create', [{ orderId }]),
    ].map(({ headers }) => headers.get('location')?.replace('/api/v1/external', '') ?? '');

    const cancelled = await api.call('DELETE', first ?? '');
    const other = await api.call('GET', second ?? '');

    expect(cancelled.body).toEqual({ cancelled: 1 });
    expect(other.body.details.errors).toEqual([{ id: orderId, message: 'The shipment was cancelled' }]);
  });
});

describe('POST /orders/batch', () => {
  it('tells the truth per element, and one bad element does not fail the batch', async () => {
    const { headers } = await addCompany(test, 'gruppo');
    const marketplace = { connection_id: 999, order_id: '1', order_number: '1' };
    const bodies = [
      buildOrder({ order_number: 'G-1' }),
      buildOrder({ items: [] }),
      buildOrder({ marketplace }),
      'no order',
      buildOrder({ order_number: 'G-2' }),
    ];

    const { status, body } = await test.call('POST', '/orders/batch', bodies, headers);

    expect(status).toBe(200);
    expect(
      body.map(({ index, problem }: { index: number; problem?: { status: number } }) => [index, problem?.status]),
    ).toEqual([
      [0, undefined],
      [1, 400],
      [2, 422],
      [3, 400],
      [4, undefined],
    ]);
    expect(body[1].problem.violations[0].pointer).toBe('/items');
    expect((await readOrder(test, body[4].orderId, headers)).order.orderNumber).toBe('G-2');
    expect((await test.call('GET', '/orders', undefined, headers)).body).toHaveLength(2);
  });

  it('creates only what is missing when it is repeated after its process died', async () => {
    const { headers, companyId } = await addCompany(test, 'ripetuto');
    const own = { ...headers, 'Idempotency-Key': 'batch-1' };
    const bodies = [buildOrder({ order_number: 'R-1' }), buildOrder({ order_number: 'R-2' })];
    const em = test.app.deps.orm.em.fork();

    const first = await test.call('POST', '/orders/batch', bodies, own);
    // The process died before it stored the answer, and before it created the second order.
    await em.execute(
      `update idempotency_keys set status = null, created_at = now() - interval '1 day' where company_id = ? and key = 'batch-1'`,
      [companyId],
    );
    await em.execute(`update idempotency_keys set result_id = null where company_id = ? and key like 'batch-1 1 %'`, [
      companyId,
    ]);
    const second = await test.call('POST', '/orders/batch', bodies, own);

    expect(second.body[0]).toEqual(first.body[0]);
    expect(second.body[1].orderId).toBeGreaterThan(first.body[1].orderId);
    expect((await test.call('GET', '/orders', undefined, headers)).body).toHaveLength(3);
  });

  it('takes up to a thousand orders', async () => {
    const { headers } = await addCompany(test, 'mille');
    const bodies = Array.from({ length: 1000 }, (_each, index) => buildOrder({ order_number: `M-${index}` }));

    const { body } = await test.call('POST', '/orders/batch', bodies, headers);
    const tooMany = await test.call('POST', '/orders/batch', [...bodies, buildOrder()], headers);

    expect(new Set(body.map(({ orderId }: { orderId: number }) => orderId)).size).toBe(1000);
    expect(tooMany.status).toBe(400);
    expect((await test.call('GET', '/orders?orderNumber=M-999', undefined, headers)).body).toHaveLength(1);
  });
});
