import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OperationItem } from '../../src/db/entities/index.ts';
import { sweep } from '../../src/usecases/upkeep/sweep.ts';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';
import { addCompany } from './second-company.ts';
import { bookOrder } from './ship-orders.ts';

let test: TestApp;
let contractId: number;

beforeAll(async () => {
  test = await startTestApp({ queues: ['carrier-dhl-express'] });
  const contracts: { id: number; carrier: { code: string } }[] = (await test.call('GET', '/carriers/contracts')).body;
  contractId = contracts.find(({ carrier }) => carrier.code === 'dhl-express')?.id ?? 0;
});
afterEach(() => test.clearFaults());
afterAll(() => test.stop());

/** A shipment that waits for the courier; its id. */
async function ship(): Promise<number> {
  const parcels = [{ weight_kg: 1.2, length_cm: 30, width_cm: 20, height_cm: 10 }];
  const { body } = await test.call('POST', '/orders', buildOrder({ carrier_company_id: contractId, parcels }));
  await test.call('POST', '/shipment/create', [{ orderId: body.order.id }]);
  return (await test.call('GET', `/orders/${body.order.id}`)).body.shipments[0].id;
}

const wish = (overrides: object = {}) => ({
  carrierCompanyId: contractId,
  date: '2026-12-01',
  from: '14:00',
  to: '18:00',
  note: 'Citofonare magazzino',
  ...overrides,
});

