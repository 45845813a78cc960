import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTRACT_ROUTES } from '../../src/api/routes/index.ts';
import { importOrders } from '../../src/usecases/marketplaces/import-orders.ts';
import { trackNow } from '../../src/usecases/tracking/queue-tracking.ts';
import { buildOrderTo } from '../support/build-order.ts';
import { backends, startTestApp, type TestApp } from '../support/test-app.ts';
import { jobContext } from '../usecases/engine.ts';

/** The schema of a contract endpoint's success, without tolerance for fields it does not list. */
function schemaOf(method: string, path: string, status: number) {
  const route = CONTRACT_ROUTES.find((one) => one.method === method && one.path === path);
  const schema = route?.responses[status]?.schema;
  if (!schema) throw new Error(`${method} ${path} has no schema for ${status}`);
  return schema;
}

/** Fails when a field is missing, of another type, or not in the contract. */
function expectShape(body: unknown, method: string, path: string, status = 200): void {
  const parsed = schemaOf(method, path, status).parse(body);
  expect(body).toEqual(parsed);
}

describe.each(backends())('one order through its whole life, queue on %s', (backend) => {
  let test: TestApp;
  let orderId: number;
  let shipmentId: number;
  let manifestId: number;

  beforeAll(async () => {
    test = await startTestApp({ backend });
  });
  afterAll(() => test.stop());

  it("lists contracts, services and marketplaces in the contract's shape", async () => {
    const contracts = await test.call('GET', '/carriers/contracts');
    const services = await test.call('GET', `/carriers/${test.carrierId}/services`);
    const connected = await test.call('GET', '/marketplace/connected');

    expectShape(contracts.body, 'get', '/carriers/contracts');
    expectShape(services.body, 'get', '/carriers/{carrierId}/services');
    expectShape(connected.body, 'get', '/marketplace/connected');
    expect(services.body.length).toBeGreaterThan(5);
    expect(contracts.body[0].configFields).toMatchObject({ passwordClienteGls: '********', sedeGls: 'YA' });
    expect(connected.body[0].configFields).toMatchObject({ consumerSecret: '********' });
  });

  it('creates an order, pending, counted to the cent', async () => {
    const created = await test.call(
      'POST',
      '/orders',
      buildOrderTo('Via Torino, 5 GIACENZA', {
        marketplace: { connection_id: test.connectionId, order_id: '1001', order_number: '1001' },
      }),
    );

    expect(created.status).toBe(201);
    expectShape(created.body, 'post', '/orders', 201);
    expect(created.body.order).toMatchObject({
      status: 'pending',
      buyerOrderNote: 'Citofonare Prova',
      totalGrossAmount: '30.90',
      totalNetAmount: '25.33',
      totalVatAmount: '5.57',
      shippingCostGrossAmount: 5.9,
    });
    expect(created.body.customer).toMatchObject({ billingState: 'BO', billingCountry: 'IT' });
    expect(created.body.customerAddress).toMatchObject({ state: 'MI', countryCode: 'IT' });
    orderId = created.body.order.id;
  });

  it('prices the order for each contract', async () => {
    const quote = await test.call('GET', `/shipment/quote?orderId=${orderId}&carrierCompanyId=${test.contractId}`);

    expectShape(quote.body, 'get', '/shipment/quote');
    expect(quote.body).toMatchObject({
      zone_name: 'Italia',
      base_price: '6.90',
      surcharge_price: '0.31',
      total_price: '7.21',
      vat_amount: '1.59',
      total_price_with_vat: '8.80',
      chargeable_weight: '1.000',
      real_weight: '0.800',
    });
  });

  it('checks its address with the carrier', async () => {
    const check = await test.call('POST', '/shipment/check-address', {
      carrierCompanyId: test.contractId,
      provincia: 'MI',
      city: 'Milano',
      address: 'Via Torino, 5',
      zip: '20123',
    });

    expectShape(check.body, 'post', '/shipment/check-address');
    expect(check.body).toMatchObject({ status: 'ok', message: 'GLS Italy: Destinazione corretta.' });
    expect(Object.keys(check.body.addresses[0])).toHaveLength(20);
  });

  it('books it once, however often it is asked', async () => {
    const [first, second] = await Promise.all([
      test.call('POST', '/shipment/create', [{ orderId }]),
      test.call('POST', '/shipment/create', [{ orderId }]),
    ]);
    const third = await test.call('POST', '/shipment/create', [{ orderId }]);
    const detail = await test.call('GET', `/orders/${orderId}`);

    for (const answer of [first, second, third]) {
      expect(answer.status).toBe(200);
      expectShape(answer.body, 'post', '/shipment/create');
      expect(answer.body).toMatchObject({ success: true, total: 1, details: { success: [orderId], errors: [] } });
    }
    expect(detail.body.order.status).toBe('shipment_created');
    expect(detail.body.shipments).toHaveLength(1);
    shipmentId = detail.body.shipments[0].id;
    expect(await test.ledger('gls-it', detail.body.shipments[0].reference)).toMatchObject({ labelsSold: 1 });
  });

  it('keeps the label the carrier made', async () => {
    const label = await test.call('GET', `/shipment/${shipmentId}/label`);

    expect(label.headers.get('content-type')).toBe('application/pdf');
    expect(String(label.body)).toMatch(/^%PDF-/);
  });

  it('refuses a bordero before the carrier has the data', async () => {
    const refused = await test.call('POST', '/bordero', { carrierId: test.carrierId, orderIds: [orderId] });

    expect(refused.status).toBe(422);
    expect(refused.body.violations).toEqual([
      { in: 'body', pointer: '/orderIds/0', message: `The shipment of order ${orderId} is not transmitted yet` },
    ]);
  });

  it('transmits it, and once more to no effect', async () => {
    const first = await test.call('POST', '/shipment/transmit', [{ orderId }]);
    const second = await test.call('POST', '/shipment/transmit', [{ orderId }]);

    expectShape(first.body, 'post', '/shipment/transmit');
    expect(first.body.details.success).toEqual([orderId]);
    expect(second.body.details.success).toEqual([orderId]);
  });

  it('puts it on a bordero that can be read, listed and printed', async () => {
    const created = await test.call('POST', '/bordero', { carrierId: test.carrierId, orderIds: [orderId] });
    manifestId = created.body.manifestId;
    const detail = await test.call('GET', `/bordero/${manifestId}`);
    const list = await test.call('GET', `/bordero?anno=${new Date().getFullYear()}`);
    const otherYear = await test.call('GET', '/bordero?anno=1999');
    const pdf = await test.call('GET', `/bordero/${manifestId}/pdf`);

    expect(created.status).toBe(201);
    expectShape(created.body, 'post', '/bordero', 201);
    expectShape(detail.body, 'get', '/bordero/{id}');
    expectShape(list.body, 'get', '/bordero');
    expect(list.body).toHaveLength(1);
    expect(otherYear.body).toEqual([]);
    expect(detail.body.manifestItems[0]).toMatchObject({
      recipientName: 'Chiara Prova',
      recipientState: 'MI',
      parcelsCount: 1,
    });
    expect(String(pdf.body)).toMatch(/^%PDF-/);
  });

  it('refuses the same order on a second bordero, and its cancellation', async () => {
    const again = await test.call('POST', '/bordero', { carrierId: test.carrierId, orderIds: [orderId] });
    const cancelled = await test.call('DELETE', `/shipment/${shipmentId}`);

    expect(again.status).toBe(422);
    expect(cancelled.status).toBe(409);
    expect(cancelled.body.code).toBe('shipment-on-manifest');
  });

  it('shows what deleting the bordero would do, and changes nothing', async () => {
    const preview = await test.call('DELETE', `/bordero/${manifestId}`);
    const detail = await test.call('GET', `/orders/${orderId}`);

    expectShape(preview.body, 'delete', '/bordero/{id}');
    expect(preview.body).toMatchObject({
      mode: 'preview',
      targetStatus: 'transmitted',
      restoredOrders: 1,
      keptOrders: 0,
      remainingOrders: 1,
    });
    expect(detail.body.order.status).toBe('manifested');
  });

  it('follows the parcel until it is held', async () => {
    await test.advance(60);
    await trackNow(test.app.deps, [shipmentId]);

    const tracking = await test.until(
      () => test.call('GET', `/shipment/${shipmentId}/tracking`),
      (answer) => answer.body.shipment.status === 'held',
    );

    expectShape(tracking.body, 'get', '/shipment/{id}/tracking');
    expect(tracking.body.trackingEvents[0]).toMatchObject({ status: 'held', label: 'In giacenza', codeTracking: '66' });
    expect(tracking.body.order.marketplaceOrderId).toBe('1001');
  });

  it('keeps a parcel that moved on its bordero', async () => {
    const deleted = await test.call('DELETE', `/bordero/${manifestId}?confirm=true`);

    expect(deleted.body).toMatchObject({ mode: 'partial', restoredOrders: 0, keptOrders: 1, remainingOrders: 1 });
  });

  it('releases the held parcel', async () => {
    const unknown = await test.call('POST', `/shipment/${shipmentId}/release-held`, { action: 'BURN' });
    const released = await test.call('POST', `/shipment/${shipmentId}/release-held`, {
      action: 'REDISPATCH_SAME_ADDRESS',
    });

    expectShape(unknown.body, 'post', '/shipment/{id}/release-held');
    expect(unknown.body).toMatchObject({
      success: false,
      blockingError: expect.stringContaining('Unknown action BURN'),
    });
    expectShape(released.body, 'post', '/shipment/{id}/release-held');
    expect(released.body).toMatchObject({
      success: true,
      summary: { requested: 1, succeeded: 1, failed: 0 },
      blockingError: null,
    });
  });

  it('sees it delivered', async () => {
    await test.advance(60);
    await trackNow(test.app.deps, [shipmentId]);

    await test.until(
      () => test.call('GET', `/shipment/${shipmentId}/tracking`),
      (answer) => answer.body.shipment.status === 'delivered',
    );

    const order = await test.call('GET', `/orders/${orderId}`);
    expect(order.body.order.status).toBe('delivered');
  });

  it('tells the marketplace once', async () => {
    const first = await test.call('POST', `/orders/${orderId}/send-to-marketplace`);
    const second = await test.call('POST', `/orders/${orderId}/send-to-marketplace`);

    expectShape(first.body, 'post', '/orders/{id}/send-to-marketplace');
    expect(first.body).toMatchObject({
      Result: 'OK',
      OrderID: '1001',
      MarketplacePlatform: 'woocommerce',
      ErrorType: null,
    });
    expect(second.body).toMatchObject({ Result: 'OK', TransactionID: first.body.TransactionID });
    expect(await test.ledger('woocommerce', '1001')).toMatchObject({ confirmed: 1 });
  });

  it('imports what the shop has, once', async () => {
    const input = { connectionId: test.connectionId, ...jobContext() };
    const first = await importOrders(test.app.deps, input);
    const second = await importOrders(test.app.deps, input);

    expect(first).toMatchObject({ created: 2, failed: 0 });
    expect(second).toMatchObject({ created: 0, failed: 0 });
  });

  it('cancels a shipment with its carrier, twice to the same answer', async () => {
    const { body } = await test.call('POST', '/orders', buildOrderTo('Via Roma, 1'));
    await test.call('POST', '/shipment/create', [{ orderId: body.order.id }]);
    const detail = await test.call('GET', `/orders/${body.order.id}`);
    const [shipment] = detail.body.shipments;

    const first = await test.call('DELETE', `/shipment/${shipment.id}`);
    const second = await test.call('DELETE', `/shipment/${shipment.id}`);

    expect(first).toMatchObject({ status: 200, body: true });
    expect(second).toMatchObject({ status: 200, body: true });
    expect(await test.ledger('gls-it', shipment.reference)).toMatchObject({ labelsSold: 0, cancelled: 1 });
    expect((await test.call('GET', `/orders/${body.order.id}`)).body.order.status).toBe('pending');
  });
});
