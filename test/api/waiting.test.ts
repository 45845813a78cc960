import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTRACT_ROUTES } from '../../src/api/routes/index.ts';
import { trackNow } from '../../src/usecases/tracking/queue-tracking.ts';
import { buildOrderTo } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { bookOrder, createOrder, readOrder } from './ship-orders.ts';

const BASE = '/api/v1/external';

/** One request that a partner has to answer: how to prepare it, and what it is. */
interface SlowWork {
  name: string;
  partner: string;
  prepare: () => Promise<{ method: string; path: string; body?: unknown }>;
  /** The template of its path, as in the contract. */
  template: string;
}

let test: TestApp;

async function slowly(partner: string, delayMs: number): Promise<void> {
  await fetch(`${test.demo.sandboxUrl}/_control/faults`, {
    method: 'POST',
    body: JSON.stringify({ partner, fault: 'delay', delayMs }),
  });
}

async function heldShipment(): Promise<number> {
  const { body } = await test.call('POST', '/orders', buildOrderTo('Via Torino, 5 GIACENZA'));
  await test.call('POST', '/shipment/create', [{ orderId: body.order.id }]);
  await test.call('POST', '/shipment/transmit', [{ orderId: body.order.id }]);
  const [shipment] = (await readOrder(test, body.order.id)).shipments;
  await test.advance(60);
  await trackNow(test.app.deps, [shipment.id]);
  await test.until(
    () => test.call('GET', `/shipment/${shipment.id}/tracking`),
    (answer) => answer.body.shipment.status === 'held',
  );
  return shipment.id;
}

const SLOW: SlowWork[] = [
  {
    name: 'booking',
    partner: 'gls-it',
    template: '/shipment/create',
    prepare: async () => ({ method: 'POST', path: '/shipment/create', body: [{ orderId: await createOrder(test) }] }),
  },
  {
    name: 'transmitting',
    partner: 'gls-it',
    template: '/shipment/transmit',
    prepare: async () => {
      const { orderId } = await bookOrder(test);
      return { method: 'POST', path: '/shipment/transmit', body: [{ orderId }] };
    },
  },
  {
    name: 'checking an address',
    partner: 'gls-it',
    template: '/shipment/check-address',
    prepare: async () => ({
      method: 'POST',
      path: '/shipment/check-address',
      body: { carrierCompanyId: test.contractId, provincia: 'MI', city: 'Milano', address: 'Via Po, 1', zip: '20123' },
    }),
  },
  {
    name: 'cancelling',
    partner: 'gls-it',
    template: '/shipment/{id}',
    prepare: async () => ({ method: 'DELETE', path: `/shipment/${(await bookOrder(test)).shipmentId}` }),
  },
  {
    name: 'releasing',
    partner: 'gls-it',
    template: '/shipment/{id}/release-held',
    prepare: async () => ({
      method: 'POST',
      path: `/shipment/${await heldShipment()}/release-held`,
      body: { action: 'RETURN_TO_SENDER' },
    }),
  },
  {
    name: 'telling the marketplace',
    partner: 'woocommerce',
    template: '/orders/{id}/send-to-marketplace',
    prepare: async () => {
      const marketplace = { connection_id: test.connectionId, order_id: '1001' };
      const { orderId } = await bookOrder(test, { marketplace });
      return { method: 'POST', path: `/orders/${orderId}/send-to-marketplace` };
    },
  },
];

function schemasOf(method: string, path: string) {
  const route = CONTRACT_ROUTES.find((one) => one.method === method.toLowerCase() && one.path === path);
  if (!route) throw new Error(`There is no ${method} ${path}`);
  return route.responses;
}

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.stop());

describe('a client that does not want to wait', () => {
  it.each(SLOW)('for $name is answered at once, in the same shape, and finds the end under Location', async (work) => {
    const { method, path, body } = await work.prepare();
    const schemas = schemasOf(method, work.template);
    await slowly(work.partner, 600);

    const accepted = await test.call(method, path, body, { Prefer: 'respond-async' });
    const location = accepted.headers.get('Location') ?? '';
    const settled = await test.until(
      () => test.call('GET', location.slice(BASE.length)),
      (answer) => answer.status !== 202,
    );

    expect(accepted.status).toBe(202);
    expect(location).toMatch(/^\/api\/v1\/external\/operations\/\d+$/);
    expect(accepted.headers.get('Retry-After')).toBe('2');
    expect(schemas[202]?.schema?.parse(accepted.body)).toEqual(accepted.body);
    expect(settled.status).toBe(200);
    expect(schemas[200]?.schema?.parse(settled.body)).toEqual(settled.body);
    expect(settled.headers.get('Location')).toBeNull();
  });

  it('is told what is settled so far and how many are still in progress', async () => {
    const done = await bookOrder(test);
    const open = await createOrder(test);
    await slowly('gls-it', 300);

    const accepted = await test.call(
      'POST',
      '/shipment/create',
      [{ orderId: done.orderId }, { orderId: open }, { orderId: 2_000_000_000 }],
      { Prefer: 'respond-async' },
    );

    expect(accepted.body).toEqual({
      success: false,
      message: '1 of 3 created, 1 failed, 1 still in progress',
      total: 3,
      details: {
        success: [done.orderId],
        errors: [{ id: 2_000_000_000, message: 'There is no order 2000000000' }],
        shipments: [expect.objectContaining({ orderId: done.orderId, labelUrl: expect.any(String) })],
      },
    });
    await test.until(
      () => readOrder(test, open),
      (detail) => detail.order.status === 'shipment_created',
    );
  });

  it('gets the whole answer when there is nothing to wait for', async () => {
    const { orderId } = await bookOrder(test);

    const answer = await test.call('POST', '/shipment/create', [{ orderId }], { Prefer: 'respond-async' });

    expect(answer).toMatchObject({ status: 200, body: { success: true, details: { success: [orderId] } } });
  });
});

describe('a client that waits', () => {
  it.each([
    ['wait=0', 0],
    ['wait=1', 1000],
    ['handling=lenient, wait=1', 1000],
  ])('with "%s" waits that long and not for the end', async (prefer, expectedMs) => {
    const orderId = await createOrder(test);
    await slowly('gls-it', 2000);
    const started = performance.now();

    const answer = await test.call('POST', '/shipment/create', [{ orderId }], { Prefer: prefer });
    const tookMs = performance.now() - started;

    expect(answer.status).toBe(202);
    expect(tookMs).toBeGreaterThanOrEqual(expectedMs);
    await test.until(
      () => readOrder(test, orderId),
      (detail) => detail.order.status === 'shipment_created',
    );
  });

  it('long enough gets the whole answer', async () => {
    const orderId = await createOrder(test);
    await slowly('gls-it', 300);

    const answer = await test.call('POST', '/shipment/create', [{ orderId }], { Prefer: 'wait=10' });

    expect(answer).toMatchObject({ status: 200, body: { success: true } });
  });
});
