import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Shipment } from '../../src/db/entities/index.ts';
import { systemEm } from '../../src/db/orm.ts';
import { lockShipment, moveShipments } from '../../src/db/queries/move-shipments.ts';
import { type Attempt, attempted } from '../../src/engine/attempted.ts';
import { createManifest } from '../../src/usecases/manifests/create-manifest.ts';
import { deleteManifest } from '../../src/usecases/manifests/delete-manifest.ts';
import { markTransmitted } from '../../src/usecases/shipments/request-transmit.ts';
import { refusalOf } from '../../src/usecases/shipments/transmit-shipments.ts';
import { followParcel } from '../../src/usecases/tracking/follow-parcel.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import {
  createOrder,
  database,
  jobContext,
  orderShipment,
  readOrderRow,
  readShipment,
  recordingDeps,
} from '../usecases/engine.ts';

let test: TestApp;
let other: pg.Client;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
  other = new pg.Client({ connectionString: test.app.config.databaseUrl });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await test.stop();
});

/** Two shipments on a bordero; the second was transmitted before. */
async function bordero() {
  const [first, second] = [await orderShipment(test), await orderShipment(test)];
  const em = database(test);
  const both = { id: { $in: [first.shipmentId, second.shipmentId] } };
  await em.nativeUpdate(Shipment, both, {
    processStatus: 'transmitted',
    trackingNumber: 'M1',
    transmittedAt: new Date(),
  });
  await em.execute(`update orders set status = 'transmitted' where id in (?, ?)`, [first.orderId, second.orderId]);
  const { companyId } = await readOrderRow(test, first.orderId);
  const { deps } = recordingDeps(test);
  const orderIds = [first.orderId, second.orderId];
  const manifest = await createManifest(deps, { companyId, carrierId: test.carrierId, orderIds });
  await em.nativeUpdate(Shipment, { id: first.shipmentId }, { processStatus: 'created', transmittedAt: null });
  return { companyId, manifestId: manifest.id, first, second, deps };
}

/** Runs what has to wait for a lock of somebody who then wants the next one. */
async function crossing(run: () => Promise<unknown>, locks: readonly [has: string, wants: string]): Promise<void> {
  await takeLock(locks[0]);
  await meet(run(), locks[1]);
}

async function takeLock(rows: string): Promise<void> {
  await other.query('begin');
  await other.query(`select 1 from ${rows} for no key update`);
}

/** Takes the next lock as soon as `running` waits for the first one. */
async function meet(running: Promise<unknown>, wants: string): Promise<void> {
  running.catch(() => undefined); // looked at below
  await untilWaiting();
  await other.query(`select 1 from ${wants} for no key update`);
  await other.query('commit');
  await running;
}

async function untilWaiting(): Promise<void> {
  await test.until(
    async () => database(test).execute('select 1 from pg_locks where not granted'),
    (waiting) => waiting.length > 0,
  );
}

