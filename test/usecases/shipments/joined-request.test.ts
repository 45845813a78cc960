import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildOrder } from '../../support/build-order.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const ORDERS = 20;
const CLIENTS = 4;

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ env: { WAIT_SECONDS: '60' } });
});
afterAll(() => test.stop());

/** Repeats what a busy service answered with 503, as a client does. */
async function ask(path: string, orderId: number) {
  for (;;) {
    const answer = await test.call('POST', path, [{ orderId }]);
    if (answer.status !== 503) return answer;
  }
}

it('never leaves a client waiting who asked for the same thing at the same moment as others', async () => {
  const orderIds: number[] = [];
  for (let at = 0; at < ORDERS; at++) {
    orderIds.push((await test.call('POST', '/orders', buildOrder())).body.order.id);
  }

  const asked = async (path: string) =>
    Promise.all(orderIds.flatMap((orderId) => Array.from({ length: CLIENTS }, () => ask(path, orderId))));
  const created = await asked('/shipment/create');
  const transmitted = await asked('/shipment/transmit');

  expect(created.map(({ status }) => status)).toEqual(Array(ORDERS * CLIENTS).fill(200));
  expect(transmitted.map(({ status }) => status)).toEqual(Array(ORDERS * CLIENTS).fill(200));
  expect([...created, ...transmitted].every(({ body }) => body.success)).toBe(true);
});
