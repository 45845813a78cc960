import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { createOrder, transmitOrder } from './ship-orders.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ queues: ['carrier-gls-it'] });
});
afterAll(() => test.stop());

type Entry = { kind: string; code: string | null; outcome: string | null; details: string[]; at: string };

async function entriesOf(orderId: number): Promise<Entry[]> {
  const { status, body } = await test.call('GET', `/orders/${orderId}/timeline`);
  expect(status).toBe(200);
  expect(body.isComplete).toBe(true);
  return body.entries;
}

it('GET /orders/{id}/timeline tells of corrections, attempts, the print and the bordero in the order they happened', async () => {
  const { orderId, shipmentId } = await transmitOrder(test);
  await test.call('POST', `/shipment/${shipmentId}/printed`, { printed: true });
  await test.call('POST', '/bordero', { allTransmitted: true });
  const entries = await entriesOf(orderId);
  const times = entries.map(({ at }) => at);

  expect(entries[0]).toMatchObject({ kind: 'created', shipmentId: null });
  expect(entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'attempt', code: 'create', outcome: 'succeeded', shipmentId }),
      expect.objectContaining({ kind: 'attempt', code: 'transmit', outcome: 'succeeded', shipmentId }),
      expect.objectContaining({ kind: 'printed', shipmentId }),
      expect.objectContaining({ kind: 'bordero', shipmentId }),
    ]),
  );
  expect(times).toEqual([...times].sort());
});

it('GET /orders/{id}/timeline names the fields of a correction without their values, and each split once', async () => {
  const orderId = await createOrder(test, { items: [{ sku: 'MUG-01', name: 'Tazza', quantity: 2, price: 10 }] });
  await test.call('PATCH', `/orders/${orderId}`, { shipping: { address: 'Via Segreta, 9' } });
  const { body } = await test.call('GET', `/orders/${orderId}`);
  const parts = [{ lines: [{ itemId: body.orderItems[0].id, quantity: 1 }] }];
  await test.call('POST', `/orders/${orderId}/split`, { parts });
  const entries = await entriesOf(orderId);

  expect(entries.map(({ kind }) => kind)).toEqual(['created', 'corrected', 'split']);
  expect(entries[1]).toMatchObject({ outcome: 'corrected', details: ['/shipping/address'] });
  expect(entries[2]).toMatchObject({ code: '2' });
  expect(JSON.stringify(entries)).not.toContain('Segreta');
});

it('GET /orders/{id}/timeline has the words of a carrier that refused', async () => {
  const orderId = await createOrder(test);
  await test.fault('gls-it', 'AddParcel', 'status-503', 9);
  await test.call('POST', '/shipment/create', [{ orderId }]);
  await test.clearFaults();
  const attempt = (await entriesOf(orderId)).find(({ kind }) => kind === 'attempt');

  expect(attempt).toMatchObject({ code: 'create' });
  expect(attempt?.details.join()).toContain('503');
});
