import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bookShipment } from '../../src/usecases/shipments/book-shipment.ts';
import type { TestApp } from '../support/test-app.ts';
import {
  database,
  jobContext,
  type OrderedShipment,
  orderShipment,
  readShipment,
  recordingDeps,
} from '../usecases/engine.ts';
import { countForbidden } from './guard.ts';
import { checkInvariants } from './invariants.ts';
import { startModelApp } from './model-app.ts';
import { World } from './world.ts';

let test: TestApp;
let shipment: OrderedShipment;

beforeAll(async () => {
  test = await startModelApp();
  shipment = await orderShipment(test);
  await bookShipment(recordingDeps(test).deps, { shipmentId: shipment.shipmentId, ...jobContext() });
  await set('shipments', `tracking_status = 'out_for_delivery', attempt = 5`);
});
afterAll(() => test.stop());

async function set(table: string, columns: string): Promise<void> {
  await database(test).execute(`update ${table} set ${columns}`);
}

describe('the guard of the model', () => {
  it.each([
    ['a step that the machine of shipments does not have', 'shipments', `process_status = 'queued'`],
    ['a step that the machine of orders does not have', 'orders', `status = 'error'`],
    ['a tracking status of a lower rank', 'shipments', `tracking_status = 'picked_up'`],
    ['a tracking status that is taken away', 'shipments', 'tracking_status = null'],
    ['a fencing number that goes back', 'shipments', 'attempt = 4'],
    ['a success that is taken back', 'operation_items', `status = 'failed'`],
  ])('refuses %s, and counts it although it is rolled back', async (_what, table, columns) => {
    const before = await countForbidden(test);

    await expect(set(table, columns)).rejects.toThrow('forbidden');

    expect(await countForbidden(test)).toBe(before + 1);
  });

  it('lets a parcel go back from the courier to the depot', async () => {
    await set('shipments', `tracking_status = 'in_transit'`);

    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({ trackingStatus: 'in_transit' });
  });

  it('refuses to lose an attempt', async () => {
    await expect(database(test).execute('delete from shipment_attempts')).rejects.toThrow('forbidden');
  });
});

describe('the invariants of the model', () => {
  it('notice a label that the carrier does not have, and an order that says otherwise', async () => {
    const world = await World.open(test, []);
    world.orderIds.push(shipment.orderId);
    await set('shipments', `reference = 'NOBODY'`);

    await expect(checkInvariants(world)).rejects.toThrow(/has 0 labels for 1 parcels/);
    await expect(checkInvariants(world)).rejects.toThrow(/is shipment_created, not shipped/);
  });
});
