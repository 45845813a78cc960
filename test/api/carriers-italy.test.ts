import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Contract } from '../../src/db/entities/index.ts';
import { watchHeld } from '../../src/usecases/tracking/watch-held.ts';
import { buildOrder, buildOrderTo } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database, jobContext } from '../usecases/engine.ts';

let test: TestApp;
const contracts = new Map<string, number>();

beforeAll(async () => {
  test = await startTestApp({ queues: ['carrier-poste-it', 'tracking-poste-it', 'carrier-inpost-it'] });
  for (const { id, carrier } of (await test.call('GET', '/carriers/contracts')).body) contracts.set(carrier.code, id);
});
afterEach(() => test.clearFaults());
afterAll(() => test.stop());

async function book(carrier: string, order: Record<string, unknown>) {
  const { body } = await test.call('POST', '/orders', { ...order, carrier_company_id: contracts.get(carrier) });
  const orderId: number = body.order.id;
  const created = await test.call('POST', '/shipment/create', [{ orderId }]);
  const detail = await test.call('GET', `/orders/${orderId}`);
  return { orderId, created: created.body, shipment: detail.body.shipments[0] };
}

async function printed(shipmentId: number): Promise<string> {
  const answer = await fetch(`${test.app.url}/api/v1/external/shipment/${shipmentId}/label`, {
    headers: { 'x-api-key': test.demo.apiKey },
  });
  return Buffer.from(await answer.arrayBuffer())
    .toString('latin1')
    .slice(0, 5);
}

describe('Poste Italiane', () => {
  it('sells a label for every parcel, which is fetched and kept', async () => {
    const parcels = [{ weight_kg: 1 }, { weight_kg: 2 }].map((parcel) => ({
      ...parcel,
      length_cm: 30,
      width_cm: 20,
      height_cm: 10,
    }));

    const { orderId, created, shipment } = await book('poste-it', buildOrder({ parcels }));
    const transmitted = await test.call('POST', '/shipment/transmit', [{ orderId }]);

    expect(created.details).toMatchObject({ success: [orderId], errors: [] });
    expect(await printed(shipment.id)).toBe('%PDF-');
    expect(transmitted.body.details.success).toEqual([orderId]);
    expect(await test.ledger('poste-it', shipment.reference)).toMatchObject({ labelsSold: 2 });
  });

  it('holds a parcel, says so in its list, and lets go of it', async () => {
    const parcels = [{ weight_kg: 1, length_cm: 30, width_cm: 20, height_cm: 10 }];
    const { shipment } = await book('poste-it', buildOrderTo('Via GIACENZA 5', { parcels }));
    await test.advance(80);
    const contract = await database(test).findOneOrFail(Contract, contracts.get('poste-it') ?? 0);

    const before = (await test.call('GET', `/shipment/${shipment.id}/tracking`)).body;
    await watchHeld(test.app.deps, { contractId: contract.id, ...jobContext() });
    await watchHeld(test.app.deps, { contractId: contract.id, ...jobContext() });
    const held = (await test.call('GET', `/shipment/${shipment.id}/tracking`)).body;
    const released = await test.call('POST', `/shipment/${shipment.id}/release-held`, {
      action: 'REDISPATCH_SAME_ADDRESS',
    });

    expect(JSON.stringify(before)).not.toContain('HELD_LIST');
    expect(JSON.stringify(held).split('HELD_LIST')).toHaveLength(2);
    expect(released.body).toMatchObject({ success: true, summary: { requested: 1, succeeded: 1, failed: 0 } });
    expect(await test.ledger('poste-it', shipment.reference)).toMatchObject({ released: 1 });
  });

  it('cannot be asked what became of a lost answer, so a person is', async () => {
    const parcels = [{ weight_kg: 1, length_cm: 30, width_cm: 20, height_cm: 10 }];
    await test.fault('poste-it', 'waybill', 'accept-then-500');

    const { created, shipment } = await book('poste-it', buildOrder({ parcels }));
    const desk = await test.call('GET', `/attention/${shipment.id}`);

    expect(created.details.errors).toHaveLength(1);
    expect(desk.body).toMatchObject({
      reasons: [{ reason: 'outcome-unknown', message: expect.stringContaining('cannot be searched') }],
    });
    expect(await test.ledger('poste-it', shipment.reference)).toMatchObject({ labelsSold: 1 });
  });

  it('that gave no label with its number has it asked for at the desk', async () => {
    const parcels = [{ weight_kg: 1, length_cm: 30, width_cm: 20, height_cm: 10 }];
    await test.fault('poste-it', 'label', 'status-500', 2);

    const { created, shipment } = await book('poste-it', buildOrder({ parcels }));
    const desk = await test.call('GET', `/attention/${shipment.id}`);

    expect(created.details.errors).toEqual([]);
    expect(desk.body.reasons).toMatchObject([{ reason: 'label-missing' }]);
  });

  it('that gave one label of two is at the desk until the other one is brought', async () => {
    const parcel = { weight_kg: 1, length_cm: 30, width_cm: 20, height_cm: 10 };
    // The first try of each parcel, and the second of one of them.
    await test.fault('poste-it', 'label', 'status-500', 3);

    const { created, shipment } = await book('poste-it', buildOrder({ parcels: [parcel, parcel] }));
    const desk = await test.call('GET', `/attention/${shipment.id}`);
    const label = Buffer.from('%PDF-1.4\n%%EOF').toString('base64');
    const brought = await test.call('POST', `/attention/${shipment.id}/resolve`, { choice: 'adopt', label });

    expect(created.details.errors).toEqual([]);
    expect(desk.body.reasons).toMatchObject([{ reason: 'label-missing' }]);
    expect(brought.status).toBe(200);
    expect((await test.call('GET', `/attention/${shipment.id}`)).status).toBe(404);
  });
});

describe('InPost', () => {
  async function nearestLocker(): Promise<string> {
    const query = `carrierCompanyId=${contracts.get('inpost-it')}&zip=20121&city=Milano`;
    return (await test.call('GET', `/carriers/pickup-points?${query}`)).body[0].id;
  }

  it('gives the number later, and the client has it in the same answer', async () => {
    const { orderId, created, shipment } = await book(
      'inpost-it',
      buildOrder({ pickup_point_id: await nearestLocker() }),
    );

    expect(created.details).toMatchObject({ success: [orderId], errors: [] });
    expect(shipment.trackingNumber).not.toBe('');
    expect(await printed(shipment.id)).toBe('%PDF-');
    expect(await test.ledger('inpost-it', shipment.reference)).toMatchObject({ labelsSold: 1 });
  });

  it('sells one label when its answer was lost', async () => {
    const pickup_point_id = await nearestLocker();
    await test.fault('inpost-it', 'createShipment', 'accept-then-500');

    const { created, shipment } = await book('inpost-it', buildOrder({ pickup_point_id }));

    expect(created.details.errors).toEqual([]);
    expect(await test.ledger('inpost-it', shipment.reference)).toMatchObject({ labelsSold: 1 });
  });

  it('delivers to lockers only, and says so before anything is sent', async () => {
    const { created, shipment } = await book('inpost-it', buildOrder());

    expect(created.details.errors[0].message).toContain('choose a pick-up point');
    expect(shipment).toBeUndefined();
  });
});
