import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { followParcel } from '../../src/usecases/tracking/follow-parcel.ts';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { attemptsOf, database, readOrderRow } from '../usecases/engine.ts';

let test: TestApp;
const contracts = new Map<string, number>();
const parcels = [{ weight_kg: 1.2, length_cm: 30, width_cm: 20, height_cm: 10 }];

beforeAll(async () => {
  test = await startTestApp({ queues: ['carrier-gls-it', 'carrier-ups', 'carrier-fedex'] });
  for (const { id, carrier } of (await test.call('GET', '/carriers/contracts')).body) contracts.set(carrier.code, id);
});
afterEach(() => test.clearFaults());
afterAll(() => test.stop());

/** An order and, unless it stays unsent, its label. */
async function order(carrier: string, { isSent = true } = {}): Promise<number> {
  const { body } = await test.call(
    'POST',
    '/orders',
    buildOrder({ carrier_company_id: contracts.get(carrier), parcels }),
  );
  const orderId: number = body.order.id;
  if (isSent) await test.call('POST', '/shipment/create', [{ orderId }]);
  return orderId;
}

const askBack = (...elements: { orderId: number; carrierCompanyId?: number | undefined }[]) =>
  test.call('POST', '/shipment/return', elements);

async function shipmentsOf(orderId: number) {
  const { body } = await test.call('GET', `/orders/${orderId}`);
  const all = body.shipments as { id: number; direction: string; status: string; reference: string; error: string }[];
  const back = all.filter(({ direction }) => direction === 'return');
  return { outbound: all.find(({ direction }) => direction === 'outbound'), back, last: back[0], order: body.order };
}

describe.each(['ups', 'fedex'])('a return with %s', (carrier) => {
  it('has a label of its own, beside the one that brought it', async () => {
    const orderId = await order(carrier);

    const { status, body } = await askBack({ orderId });
    const { outbound, back, last } = await shipmentsOf(orderId);
    const label = await test.call('GET', `/shipment/${last?.id}/label`);
    const { body: tracking } = await test.call('GET', `/shipment/${last?.id}/tracking`);

    expect({ status, details: body.details }).toMatchObject({
      status: 200,
      details: { success: [orderId], errors: [] },
    });
    expect(back).toMatchObject([{ status: 'created', parcelCount: 1, carrierCompanyId: contracts.get(carrier) }]);
    expect(label.headers.get('content-type')).toContain('application/pdf');
    expect(tracking).toMatchObject({
      shipment: { shipmentType: 'return' },
      recipient: { companyName: 'Bottega Aurora S.r.l.', address: 'Via del Lavoro 12', city: 'Bologna' },
      order: { id: orderId },
    });
    expect(await test.ledger(carrier, last?.reference ?? '')).toMatchObject({ labelsSold: 1 });
    expect(await test.ledger(carrier, outbound?.reference ?? '')).toMatchObject({ labelsSold: 1 });
  });

  it('travels from the customer to the warehouse, and is told the carrier as a return', async () => {
    const orderId = await order(carrier);

    await askBack({ orderId });
    const { last } = await shipmentsOf(orderId);
    const { body: exchanges } = await test.call('GET', `/shipment/${last?.id}/exchanges`);
    const ship = exchanges.find(({ operation }: { operation: string }) => operation === 'ship');
    const { body } = await test.call('GET', `/exchanges/${ship.id}`);
    const sent = JSON.parse(body.request);

    expect(sent).toMatchObject(
      carrier === 'ups'
        ? {
            ShipmentRequest: {
              Shipment: {
                ReturnService: { Code: '9' },
                ShipFrom: { Name: 'Chiara Prova' },
                ShipTo: { AttentionName: 'Magazzino Bologna' },
              },
            },
          }
        : {
            requestedShipment: {
              shipmentSpecialServices: { specialServiceTypes: ['RETURN_SHIPMENT'] },
              shipper: { contact: { personName: 'Chiara Prova' } },
              recipients: [{ contact: { personName: 'Magazzino Bologna' } }],
            },
          },
    );
  });

  it('ends a lost answer with one label that can be printed', async () => {
    const orderId = await order(carrier);
    await test.fault(carrier, 'ship', 'accept-then-500');

    const { body } = await askBack({ orderId });
    const { last } = await shipmentsOf(orderId);

    expect(body.details.errors).toEqual([]);
    expect((await test.call('GET', `/shipment/${last?.id}/label`)).status).toBe(200);
    expect(await test.ledger(carrier, last?.reference ?? '')).toMatchObject({ labelsSold: 1 });
  });
});

