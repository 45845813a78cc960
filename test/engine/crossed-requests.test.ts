import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestShipments } from '../../src/usecases/shipments/request-shipments.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { createOrder, readOrderRow, recordingDeps } from '../usecases/engine.ts';

const ROUNDS = 10;
const ORDERS = 12;
let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
});
afterAll(() => test.stop());

it.each([
  { orders: 'that can be shipped', contractId: null },
  { orders: 'that are refused', contractId: 999_999 },
])('requests that name the same orders $orders the other way round all get their answer', async ({ contractId }) => {
  const { deps } = recordingDeps(test);
  for (let round = 0; round < ROUNDS; round++) {
    const ids = await Promise.all(Array.from({ length: ORDERS }, () => createOrder(test)));
    const { companyId } = await readOrderRow(test, ids[0] ?? 0);
    const ask = (orderIds: readonly number[]) =>
      requestShipments(deps, {
        companyId,
        requestId: 'test',
        requests: orderIds.map((orderId) => ({ orderId, contractId })),
      });

    const answers = await Promise.allSettled([ask(ids), ask(ids.toReversed()), ask(ids), ask(ids.toReversed())]);

    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled']);
  }
});
