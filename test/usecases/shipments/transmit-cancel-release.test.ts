import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Carrier, defineCarrier, type TrackingReport } from '../../../src/carriers/adapter.ts';
import { Exchange, OperationItem } from '../../../src/db/entities/index.ts';
import { IntegrationError } from '../../../src/lib/errors.ts';
import { releaseHeld } from '../../../src/usecases/held/release-held.ts';
import { bookShipment } from '../../../src/usecases/shipments/book-shipment.ts';
import { cancelShipment } from '../../../src/usecases/shipments/cancel-shipment.ts';
import { transmitShipments } from '../../../src/usecases/shipments/transmit-shipments.ts';
import { applyReport } from '../../../src/usecases/tracking/take-report.ts';
import { trackShipments } from '../../../src/usecases/tracking/track-shipments.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import {
  attemptsOf,
  countCalls,
  type Deps,
  database,
  jobContext,
  lastItem,
  type OrderedShipment,
  orderShipment,
  readOrderRow,
  readShipment,
  recordingDeps,
} from '../engine.ts';

let test: TestApp;
let deps: Deps;

beforeAll(async () => {
  // No worker: each test is the worker.
  test = await startTestApp({ roles: ['api'] });
  ({ deps } = recordingDeps(test));
});
afterEach(() => test.clearFaults());
afterAll(() => test.stop());

const now = { prefer: 'respond-async' };

/** The carrier's first scan. */
function scan(): TrackingReport {
  const event = { code: '3', text: 'PARTITA', at: new Date(), location: '', note: '', status: 'in_transit' } as const;
  return { events: [event], related: [], found: true };
}

async function bookedShipment(address?: string): Promise<OrderedShipment> {
  const shipment = await orderShipment(test, address ? { address } : {});
  await bookShipment(deps, { shipmentId: shipment.shipmentId, ...jobContext() });
  return shipment;
}

