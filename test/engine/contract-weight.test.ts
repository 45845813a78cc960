import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.stop());

it('refuses what is heavier than the contract takes, before anything is sent', async () => {
  const parcels = [{ weight_kg: 60 }, { weight_kg: 60 }];
  const { body } = await test.call('POST', '/orders', buildOrder({ parcels }));

  const created = await test.call('POST', '/shipment/create', [{ orderId: body.order.id }]);

  expect(created.body.details.errors).toEqual([
    {
      id: body.order.id,
      message: expect.stringContaining('The order weighs 120 kg and the contract GLS Bologna takes up to 100 kg'),
    },
  ]);
});
