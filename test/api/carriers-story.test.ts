import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trackNow } from '../../src/usecases/tracking/queue-tracking.ts';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

describe('the carriers beside the first one, through api and worker', () => {
  let test: TestApp;
  const contracts = new Map<string, { id: number; carrier: { id: number } }>();

  beforeAll(async () => {
    test = await startTestApp({ queues: null });
    for (const contract of (await test.call('GET', '/carriers/contracts')).body)
      contracts.set(contract.label, contract);
  });
  afterAll(() => test.stop());

  async function book(label: string, overrides: Record<string, unknown> = {}) {
    const order = buildOrder({ carrier_company_id: contracts.get(label)?.id, ...overrides });
    const { body } = await test.call('POST', '/orders', order);
    const orderId: number = body.order.id;
    const created = await test.call('POST', '/shipment/create', [{ orderId }]);
    const detail = await test.call('GET', `/orders/${orderId}`);
    return { orderId, created: created.body, shipment: detail.body.shipments[0] };
  }

  async function statusAfter(hours: number, shipmentId: number, wanted: string): Promise<string> {
    await test.advance(hours);
    const tracked = await test.until(
      async () => {
        await trackNow(test.app.deps, [shipmentId]);
        return test.call('GET', `/shipment/${shipmentId}/tracking`);
      },
      ({ body }) => body.status === wanted || JSON.stringify(body).includes(wanted),
    );
    return JSON.stringify(tracked.body);
  }

  it('BRT sells a label, takes the confirmation, goes on a bordero and delivers', async () => {
    const { orderId, created, shipment } = await book('BRT');
    const label = await test.call('GET', `/shipment/${shipment.id}/label`);
    const transmitted = await test.call('POST', '/shipment/transmit', [{ orderId }]);
    const carrierId = contracts.get('BRT')?.carrier.id;
    const bordero = await test.call('POST', '/bordero', { carrierId, orderIds: [orderId] });

    expect(created.details).toMatchObject({ success: [orderId], errors: [] });
    expect(shipment.trackingNumber).toMatch(/^\d{12,15}$/);
    expect(label.headers.get('content-type')).toContain('application/pdf');
    expect(transmitted.body.details.success).toEqual([orderId]);
    expect(bordero.status).toBe(201);
    expect(await statusAfter(60, shipment.id, 'delivered')).toContain('delivered');
  });

  it('BRT takes a shipment back', async () => {
    const { shipment } = await book('BRT');

    expect(await test.call('DELETE', `/shipment/${shipment.id}`)).toMatchObject({ status: 200, body: true });
    expect(await test.ledger('brt', shipment.reference)).toMatchObject({ labelsSold: 0 });
  });

  it('a lost answer of BRT ends with one label that can be printed', async () => {
    await test.fault('brt', 'create', 'accept-then-500');

    const { created, shipment } = await book('BRT');
    const label = await test.call('GET', `/shipment/${shipment.id}/label`);

    expect(created.details.errors).toEqual([]);
    expect(label.status).toBe(200);
    expect(await test.ledger('brt', shipment.reference)).toMatchObject({ labelsSold: 1, cancelled: 1 });
  });

  it('two labels of BRT under one reference come to the desk when they are confirmed', async () => {
    await test.fault('brt', 'create', 'accept-twice');
    const { orderId, shipment } = await book('BRT');

    const transmitted = await test.call('POST', '/shipment/transmit', [{ orderId }]);
    const desk = await test.call('GET', `/attention/${shipment.id}`);

    expect(transmitted.body.details.errors[0].message).toContain('ask the depot');
    expect(desk.body.reasons).toMatchObject([
      { reason: 'surplus-label', message: expect.stringContaining('several shipments') },
    ]);
  });

  it('BRT names its shops, and an order can go to one of them', async () => {
    const query = `carrierCompanyId=${contracts.get('BRT')?.id}&zip=20123&city=Milano`;

    const points = await test.call('GET', `/carriers/pickup-points?${query}`);
    const { created } = await book('BRT', { pickup_point_id: points.body[0].id });

    expect(points.status).toBe(200);
    expect(points.body[0]).toMatchObject({ id: expect.any(String), city: expect.any(String), countryCode: 'IT' });
    expect(created.details.errors).toEqual([]);
  });

  it('a carrier without lockers and shops says so', async () => {
    const answer = await test.call('GET', `/carriers/pickup-points?carrierCompanyId=${test.contractId}`);

    expect(answer).toMatchObject({ status: 422, body: { violations: [{ pointer: '/carrierCompanyId' }] } });
  });

  it('DHL ships to Germany without customs papers, and cannot cancel', async () => {
    const shipping = {
      full_name: 'Greta Muster',
      address: 'Hauptstrasse 5',
      city: 'Berlin',
      zip: '10115',
      country_code: 'DE',
      phone: '+4930123456',
    };

    const { orderId, created, shipment } = await book('DHL Express', {
      shipping,
      parcels: [{ weight_kg: 1.2, length_cm: 30, width_cm: 20, height_cm: 10 }],
    });
    const transmitted = await test.call('POST', '/shipment/transmit', [{ orderId }]);

    expect(created.details).toMatchObject({ success: [orderId], errors: [] });
    expect(shipment.trackingNumber).toMatch(/^\d{10}$/);
    expect(transmitted.body.details.success).toEqual([orderId]);
  });

  it('DHL refuses a parcel for Switzerland whose lines say nothing to customs, before anything is sent', async () => {
    const shipping = {
      full_name: 'Urs Muster',
      address: 'Bahnhofstrasse 1',
      city: 'Zürich',
      zip: '8001',
      country_code: 'CH',
      phone: '+41441234567',
    };

    const { created, shipment } = await book('DHL Express', {
      shipping,
      items: [{ name: 'Vaso', quantity: 1, price: 9 }],
    });

    expect(created.details.errors).toHaveLength(1);
    expect(created.details.errors[0].message).toMatch(/customs|country|weight|code/i);
    expect(shipment).toBeUndefined();
  });
});