describe('confirming shipments to their carrier', () => {
  async function askedToTransmit(...shipments: OrderedShipment[]): Promise<number[]> {
    await test.call(
      'POST',
      '/shipment/transmit',
      shipments.map(({ orderId }) => ({ orderId })),
      now,
    );
    return shipments.map(({ shipmentId }) => shipmentId);
  }

  it('confirms many with one call', async () => {
    const shipments = await Promise.all([bookedShipment(), bookedShipment('Via Roma, 1'), bookedShipment('Via Po, 2')]);
    const shipmentIds = await askedToTransmit(...shipments);
    const before = await database(test).count(Exchange, {});

    await transmitShipments(deps, { shipmentIds, ...jobContext() });

    expect((await database(test).count(Exchange, {})) - before).toBe(1);
    for (const { shipmentId, orderId, reference } of shipments) {
      expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'transmitted' });
      expect((await readOrderRow(test, orderId)).sentToCarrierAt).toBeInstanceOf(Date);
      expect(await lastItem(test, orderId)).toMatchObject({ status: 'succeeded' });
      expect(await test.ledger('gls-it', reference)).toMatchObject({ labelsSold: 1, confirmed: 1 });
      expect(await attemptsOf(test, shipmentId)).toEqual(['create succeeded', 'transmit succeeded']);
    }
  });

  it('is done by one of two workers', async () => {
    const shipment = await bookedShipment();
    const shipmentIds = await askedToTransmit(shipment);

    await Promise.all([1, 2].map(() => transmitShipments(deps, { shipmentIds, ...jobContext() })));

    expect(await countCalls(test, shipment.shipmentId, 'CloseWorkDayByShipmentNumber')).toBe(1);
    expect(await test.ledger('gls-it', shipment.reference)).toMatchObject({ confirmed: 1 });
  });

  it('is settled by the run that holds the shipment, and not by one that stood still', async () => {
    const shipment = await bookedShipment();
    const shipmentIds = await askedToTransmit(shipment);
    const real = deps.carriers.get('gls-it') as Carrier;
    const slow = defineCarrier({
      ...real,
      async transmitShipments(context, handles) {
        const results = (await real.transmitShipments?.(context, handles)) ?? [];
        await database(test).execute(
          `update shipments set process_status = 'cancelling', attempt = attempt + 1 where id = ?`,
          [shipment.shipmentId],
        );
        return results;
      },
    });

    await transmitShipments({ ...deps, carriers: new Map([['gls-it', slow]]) }, { shipmentIds, ...jobContext() });

    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({
      processStatus: 'cancelling',
      transmittedAt: null,
    });
    expect(await lastItem(test, shipment.orderId)).toMatchObject({ status: 'pending' });
  });

  it('waits for a person when all retries are exhausted', async () => {
    const shipment = await bookedShipment();
    const shipmentIds = await askedToTransmit(shipment);
    await test.fault('gls-it', 'CloseWorkDayByShipmentNumber', 'status-503');

    await expect(transmitShipments(deps, { shipmentIds, ...jobContext({ isLastTry: true }) })).rejects.toThrow();

    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({
      processStatus: 'created',
      exhaustedAt: expect.any(Date),
    });
  });

  it('is repeated after a lost answer, and confirms once', async () => {
    const shipment = await bookedShipment();
    const shipmentIds = await askedToTransmit(shipment);
    await test.fault('gls-it', 'CloseWorkDayByShipmentNumber', 'accept-then-500');

    await expect(transmitShipments(deps, { shipmentIds, ...jobContext() })).rejects.toMatchObject({
      name: 'RetryLater',
    });
    const between = await readShipment(test, shipment.shipmentId);
    await transmitShipments(deps, { shipmentIds, ...jobContext() });

    expect(between).toMatchObject({ processStatus: 'created', failure: { retryable: true } });
    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({
      processStatus: 'transmitted',
      failure: null,
    });
    expect(await attemptsOf(test, shipment.shipmentId)).toEqual([
      'create succeeded',
      'transmit unknown',
      'transmit succeeded',
    ]);
    expect(await test.ledger('gls-it', shipment.reference)).toMatchObject({ labelsSold: 1, confirmed: 1 });
  });

  it('tells the client when all retries are exhausted, and can be asked for again', async () => {
    const shipment = await bookedShipment();
    const shipmentIds = await askedToTransmit(shipment);
    await test.fault('gls-it', 'CloseWorkDayByShipmentNumber', 'status-503');

    await expect(transmitShipments(deps, { shipmentIds, ...jobContext({ isLastTry: true }) })).rejects.toThrow();
    const failed = await lastItem(test, shipment.orderId);
    await askedToTransmit(shipment);
    await transmitShipments(deps, { shipmentIds, ...jobContext() });

    expect(failed).toMatchObject({ status: 'failed', message: expect.stringContaining('503') });
    expect(await lastItem(test, shipment.orderId)).toMatchObject({ status: 'succeeded' });
  });

  it('says per order what the carrier refused, and keeps the others', async () => {
    const [good, gone] = [await bookedShipment(), await bookedShipment('Via Roma, 2')];
    const shipmentIds = await askedToTransmit(good, gone);
    await database(test).execute(`update shipments set carrier_reference = '999999998' where id = ?`, [
      gone.shipmentId,
    ]);

    await transmitShipments(deps, { shipmentIds, ...jobContext() });

    expect(await lastItem(test, good.orderId)).toMatchObject({ status: 'succeeded' });
    expect(await lastItem(test, gone.orderId)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('Spedizione inesistente'),
    });
    expect(await readShipment(test, gone.shipmentId)).toMatchObject({ processStatus: 'created' });
  });
});

