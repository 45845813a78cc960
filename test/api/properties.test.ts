import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProblemBody } from '../../src/api/http/schemas.ts';
import { ROUTES } from '../../src/api/routes/index.ts';
import { systemEm } from '../../src/db/orm.ts';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { anyBody, anyHeaders, anyId, anyQuery, mutated } from './arbitraries.ts';
import { type RawAnswer, rawRequester } from './raw-request.ts';
import { createOrder } from './ship-orders.ts';

const RUNS = 100;
const POINTER = /^(\/([^~/]|~[01])*)*$/s;

/** What an answer to nonsense must look like; throws in words when it does not. */
function expectHonest(answer: RawAnswer): void {
  expect(answer.status, answer.text).toBeLessThan(500);
  if (answer.status < 400) return;
  expect(String(answer.headers['content-type'])).toMatch(/^application\/problem\+json/);
  const problem = ProblemBody.parse(JSON.parse(answer.text));
  expect(problem.status).toBe(answer.status);
  expect(problem.source).toBe('client');
  expect(problem.requestId).toBe(answer.headers['x-request-id']);
  expect(problem.requestId).not.toBe('');
  if (answer.status === 400) expect(problem.violations?.length).toBeGreaterThan(0);
  for (const { pointer } of problem.violations ?? []) expect(pointer).toMatch(POINTER);
}

describe('whatever is sent', () => {
  let test: TestApp;
  let http: ReturnType<typeof rawRequester>;
  /** Ids of rows that exist, whatever their table: every endpoint gets some of them. */
  let ids: number[];

  beforeAll(async () => {
    test = await startTestApp({ env: { WAIT_SECONDS: '0', RETRY_ATTEMPTS: '1' } });
    http = rawRequester(test.app.url);
    const settled = async (method: string, path: string, body: unknown): Promise<void> => {
      const asked = await test.call(method, path, body);
      const at = asked.headers.get('location')?.replace('/api/v1/external', '') ?? '';
      await test.until(
        () => test.call('GET', at),
        (answer) => answer.status === 200,
      );
    };
    const orders = await Promise.all([1, 2, 3, 4].map(() => createOrder(test)));
    const [, booked, transmitted, manifested] = orders;
    await settled(
      'POST',
      '/shipment/create',
      [booked, transmitted, manifested].map((orderId) => ({ orderId })),
    );
    await settled(
      'POST',
      '/shipment/transmit',
      [transmitted, manifested].map((orderId) => ({ orderId })),
    );
    await test.call('POST', '/bordero', { carrierId: test.carrierId, orderIds: [manifested] });
    ids = [...new Set([...orders, test.contractId, test.carrierId, test.connectionId])];
  });
  afterAll(async () => {
    http.close();
    await test.stop();
  });

  const bodies: Record<string, () => unknown> = {
    '/orders': () => ({
      ...buildOrder({
        parcels: [{ weight_kg: 1, length_cm: 10, width_cm: 10, height_cm: 10 }],
        cod_amount: 10,
        order_number: 'A-1',
        carrier_company_id: test.contractId,
        carrier_options: ['31'],
        warehouse_id: 1,
      }),
      marketplace: { connection_id: test.connectionId, order_id: '77', order_number: '77' },
    }),
    '/shipment/check-address': () => ({
      carrierCompanyId: test.contractId,
      provincia: 'MI',
      city: 'Milano',
      address: 'Via Torino, 5',
      zip: '20123',
    }),
    '/shipment/create': () => [{ orderId: 1, carrierCompanyId: test.contractId }, { orderId: 2 }],
    '/shipment/transmit': () => [{ orderId: 1 }, { orderId: 2 }],
    '/shipment/{id}/release-held': () => ({
      action: 'REDISPATCH_NEW_ADDRESS',
      newAddress: {
        name: 'Anna',
        address: 'Via Po, 1',
        city: 'Torino',
        province: 'TO',
        zip: '10121',
        countryCode: 'IT',
      },
      pickupPointId: 'APT-20121-L1',
      note: 'piano terra',
    }),
    '/shipments/held/{shipmentId}/done-in-portal': () => ({ action: 'RETURN_TO_SENDER', note: 'piano terra' }),
    '/shipment/{id}/printed': () => ({ printed: false }),
    '/bordero': () => ({ carrierId: test.carrierId, orderIds: [1, 2] }),
  };

  // A stream would keep each of these requests for its seconds.
  it.each(
    ROUTES.filter(({ isEndless }) => !isEndless).map((route) => ({
      route,
      name: `${route.method.toUpperCase()} ${route.path}`,
    })),
  )('$name never fails on its own and explains every refusal', async ({ route }) => {
    const body = bodies[route.path]?.() ?? { orderId: 1 };
    const known = Object.keys((route.query as { shape?: object } | undefined)?.shape ?? {});
    const path = fc
      .tuple(anyId(ids), anyQuery(known, ids))
      .map(([id, query]) => `/api/v1/external${route.path.replace(/\{\w+\}/, () => id)}${query}`);
    const property = fc.asyncProperty(path, anyBody(body), anyHeaders, async (url, bytes, headers) => {
      const answer = await http.send({
        method: route.method.toUpperCase(),
        path: url,
        headers: { ...headers, 'x-api-key': test.demo.apiKey },
        body: bytes,
      });

      expectHonest(answer);
    });

    await fc.assert(property, { numRuns: RUNS });
  });

  it('writes the whole order or nothing of it', async () => {
    const rows = async (): Promise<number[]> => {
      const [row] = await systemEm(test.app.deps.orm).execute<Record<string, number>[]>(
        `select (select count(*)::int from customers) as customers, (select count(*)::int from customer_addresses) as addresses,
                (select count(*)::int from orders) as orders, (select count(*)::int from order_items) as items`,
      );
      return Object.values(row ?? {});
    };
    const property = fc.asyncProperty(mutated(bodies['/orders']?.()), async (bytes) => {
      const before = await rows();

      const answer = await http.send({
        method: 'POST',
        path: '/api/v1/external/orders',
        headers: { 'content-type': 'application/json', 'x-api-key': test.demo.apiKey },
        body: bytes,
      });

      const after = await rows();
      const items = answer.status === 201 ? JSON.parse(answer.text).orderItems.length : 0;
      const expected = answer.status === 201 ? [1, 1, 1, items] : [0, 0, 0, 0];
      expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual(expected);
    });

    await fc.assert(property, { numRuns: 150 });
  });
});