describe('a courier', () => {
  it('is booked for everything that waits, and cancelled', async () => {
    const shipmentIds = [await ship(), await ship()];

    const booked = await test.call('POST', '/pickups', wish());
    const cancelled = await test.call('DELETE', `/pickups/${booked.body.id}`);
    const again = await test.call('DELETE', `/pickups/${booked.body.id}`);
    const read = await test.call('GET', `/pickups/${booked.body.id}`);
    const [listed] = (await test.call('GET', '/pickups?limit=1')).body;

    expect(booked).toMatchObject({ status: 200, body: { status: 'booked', carrierCompanyId: contractId } });
    expect(booked.body.confirmation).not.toBe('');
    expect(booked.body.shipmentIds).toEqual(expect.arrayContaining(shipmentIds));
    expect([cancelled.body.status, again.body.status, read.body.status]).toEqual([
      'cancelled',
      'cancelled',
      'cancelled',
    ]);
    expect(listed).toEqual(read.body);
  });

  it('comes for the shipments of the warehouse that it is sent to', async () => {
    const place = { address: 'Via Po 1', city: 'Torino', province: 'TO', zip: '10124', phone: '0110000001' };
    const { headers } = await addCompany(test, 'due-magazzini', {
      warehouses: [
        { ...place, key: 'uno', name: 'Uno', default: true },
        { ...place, key: 'due', name: 'Due' },
      ],
    });
    const [first, second] = (await test.call('GET', '/warehouses', undefined, headers)).body;
    const contracts = (await test.call('GET', '/carriers/contracts', undefined, headers)).body;
    const own = contracts.find(({ carrier }: { carrier: { code: string } }) => carrier.code === 'dhl-express').id;
    const parcels = [{ weight_kg: 1.2, length_cm: 30, width_cm: 20, height_cm: 10 }];
    const order = { carrier_company_id: own, parcels };
    const fromDefault = await bookOrder(test, order, headers);
    const fromFirst = await bookOrder(test, { ...order, warehouse_id: 'uno' }, headers);
    const fromSecond = await bookOrder(test, { ...order, warehouse_id: 'due' }, headers);
    const ask = async (warehouseId: number) =>
      (await test.call('POST', '/pickups', wish({ carrierCompanyId: own, warehouseId }), headers)).body;

    expect((await ask(second.id)).shipmentIds).toEqual([fromSecond.shipmentId]);
    expect((await ask(first.id)).shipmentIds).toEqual([fromDefault.shipmentId, fromFirst.shipmentId]);
  });

  it('is asked once when the request is repeated with its key', async () => {
    const shipmentIds = [await ship()];
    const headers = { 'idempotency-key': 'courier-1' };

    const first = await test.call('POST', '/pickups', wish({ shipmentIds }), headers);
    const second = await test.call('POST', '/pickups', wish({ shipmentIds }), headers);

    expect(second.body).toEqual(first.body);
  });

  it.each([
    ['a carrier that takes no such request', () => ({ carrierCompanyId: test.contractId }), '/carrierCompanyId'],
    ['a contract that is not there', () => ({ carrierCompanyId: 999_999 }), '/carrierCompanyId'],
    ['a warehouse that is not there', () => ({ warehouseId: 999_999 }), '/warehouseId'],
    ['a shipment that is not there', () => ({ shipmentIds: [999_999] }), '/shipmentIds'],
  ])('is not asked of %s', async (_what, overrides, pointer) => {
    await ship();

    const answer = await test.call('POST', '/pickups', wish(overrides()));

    expect(answer).toMatchObject({ status: 422, body: { violations: [{ pointer }] } });
  });

  it('cannot come before it set out', async () => {
    const answer = await test.call('POST', '/pickups', wish({ from: '18:00', to: '14:00' }));

    expect(answer).toMatchObject({ status: 400, body: { violations: [{ pointer: '/to' }] } });
  });

  it('is not asked twice when the answer was lost: the client is told, and says when it is dealt with', async () => {
    await ship();
    await test.fault('dhl-express', 'bookPickup', 'accept-then-500');

    const lost = await test.call('POST', '/pickups', wish());
    const [pickup] = (await test.call('GET', '/pickups?limit=1')).body;
    const dealt = await test.call('DELETE', `/pickups/${pickup.id}`);

    expect(lost).toMatchObject({ status: 504, body: { code: 'outcome-unknown', source: 'carrier' } });
    expect(pickup.status).toBe('unknown');
    expect(dealt.body.status).toBe('cancelled');
  });

  it('is tried again while the carrier is away for sure', async () => {
    await ship();
    await test.fault('dhl-express', 'bookPickup', 'status-503');

    const booked = await test.call('POST', '/pickups', wish());

    expect(booked).toMatchObject({ status: 200, body: { status: 'booked' } });
  });

  it("whose cancellation was lost is not called refused after a proxy's error page", async () => {
    await ship();
    const { body } = await test.call('POST', '/pickups', wish());
    await test.fault('dhl-express', 'cancelPickup', 'accept-then-500');
    await test.fault('dhl-express', 'cancelPickup', 'proxy-403', 2);

    const lost = await test.call('DELETE', `/pickups/${body.id}`);
    const during = await test.call('GET', `/pickups/${body.id}`);
    await test.fault('dhl-express', 'cancelPickup', 'proxy-403', 3);
    const again = await test.call('DELETE', `/pickups/${body.id}`);
    const settled = await test.call('DELETE', `/pickups/${body.id}`);

    expect(lost).toMatchObject({ status: 504, body: { code: 'outcome-unknown', source: 'carrier' } });
    expect(during.body.message).toContain('Unknown whether the pickup was cancelled');
    expect(again.status).toBe(504);
    expect(settled.body.status).toBe('cancelled');
  });

  it('that is refused stays on the list with the reason', async () => {
    await ship();

    const answer = await test.call('POST', '/pickups', wish({ note: 'x'.repeat(200) }));
    const [pickup] = (await test.call('GET', '/pickups?limit=1')).body;

    expect(answer).toMatchObject({ status: 424, body: { code: 'carrier-refused' } });
    expect(pickup).toMatchObject({ status: 'failed', message: answer.body.detail });
  });

  it('that was being booked when the worker died has an unknown outcome', async () => {
    await ship();
    const { body } = await test.call('POST', '/pickups', wish());
    const em = database(test);
    await em.nativeUpdate(
      OperationItem,
      { pickupId: body.id },
      { status: 'running', settledAt: null, updatedAt: new Date(Date.now() - 3_600_000) },
    );

    await sweep(test.app.deps);
    const read = await test.call('GET', `/pickups/${body.id}`);

    expect(read.body).toMatchObject({ status: 'unknown', message: expect.stringContaining('ask the carrier') });
  });

  it('is hidden from other companies', async () => {
    await ship();
    const { body } = await test.call('POST', '/pickups', wish());
    const other = await addCompany(test, 'altra');

    const seen = await test.call('GET', `/pickups/${body.id}`, undefined, other.headers);
    const cancelled = await test.call('DELETE', `/pickups/${body.id}`, undefined, other.headers);
    const listed = await test.call('GET', '/pickups', undefined, other.headers);

    expect([seen.status, cancelled.status]).toEqual([404, 404]);
    expect(listed.body).toEqual([]);
  });
});