describe('taking a shipment back from its carrier', () => {
  async function askedToCancel(shipment: OrderedShipment): Promise<number> {
    await test.call('DELETE', `/shipment/${shipment.shipmentId}`, undefined, now);
    return (await lastItem(test, shipment.orderId)).id;
  }

  it('needs no carrier while the shipment is queued', async () => {
    const shipment = await orderShipment(test);

    const answer = await test.call('DELETE', `/shipment/${shipment.shipmentId}`);
    await bookShipment(deps, { shipmentId: shipment.shipmentId, ...jobContext() });

    expect(answer).toMatchObject({ status: 200, body: true });
    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({ processStatus: 'cancelled' });
    expect(await lastItem(test, shipment.orderId)).toMatchObject({
      status: 'failed',
      message: 'The shipment was cancelled',
    });
    expect(await test.ledger('gls-it', shipment.reference)).toBeUndefined();
  });

  it('is repeated after a lost answer, and cancels once', async () => {
    const shipment = await bookedShipment();
    const itemId = await askedToCancel(shipment);
    await test.fault('gls-it', 'DeleteSped', 'accept-then-500');

    await expect(cancelShipment(deps, { itemId, ...jobContext() })).rejects.toMatchObject({ name: 'RetryLater' });
    const between = await readShipment(test, shipment.shipmentId);
    await cancelShipment(deps, { itemId, ...jobContext() });

    expect(between.processStatus).toBe('cancelling'); // neither valid nor cancelled
    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({
      processStatus: 'cancelled',
      nextPollAt: null,
    });
    expect(await readOrderRow(test, shipment.orderId)).toMatchObject({ status: 'pending' });
    expect(await attemptsOf(test, shipment.shipmentId)).toEqual([
      'create succeeded',
      'cancel unknown',
      'cancel succeeded',
    ]);
    expect(await test.ledger('gls-it', shipment.reference)).toMatchObject({ labelsSold: 0, cancelled: 1 });
  });

  it('leaves the shipment as it was when the carrier cannot be reached', async () => {
    const shipment = await bookedShipment();
    const itemId = await askedToCancel(shipment);
    await test.fault('gls-it', 'DeleteSped', 'status-503');

    await expect(cancelShipment(deps, { itemId, ...jobContext({ isLastTry: true }) })).rejects.toThrow();

    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({ processStatus: 'created' });
    expect(await lastItem(test, shipment.orderId)).toMatchObject({ status: 'failed' });
    expect(await test.ledger('gls-it', shipment.reference)).toMatchObject({ labelsSold: 1, cancelled: 0 });
  });

  it('is neither valid nor cancelled while its outcome is unknown and all retries are exhausted', async () => {
    const shipment = await bookedShipment();
    const itemId = await askedToCancel(shipment);
    await test.fault('gls-it', 'DeleteSped', 'accept-then-500');
    await expect(cancelShipment(deps, { itemId, ...jobContext() })).rejects.toThrow();
    await test.fault('gls-it', 'DeleteSped', 'status-503');

    await expect(cancelShipment(deps, { itemId, ...jobContext({ isLastTry: true }) })).rejects.toThrow();

    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({
      processStatus: 'cancelling',
      exhaustedAt: expect.any(Date),
      failure: { code: 'cancel-unknown' },
    });
    expect(await lastItem(test, shipment.orderId)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('Unknown whether the shipment was cancelled'),
    });
  });

  it('answers a waiting confirmation when the cancellation stays unknown', async () => {
    const shipment = await bookedShipment();
    await test.call('POST', '/shipment/transmit', [{ orderId: shipment.orderId }], now);
    const confirmation = await lastItem(test, shipment.orderId);
    const itemId = await askedToCancel(shipment);
    await test.fault('gls-it', 'DeleteSped', 'accept-then-500');

    await expect(cancelShipment(deps, { itemId, ...jobContext({ isLastTry: true }) })).rejects.toThrow();

    const settled = await database(test).findOneOrFail(OperationItem, confirmation.id, { refresh: true });
    expect(confirmation.status).toBe('pending');
    expect(settled).toMatchObject({
      kind: 'transmit',
      status: 'failed',
      message: expect.stringContaining('Unknown whether the shipment was cancelled'),
    });
  });

  it('is known although the run that asked stood still and another took it for refused', async () => {
    const shipment = await bookedShipment();
    const itemId = await askedToCancel(shipment);
    const real = deps.carriers.get('gls-it') as Carrier;
    const slow = defineCarrier({
      ...real,
      async cancelShipment(context, handle) {
        await real.cancelShipment?.(context, handle);
        await database(test).execute(
          `update shipments set process_status = 'created', attempt = attempt + 1 where id = ?`,
          [shipment.shipmentId],
        );
      },
    });

    await cancelShipment({ ...deps, carriers: new Map([['gls-it', slow]]) }, { itemId, ...jobContext() });

    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({ processStatus: 'cancelled' });
    expect(await readOrderRow(test, shipment.orderId)).toMatchObject({ status: 'pending' });
  });

  it('is refused when the parcel was scanned before the carrier was asked', async () => {
    const shipment = await bookedShipment();
    const itemId = await askedToCancel(shipment);
    await applyReport(deps, await readShipment(test, shipment.shipmentId), scan());

    await cancelShipment(deps, { itemId, ...jobContext() });

    expect(await countCalls(test, shipment.shipmentId, 'DeleteSped')).toBe(0);
    expect(await lastItem(test, shipment.orderId)).toMatchObject({
      status: 'failed',
      message: 'The shipment is already in transit',
    });
  });

  it('leaves the order free even if the carrier scans the cancelled parcel', async () => {
    const shipment = await bookedShipment();
    const before = await readShipment(test, shipment.shipmentId);
    await cancelShipment(deps, { itemId: await askedToCancel(shipment), ...jobContext() });

    await applyReport(deps, before, scan());

    expect(await readOrderRow(test, shipment.orderId)).toMatchObject({ status: 'pending' });
    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({
      processStatus: 'cancelled',
      trackingStatus: 'in_transit',
      nextPollAt: null,
    });
  });

  it('lets the order follow a parcel that was scanned while the carrier refused', async () => {
    const shipment = await bookedShipment();
    const itemId = await askedToCancel(shipment);
    await test.fault('gls-it', 'DeleteSped', 'accept-then-500');
    await cancelShipment(deps, { itemId, ...jobContext() }).catch(() => undefined);
    await applyReport(deps, await readShipment(test, shipment.shipmentId), scan());
    const during = await readOrderRow(test, shipment.orderId);
    const real = deps.carriers.get('gls-it') as Carrier;
    const refusing = defineCarrier({
      ...real,
      async cancelShipment() {
        throw new IntegrationError('GLS says no', {
          kind: 'permanent',
          provider: 'GLS',
          code: 'refused',
          isAuthoritative: true,
        });
      },
    });

    const cancelling = cancelShipment(
      { ...deps, carriers: new Map([['gls-it', refusing]]) },
      { itemId, ...jobContext() },
    );

    await expect(cancelling).rejects.toThrow('GLS refused: refused');
    expect(during).toMatchObject({ status: 'shipment_created' });
    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({ processStatus: 'created' });
    expect(await readOrderRow(test, shipment.orderId)).toMatchObject({ status: 'shipped' });
  });

  it('tells who asks for a shipment meanwhile to wait for its end', async () => {
    const shipment = await bookedShipment();
    const itemId = await askedToCancel(shipment);
    await test.fault('gls-it', 'DeleteSped', 'accept-then-500');
    await cancelShipment(deps, { itemId, ...jobContext() }).catch(() => undefined);

    const answer = await test.call('POST', '/shipment/create', [{ orderId: shipment.orderId }]);

    expect(answer.status).toBe(200);
    expect(answer.body.details.errors[0].message).toContain('is being cancelled');
  });

  it('answers everybody who asked for it', async () => {
    const shipment = await bookedShipment();
    const items = [await askedToCancel(shipment), await askedToCancel(shipment)];

    await Promise.all(items.map((itemId) => cancelShipment(deps, { itemId, ...jobContext() })));

    const rows = await database(test).find(OperationItem, { id: { $in: items } });
    expect(rows.map((row) => row.status)).toEqual(['succeeded', 'succeeded']);
    expect(await countCalls(test, shipment.shipmentId, 'DeleteSped')).toBe(1);
  });

  it('never meets a bordero of the same moment', async () => {
    const shipments = await Promise.all([1, 2, 3, 4].map(() => bookedShipment()));
    const shipmentIds = shipments.map(({ shipmentId }) => shipmentId);
    await test.call(
      'POST',
      '/shipment/transmit',
      shipments.map(({ orderId }) => ({ orderId })),
      now,
    );
    await transmitShipments(deps, { shipmentIds, ...jobContext() });

    const outcomes = await Promise.all(
      shipments.map(async ({ orderId, shipmentId }) => {
        const [cancel, bordero] = await Promise.all([
          test.call('DELETE', `/shipment/${shipmentId}`, undefined, now),
          test.call('POST', '/bordero', { carrierId: test.carrierId, orderIds: [orderId] }),
        ]);
        return [cancel.status, bordero.status];
      }),
    );

    for (const outcome of outcomes)
      expect([
        [202, 422],
        [409, 201],
      ]).toContainEqual(outcome);
  });

  it('frees the order for another shipment with a label of its own', async () => {
    const first = await bookedShipment();
    await cancelShipment(deps, { itemId: await askedToCancel(first), ...jobContext() });

    await test.call('POST', '/shipment/create', [{ orderId: first.orderId }], now);
    const detail = await test.call('GET', `/orders/${first.orderId}`);
    const [second] = detail.body.shipments;
    await bookShipment(deps, { shipmentId: second.id, ...jobContext() });

    expect(detail.body.shipments).toHaveLength(2);
    expect(second.reference).not.toBe(first.reference);
    expect(await test.ledger('gls-it', second.reference)).toMatchObject({ labelsSold: 1 });
  });
});

