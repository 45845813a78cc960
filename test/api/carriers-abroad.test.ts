import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let test: TestApp;
const contracts = new Map<string, number>();

beforeAll(async () => {
  test = await startTestApp({ queues: ['carrier-ups', 'carrier-fedex'] });
  for (const { id, carrier } of (await test.call('GET', '/carriers/contracts')).body) contracts.set(carrier.code, id);
});
afterEach(() => test.clearFaults());
afterAll(() => test.stop());

const BERLIN = {
  full_name: 'Greta Muster',
  address: 'Hauptstrasse 5',
  city: 'Berlin',
  zip: '10115',
  country_code: 'DE',
  phone: '+4930123456',
};
const ZURICH = {
  full_name: 'Urs Muster',
  address: 'Bahnhofstrasse 1',
  city: 'Zürich',
  zip: '8001',
  country_code: 'CH',
  phone: '+41441234567',
};

async function book(carrier: string, overrides: Record<string, unknown> = {}) {
  const parcels = [{ weight_kg: 1.2, length_cm: 30, width_cm: 20, height_cm: 10 }];
  const order = buildOrder({ carrier_company_id: contracts.get(carrier), shipping: BERLIN, parcels, ...overrides });
  const { body } = await test.call('POST', '/orders', order);
  const orderId: number = body.order.id;
  const created = await test.call('POST', '/shipment/create', [{ orderId }]);
  const detail = await test.call('GET', `/orders/${orderId}`);
  return { orderId, created: created.body, shipment: detail.body.shipments[0] };
}

it('asks no carrier for a price that gives none', async () => {
  const { body } = await test.call('POST', '/orders', buildOrder());
  const query = `orderId=${body.order.id}&carrierCompanyId=${test.contractId}`;

  const answer = await test.call('GET', `/shipment/live-rates?${query}`);

  expect(answer).toMatchObject({ status: 422, body: { detail: 'GLS Italy has no live rates' } });
});

describe.each(['ups', 'fedex'])('%s', (carrier) => {
  it('ships to Germany, counts as transmitted, and is cancelled', async () => {
    const { orderId, created, shipment } = await book(carrier);
    const label = await test.call('GET', `/shipment/${shipment.id}/label`);
    const transmitted = await test.call('POST', '/shipment/transmit', [{ orderId }]);
    const cancelled = await test.call('DELETE', `/shipment/${shipment.id}`);

    expect(created.details).toMatchObject({ success: [orderId], errors: [], shipments: [{ orderId }] });
    expect(label.headers.get('content-type')).toContain('application/pdf');
    expect(transmitted.body.details.success).toEqual([orderId]);
    expect(cancelled.body).toBe(true);
    expect(await test.ledger(carrier, shipment.reference)).toMatchObject({ labelsSold: 0, cancelled: 1 });
  });

  it('ends a lost answer with one label that can be printed', async () => {
    await test.fault(carrier, 'ship', 'accept-then-500');

    const { created, shipment } = await book(carrier);
    const label = await test.call('GET', `/shipment/${shipment.id}/label`);

    expect(created.details.errors).toEqual([]);
    expect(label.status).toBe(200);
    expect(await test.ledger(carrier, shipment.reference)).toMatchObject({ labelsSold: 1 });
  });

  it('refuses a parcel for Switzerland whose lines say nothing to customs, before anything is sent', async () => {
    const { created, shipment } = await book(carrier, {
      shipping: ZURICH,
      items: [{ name: 'Vaso', quantity: 1, price: 9 }],
    });

    expect(created.details.errors[0].message).toMatch(/customs|country|weight|code/i);
    expect(shipment).toBeUndefined();
  });

  it('says what an order would cost now, and books nothing by it', async () => {
    const parcels = [{ weight_kg: 1.2, length_cm: 30, width_cm: 20, height_cm: 10 }];
    const { body } = await test.call('POST', '/orders', buildOrder({ shipping: BERLIN, parcels }));
    const orderId: number = body.order.id;
    const query = `orderId=${orderId}&carrierCompanyId=${contracts.get(carrier)}`;

    const rates = await test.call('GET', `/shipment/live-rates?${query}`);
    const detail = await test.call('GET', `/orders/${orderId}`);

    expect(rates.status).toBe(200);
    expect(rates.body.length).toBeGreaterThan(0);
    expect(rates.body[0]).toMatchObject({ price: expect.stringMatching(/^\d+\.\d\d$/), currency: 'EUR' });
    expect(detail.body.shipments).toEqual([]);
  });

  it('gives orders of the same moment a label each', async () => {
    const all = await Promise.all([book(carrier), book(carrier), book(carrier)]);

    expect(all.flatMap(({ created }) => created.details.errors)).toEqual([]);
    expect(new Set(all.map(({ shipment }) => shipment.trackingNumber)).size).toBe(3);
  });
});
