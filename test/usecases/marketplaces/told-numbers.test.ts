import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Connection, OperationItem, Shipment } from '../../../src/db/entities/index.ts';
import { IntegrationError } from '../../../src/lib/errors.ts';
import { defineMarketplace, type Marketplace, type ShipmentConfirmation } from '../../../src/marketplaces/adapter.ts';
import { sendToMarketplace } from '../../../src/usecases/marketplaces/send-to-marketplace.ts';
import { bookShipment } from '../../../src/usecases/shipments/book-shipment.ts';
import { cancelShipment } from '../../../src/usecases/shipments/cancel-shipment.ts';
import { transmitShipments } from '../../../src/usecases/shipments/transmit-shipments.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { createOrder, type Deps, database, jobContext, lastItem, recordingDeps } from '../engine.ts';

let test: TestApp;
let deps: Deps;
/** What the marketplace was asked for, and what it answers from now on; null: it takes everything. */
let told: ShipmentConfirmation[] = [];
let failure: IntegrationError | null = null;

beforeAll(async () => {
  // No worker: each test is the worker.
  test = await startTestApp({ roles: ['api'] });
  const recording = recordingDeps(test).deps;
  const shop = defineMarketplace({
    ...(recording.marketplaces.get('woocommerce') as Marketplace),
    async detect() {
      return {};
    },
    async confirmShipment(_context, { confirmation }) {
      told.push(confirmation);
      if (failure) throw failure;
      const { trackingNumber, trackingUrl } = confirmation;
      return {
        alreadySent: false,
        transactionId: '1',
        trackingCarrier: 'GLS',
        trackingNumber,
        trackingUrl,
        status: '',
      };
    },
  });
  deps = { ...recording, marketplaces: new Map([['woocommerce', shop]]) };
  await database(test).nativeUpdate(Connection, { id: test.connectionId }, { confirmWhenTransmitted: true });
});
afterEach(() => {
  told = [];
  failure = null;
});
afterAll(() => test.stop());

interface Parcel {
  shipmentId: number;
  number: string;
}

let shopOrders = 9000;

async function importedOrder(): Promise<number> {
  const orderId = String(++shopOrders);
  return createOrder(test, {
    marketplace: { connection_id: test.connectionId, order_id: orderId, order_number: orderId },
  });
}

async function book(orderId: number): Promise<Parcel> {
  await test.call('POST', '/shipment/create', [{ orderId }], { prefer: 'respond-async' });
  const em = database(test);
  const { id } = await em.findOneOrFail(Shipment, { orderId }, { orderBy: { id: 'desc' } });
  await bookShipment(deps, { shipmentId: id, ...jobContext() });
  const { trackingNumber } = await em.findOneOrFail(Shipment, id, { refresh: true });
  return { shipmentId: id, number: trackingNumber ?? '' };
}

async function transmit({ shipmentId }: Parcel): Promise<void> {
  await transmitShipments(deps, { shipmentIds: [shipmentId], ...jobContext() });
}

async function cancel({ shipmentId }: Parcel, orderId: number): Promise<void> {
  await test.call('DELETE', `/shipment/${shipmentId}`, undefined, { prefer: 'respond-async' });
  await cancelShipment(deps, { itemId: (await lastItem(test, orderId)).id, ...jobContext() });
}

/** Runs the sends that nobody ran yet. */
async function runSends(orderId: number, isLastTry = false): Promise<number> {
  const items = await database(test).find(OperationItem, { orderId, kind: 'send', status: 'pending' });
  for (const { id } of items)
    await sendToMarketplace(deps, { itemId: id, ...jobContext({ isLastTry }) }).catch(() => {});
  return items.length;
}

async function desk({ shipmentId }: Parcel): Promise<{ reason: string; message: string }[]> {
  const { status, body } = await test.call('GET', `/attention/${shipmentId}`);
  return status === 404 ? [] : body.reasons;
}

describe('a parcel that was told, cancelled and booked again', () => {
  it('has its marketplace told the live number and which one it replaces, when it is transmitted', async () => {
    const orderId = await importedOrder();
    const first = await book(orderId);
    await transmit(first);
    await runSends(orderId);
    await cancel(first, orderId);
    const second = await book(orderId);
    const beforeTransmission = await runSends(orderId);
    await transmit(second);

    const sends = await runSends(orderId);

    expect([beforeTransmission, sends]).toEqual([0, 1]);
    expect(told).toMatchObject([
      { trackingNumber: first.number, replacedNumbers: [] },
      { trackingNumber: second.number, replacedNumbers: [first.number] },
    ]);
    expect(await desk(second)).toEqual([]);
  });

  it('names a number whose send was lost, since the marketplace may have it', async () => {
    const orderId = await importedOrder();
    const first = await book(orderId);
    await transmit(first);
    failure = new IntegrationError('lost', { kind: 'unknown-outcome', provider: 'shop', code: 'no-answer' });
    await runSends(orderId, true);
    failure = null;
    expect(await desk(first)).toMatchObject([{ reason: 'marketplace-not-told' }]);
    await cancel(first, orderId);
    const second = await book(orderId);
    await transmit(second);

    await runSends(orderId);

    expect(told.at(-1)).toMatchObject({ trackingNumber: second.number, replacedNumbers: [first.number] });
    expect([...(await desk(first)), ...(await desk(second))]).toEqual([]);
  });

  it('waits at the desk while the marketplace takes no correction', async () => {
    const orderId = await importedOrder();
    const first = await book(orderId);
    await transmit(first);
    await runSends(orderId);
    await cancel(first, orderId);
    const dead = await desk(first);
    const second = await book(orderId);
    await transmit(second);
    const during = await desk(second);
    failure = new IntegrationError('The shop keeps its number', {
      kind: 'permanent',
      provider: 'shop',
      code: 'told_another_number',
    });
    await runSends(orderId);

    const [note] = await desk(second);

    expect(dead).toMatchObject([{ reason: 'marketplace-told-another-number' }]);
    expect(during).toEqual([]);
    expect(await desk(first)).toEqual([]);
    expect(note).toMatchObject({ reason: 'marketplace-told-another-number' });
    expect(note?.message).toContain(`has ${first.number}, which was cancelled`);
    expect(note?.message).toContain(second.number);
    expect(note?.message).toContain('The shop keeps its number');

    const { status } = await test.call('POST', `/attention/${second.shipmentId}/resolve`, { choice: 'adopt' });

    expect(status).toBe(200);
    expect(await desk(second)).toEqual([]);
  });

  it('is not told a number that was cancelled before its turn came', async () => {
    const orderId = await importedOrder();
    const first = await book(orderId);
    await transmit(first);
    await cancel(first, orderId);

    await runSends(orderId);

    expect(told).toEqual([]);
    const item = await database(test).findOneOrFail(OperationItem, { orderId, kind: 'send' });
    expect(item).toMatchObject({ status: 'failed', message: 'The shipment was cancelled in the meantime' });
  });
});