describe('deciding about a held parcel', () => {
  async function heldShipment(): Promise<OrderedShipment> {
    const shipment = await bookedShipment('Via Torino, 5 GIACENZA');
    await test.call('POST', '/shipment/transmit', [{ orderId: shipment.orderId }], now);
    await transmitShipments(deps, { shipmentIds: [shipment.shipmentId], ...jobContext() });
    await test.advance(60);
    await trackShipments(deps, { shipmentIds: [shipment.shipmentId], ...jobContext() });
    return shipment;
  }
  async function askedToRelease(shipment: OrderedShipment): Promise<OperationItem> {
    const action = { action: 'RETURN_TO_SENDER' };
    await test.call('POST', `/shipment/${shipment.shipmentId}/release-held`, action, now);
    return database(test).findOneOrFail(OperationItem, { shipmentId: shipment.shipmentId, kind: 'release' });
  }

  it('is passed on by one of two workers', async () => {
    const shipment = await heldShipment();
    const { id: itemId } = await askedToRelease(shipment);

    await Promise.all([1, 2].map(() => releaseHeld(deps, { itemId, ...jobContext() })));

    expect(await lastItem(test, shipment.orderId)).toMatchObject({ status: 'succeeded' });
    expect(await countCalls(test, shipment.shipmentId, 'ReleaseShipmentStock')).toBe(1);
    expect(await test.ledger('gls-it', shipment.reference)).toMatchObject({ released: 1 });
  });

  it('is never repeated after a lost answer, since it is billed', async () => {
    const shipment = await heldShipment();
    const { id: itemId } = await askedToRelease(shipment);
    await test.fault('gls-it', 'ReleaseShipmentStock', 'accept-then-500');

    const released = releaseHeld(deps, { itemId, ...jobContext() });

    await expect(released).rejects.toMatchObject({ name: 'UnrecoverableError' });
    expect(await lastItem(test, shipment.orderId)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('Unknown whether the release was carried out'),
    });
    expect((await attemptsOf(test, shipment.shipmentId)).at(-1)).toBe('release unknown');
    expect(await countCalls(test, shipment.shipmentId, 'ReleaseShipmentStock')).toBe(1);
  });

  it('is retried when the request never reached the carrier', async () => {
    const shipment = await heldShipment();
    const { id: itemId } = await askedToRelease(shipment);
    await test.fault('gls-it', 'ReleaseShipmentStock', 'status-429');

    await expect(releaseHeld(deps, { itemId, ...jobContext() })).rejects.toMatchObject({ name: 'RetryLater' });
    await releaseHeld(deps, { itemId, ...jobContext() });

    expect(await lastItem(test, shipment.orderId)).toMatchObject({ status: 'succeeded' });
    expect(await test.ledger('gls-it', shipment.reference)).toMatchObject({ released: 1 });
  });

  it('takes one of two decisions that come at the same moment', async () => {
    const shipment = await heldShipment();
    const ask = (action: string) => test.call('POST', `/shipment/${shipment.shipmentId}/release-held`, { action }, now);

    const answers = await Promise.all(['RETURN_TO_SENDER', 'DESTROY', 'PICKUP_AT_DEPOT'].map(ask));

    expect(answers.filter(({ body }) => body.blockingError === null)).toHaveLength(1);
    expect(await database(test).count(OperationItem, { shipmentId: shipment.shipmentId, kind: 'release' })).toBe(1);
  });

  it('refuses a second decision while the first one is on its way', async () => {
    const shipment = await heldShipment();
    await askedToRelease(shipment);

    const second = await test.call('POST', `/shipment/${shipment.shipmentId}/release-held`, { action: 'DESTROY' });

    expect(second.body.blockingError).toBe('Another release of this shipment is still in progress');
  });
});
