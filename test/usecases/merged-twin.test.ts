import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Carrier, defineCarrier } from '../../src/carriers/contract.ts';
import { Shipment } from '../../src/db/entities/index.ts';
import { systemEm } from '../../src/db/orm.ts';
import { reconcileShipment } from '../../src/usecases/reconcile-shipment.ts';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.stop());

/** The real carrier, except that a look-up finds our reference on another order's shipment, one parcel too many. */
function mergingCarrier(real: Carrier, trackingNumber: string, cancelled: string[]): Carrier {
  return defineCarrier({
    ...real,
    findByReference: async () => ({
      trackingNumber,
      carrierReference: trackingNumber,
      parcelCount: 2,
      labels: [],
      warnings: [],
      confirmed: false,
    }),
    cancelShipment: async (_context, shipment) => void cancelled.push(shipment.trackingNumber),
  });
}

it("never cancels another order's label when the carrier merged two orders of one recipient", async () => {
  const first = await test.call('POST', '/orders', buildOrder());
  const second = await test.call('POST', '/orders', buildOrder());
  await test.call('POST', '/shipment/create', [{ orderId: first.body.order.id }]);
  const [booked] = (await test.call('GET', `/orders/${first.body.order.id}`)).body.shipments;
  await test.fault('gls-it', 'AddParcel', 'reset');
  await test.call('POST', '/shipment/create', [{ orderId: second.body.order.id }], { prefer: 'respond-async' });
  const em = systemEm(test.app.deps.orm);
  const lost = await test.until(
    () => em.fork().findOne(Shipment, { orderId: second.body.order.id }, { filters: false }),
    (shipment) => shipment?.processStatus === 'unknown_outcome',
  );
  const cancelled: string[] = [];
  const real = test.app.deps.carriers.get('gls-it') as Carrier;
  const carriers = new Map([['gls-it', mergingCarrier(real, booked.trackingNumber, cancelled)]]);

  await reconcileShipment(
    { ...test.app.deps, carriers },
    { shipmentId: lost?.id ?? 0, requestId: '', signal: new AbortController().signal, isLastTry: true },
  );

  const order = await test.call('GET', `/orders/${second.body.order.id}`);
  expect(cancelled).toEqual([]);
  expect(order.body.order.status).toBe('error');
  expect(order.body.error).toContain(`merged it into the shipment of order ${first.body.order.id}`);
  expect((await test.call('GET', `/orders/${first.body.order.id}`)).body.order.status).toBe('shipment_created');
});
