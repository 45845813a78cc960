import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Carrier, defineCarrier } from '../../../src/carriers/adapter.ts';
import { bookShipment } from '../../../src/usecases/shipments/book-shipment.ts';
import { reconcileShipment } from '../../../src/usecases/shipments/reconcile-shipment.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { jobContext, orderShipment, readOrderRow, readShipment, recordingDeps } from '../engine.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
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
      canBeTakenBack: true,
    }),
    cancelShipment: async (_context, shipment) => void cancelled.push(shipment.trackingNumber),
  });
}

it("never cancels another order's label when the carrier merged two orders of one recipient", async () => {
  const { deps } = recordingDeps(test);
  const first = await orderShipment(test);
  const second = await orderShipment(test);
  await bookShipment(deps, { shipmentId: first.shipmentId, ...jobContext() });
  await test.fault('gls-it', 'AddParcel', 'reset');
  await bookShipment(deps, { shipmentId: second.shipmentId, ...jobContext() });
  const booked = await readShipment(test, first.shipmentId);
  const cancelled: string[] = [];
  const real = test.app.deps.carriers.get('gls-it') as Carrier;
  const carriers = new Map([['gls-it', mergingCarrier(real, booked.trackingNumber ?? '', cancelled)]]);

  await reconcileShipment({ ...deps, carriers }, { shipmentId: second.shipmentId, ...jobContext() });

  expect(cancelled).toEqual([]);
  expect(await readOrderRow(test, second.orderId)).toMatchObject({
    status: 'error',
    error: expect.stringContaining(`merged it into the shipment of order ${first.orderId}`),
  });
  expect(await readOrderRow(test, first.orderId)).toMatchObject({ status: 'shipment_created' });
});