describe('who writes several rows waits for others and does not collide with them', () => {
  it('taking orders off a bordero', async () => {
    const { companyId, manifestId, first, second, deps } = await bordero();

    await crossing(
      () => deleteManifest(deps, { companyId, manifestId, confirm: true }),
      [`orders where id = ${first.orderId}`, `orders where id = ${second.orderId}`],
    );

    expect((await readOrderRow(test, first.orderId)).status).toBe('shipment_created');
    expect((await readOrderRow(test, second.orderId)).status).toBe('transmitted');
  });

  it('transmitting, also where an order is further already', async () => {
    const { first, second, deps } = await bordero();
    const em = database(test);
    await em.nativeUpdate(Shipment, { id: second.shipmentId }, { processStatus: 'created' });
    await em.execute(`update orders set status = 'shipment_created' where id = ?`, [second.orderId]);
    await em.execute(`update orders set status = 'shipped' where id = ?`, [first.orderId]);
    const claims = await Promise.all(
      [first, second].map(async ({ shipmentId }) => {
        const shipment = await readShipment(test, shipmentId);
        return { shipment, fence: shipment.fence };
      }),
    );

    await crossing(
      () => systemEm(deps.orm).transactional((tx) => markTransmitted(deps, tx, { claims, requestId: 'test' })),
      [`orders where id = ${first.orderId}`, `orders where id = ${second.orderId}`],
    );

    expect((await readOrderRow(test, first.orderId)).status).toBe('shipped');
    expect((await readOrderRow(test, second.orderId)).status).toBe('transmitted');
  });

  it('following a parcel that leaves on a bordero', async () => {
    const { manifestId, second, deps } = await bordero();
    await database(test).nativeUpdate(Shipment, { id: second.shipmentId }, { trackingStatus: 'in_transit' });

    await crossing(
      () => systemEm(deps.orm).transactional((tx) => followParcel(tx, second.shipmentId)),
      [`manifests where id = ${manifestId}`, `orders where id = ${second.orderId}`],
    );

    expect((await readOrderRow(test, second.orderId)).status).toBe('shipped');
  });

  it.each([
    { ends: 'succeeded', status: 'cancelled' },
    { ends: 'failed', status: 'created' },
    { ends: 'refused in the answer', status: 'created' },
  ] as const)('settling a write that $ends, while another run claims its shipment', async ({ ends, status }) => {
    const { first, deps } = await bordero();
    const { shipmentId } = first;
    const refusal = refusalOf({ reference: '', outcome: 'failed', message: 'no' });
    const called = Promise.withResolvers<void>();
    const running = attempted<Attempt, void>(deps, jobContext({ isLastTry: true }), {
      operation: 'cancel',
      async claim(tx, begin) {
        const shipment = await lockShipment(tx, shipmentId);
        const [moved] = await moveShipments(tx, { ids: [shipmentId], to: 'cancelling', claim: true });
        return shipment && moved ? begin(shipment, moved.fence) : null;
      },
      async call() {
        await takeLock(`shipments where id = ${shipmentId}`);
        called.resolve();
        if (ends === 'failed') throw refusal;
      },
      endOf: () => (ends === 'refused in the answer' ? refusal : { outcome: 'succeeded' }),
      async settle(tx) {
        if (ends === 'succeeded') await moveShipments(tx, { ids: [shipmentId], to: 'cancelled' });
      },
      async fail(tx) {
        await moveShipments(tx, { ids: [shipmentId], to: 'created' });
      },
    });
    await called.promise;
    const met = meet(running, `shipment_attempts where shipment_id = ${shipmentId}`);
    await (ends === 'failed' ? expect(met).rejects.toThrow('refused') : met);

    expect((await readShipment(test, shipmentId)).processStatus).toBe(status);
  });

  it('booking an order that another request booked first, while a correction waits for the order', async () => {
    const [asked, booked] = [await orderShipment(test), await createOrder(test)];
    const { companyId } = await readOrderRow(test, booked);
    const slow = new pg.Client({ connectionString: test.app.config.databaseUrl });
    await slow.connect();
    await slow.query('begin');
    await slow.query(`select 1 from shipments where id = ${asked.shipmentId} for no key update`);
    const orders = [{ orderId: asked.orderId }, { orderId: booked }];
    const running = test.call('POST', '/shipment/create', orders, { prefer: 'respond-async' });
    await untilWaiting();
    await database(test).execute(
      `insert into shipments (company_id, order_id, contract_id, carrier_id, reference, parcel_count, weight_grams, options, warnings)
       values (?, ?, ?, ?, 'FASTER', 1, 1000, '[]', '[]')`,
      [companyId, booked, test.contractId, test.carrierId],
    );
    await takeLock(`shipments where order_id = ${booked}`);
    await slow.query('commit');
    await slow.end();
    await untilWaiting();
    await other.query(`select 1 from orders where id = ${booked} for update`);
    await other.query('commit');

    const { status } = await running;

    expect(status).toBe(202);
    expect(await database(test).count(Shipment, { orderId: booked })).toBe(1);
  });
});