describe('a return', () => {
  it('is one, however often and from however many sides it is asked for', async () => {
    const orderId = await order('ups');

    const all = await Promise.all([askBack({ orderId }, { orderId }), askBack({ orderId }), askBack({ orderId })]);
    const again = await askBack({ orderId });
    const { back, last } = await shipmentsOf(orderId);

    expect([...all, again].map(({ body }) => body.details)).toMatchObject(
      Array.from({ length: 4 }, () => ({ success: [orderId], errors: [] })),
    );
    expect(back).toHaveLength(1);
    expect(await test.ledger('ups', last?.reference ?? '')).toMatchObject({ labelsSold: 1 });
  });

  it('leaves its order alone, whatever becomes of it', async () => {
    const orderId = await order('ups');
    await test.call('POST', '/shipment/transmit', [{ orderId }]);
    await askBack({ orderId });
    const { last } = await shipmentsOf(orderId);
    const statusOf = async () => (await readOrderRow(test, orderId)).status;
    const booked = await statusOf();

    await database(test).transactional(async (tx) => {
      await tx.execute(`update shipments set tracking_status = 'delivered' where id = ?`, [last?.id]);
      await followParcel(tx, last?.id ?? 0);
    });
    const delivered = await statusOf();
    await database(test).execute('update shipments set tracking_status = null where id = ?', [last?.id]);
    const { body: cancelled } = await test.call('DELETE', `/shipment/${last?.id}`);

    expect([booked, delivered, await statusOf()]).toEqual(['transmitted', 'transmitted', 'transmitted']);
    expect(cancelled).toBe(true);
    expect((await shipmentsOf(orderId)).outbound).toMatchObject({ status: 'transmitted' });
  });

  it('that was cancelled can be ordered again', async () => {
    const orderId = await order('fedex');
    await askBack({ orderId });
    await test.call('DELETE', `/shipment/${(await shipmentsOf(orderId)).last?.id}`);

    const { body } = await askBack({ orderId });
    const { back } = await shipmentsOf(orderId);

    expect(body.details.success).toEqual([orderId]);
    expect(back.map(({ status }) => status)).toEqual(['created', 'cancelled']);
  });

  it('that has arrived can be followed by another one', async () => {
    const orderId = await order('ups');
    await askBack({ orderId });
    const { last } = await shipmentsOf(orderId);
    await database(test).execute(
      `update shipments set tracking_status = 'delivered', delivered_at = now() where id = ?`,
      [last?.id],
    );

    const all = await Promise.all([askBack({ orderId }), askBack({ orderId })]);
    const { back } = await shipmentsOf(orderId);

    expect(all.map(({ body }) => body.details.success)).toEqual([[orderId], [orderId]]);
    expect(back.map(({ status }) => status)).toEqual(['created', 'delivered']);
  });

  it('is no label of its order where the orders are named', async () => {
    const orderId = await order('ups');
    await askBack({ orderId });
    const { outbound, last } = await shipmentsOf(orderId);

    const byOrder = await test.call('GET', `/labels?orderIds=${orderId}&layout=original`);
    const both = await test.call('GET', `/labels?shipmentIds=${outbound?.id},${last?.id}&layout=original`);

    expect(byOrder.body).toMatch(/^%PDF-[\s\S]*\/Count 1\b/);
    expect(both.body).toMatch(/^%PDF-[\s\S]*\/Count 2\b/);
  });

  it('is not fetched at the warehouse: it waits at its customer', async () => {
    const orderId = await order('ups');
    await askBack({ orderId });
    const { outbound, last } = await shipmentsOf(orderId);
    const wish = { carrierCompanyId: contracts.get('ups'), date: '2026-11-24', from: '14:00', to: '18:00' };

    const named = await test.call('POST', '/pickups', { ...wish, shipmentIds: [last?.id] });
    const all = await test.call('POST', '/pickups', wish);

    expect(named).toMatchObject({ status: 422, body: { violations: [{ pointer: '/shipmentIds' }] } });
    expect(all.body.shipmentIds).toContain(outbound?.id);
    expect(all.body.shipmentIds).not.toContain(last?.id);
  });

  it('says per order why there is none', async () => {
    const [unsent, byGls, good, named] = [
      await order('ups', { isSent: false }),
      await order('gls-it'),
      await order('ups'),
      await order('gls-it'),
    ];

    const { body } = await askBack(
      { orderId: unsent },
      { orderId: byGls },
      { orderId: 999_999 },
      { orderId: good },
      { orderId: named, carrierCompanyId: contracts.get('fedex') },
    );

    expect(body.details).toMatchObject({
      success: [good, named],
      errors: [
        { id: unsent, message: `Order ${unsent} has no label yet: there is nothing to send back` },
        { id: byGls, message: 'smista cannot order return labels from GLS Italy: name another contract' },
        { id: 999_999, message: 'There is no order 999999' },
      ],
    });
    expect((await readOrderRow(test, unsent)).status).toBe('pending');
  });

  it('that no try could book is tried again at the desk', async () => {
    const orderId = await order('ups');
    await test.fault('ups', 'ship', 'status-503', 3);
    const { body } = await askBack({ orderId });
    const { last } = await shipmentsOf(orderId);
    const { body: attention } = await test.call('GET', `/attention/${last?.id}`);

    const resolved = await test.call('POST', `/attention/${last?.id}/resolve`, { choice: 'resubmit' });
    await test.until(
      () => shipmentsOf(orderId),
      (now) => now.last?.status === 'created',
    );

    expect(body.details.errors).toMatchObject([{ id: orderId, message: expect.stringContaining('all retries') }]);
    expect(attention).toMatchObject({ direction: 'return', reasons: [{ reason: 'booking-used-up' }] });
    expect(resolved.status).toBe(200);
    // A worker may begin before the decision is recorded.
    expect((await attemptsOf(test, last?.id ?? 0)).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'create failed'),
      'create succeeded',
      'resolve succeeded',
    ]);
    expect((await readOrderRow(test, orderId)).status).toBe('shipment_created');
  });
});
