import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Shipment } from '../../src/db/entities/index.ts';
import { loadBooking } from '../../src/engine/shipment-draft.ts';
import { addCompany } from '../api/second-company.ts';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';

describe('the draft that a carrier gets', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'] });
  });
  afterAll(() => test.stop());

  it("has the company's own warehouse and products, despite the same keys at other companies", async () => {
    const other = await addCompany(test, 'torino', {
      warehouses: [
        { key: 'bologna', name: 'Magazzino Torino', address: 'Via Po 1', city: 'Torino', zip: '10123', default: true },
      ],
      products: [{ sku: 'MUG-01', title: 'Tazza di latta', weight_kg: 0.1, origin_country: 'PL' }],
    });
    const created = await test.call('POST', '/orders', buildOrder(), other.headers);
    const orderId: number = created.body.order.id;
    const async = { ...other.headers, prefer: 'respond-async' };
    await test.call('POST', '/shipment/create', [{ orderId }], async);
    const { id } = await database(test).findOneOrFail(Shipment, { orderId });

    const booking = await loadBooking(test.app.deps.orm, id);

    expect(booking?.draft).toMatchObject({
      sender: { name: 'Magazzino Torino', company: 'Ditta torino', city: 'Torino' },
      lines: [{ sku: 'MUG-01', weightGrams: 100, originCountry: 'PL' }],
    });
  });
});
