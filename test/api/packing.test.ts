import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { createOrder } from './ship-orders.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
});
afterAll(() => test.stop());

const packingOf = async (id: number) => (await test.call('GET', `/orders/${id}/packing`)).body;

describe('what to pack for an order', () => {
  it('has the codes of each line, and the weight of the products', async () => {
    const product_id = '5f0c3c8e-5d35-4a39-9a53-3f8b2f6d1c11';
    const items = [
      { sku: 'MUG-01', name: 'Tazza', quantity: 2, price: 12.5 },
      { product_id, sku: 'NEW-9', name: 'Vaso', quantity: 1, price: 9 },
    ];

    const packing = await packingOf(await createOrder(test, { items }));

    expect(packing).toMatchObject({ joinedOrderIds: [], parcelsFrom: 'products', parcels: [{ weight_kg: 0.8 }] });
    expect(packing.lines).toMatchObject([
      { title: 'Tazza', quantity: 2, codes: ['MUG-01', expect.stringMatching(/^[\da-f-]{36}$/)] },
      { title: 'Vaso', quantity: 1, codes: ['NEW-9', product_id] },
    ]);
  });

  it('has the parcels that the order names, and says when no weight is known', async () => {
    const parcels = [{ weight_kg: 2.5, length_cm: 30, width_cm: 20, height_cm: 10 }];
    const unknown = [{ sku: 'NEW-9', name: 'Vaso', quantity: 1, price: 9 }];

    expect(await packingOf(await createOrder(test, { parcels }))).toMatchObject({ parcels, parcelsFrom: 'order' });
    expect(await packingOf(await createOrder(test, { items: unknown }))).toMatchObject({ parcelsFrom: 'default' });
  });

  it('holds all orders of a join', async () => {
    const [lead, other] = [await createOrder(test), await createOrder(test)];
    await test.call('POST', '/orders/join', { orderIds: [lead, other] });

    const packing = await packingOf(other);

    expect(packing).toMatchObject({ orderId: lead, joinedOrderIds: [other], parcels: [{ weight_kg: 1.6 }] });
    expect(packing.lines).toHaveLength(2);
  });

  it('names the version of the order that a correction compares', async () => {
    const id = await createOrder(test);
    const etag = (await test.call('GET', `/orders/${id}/packing`)).headers.get('etag') ?? '';
    const correct = (weight_kg: number) =>
      test.call('PATCH', `/orders/${id}`, { parcels: [{ weight_kg }] }, { 'If-Match': etag });

    expect([(await correct(3)).status, (await correct(4)).status]).toEqual([200, 412]);
  });
});
