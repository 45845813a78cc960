import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Carrier, defineCarrier } from '../../../src/carriers/adapter.ts';
import { ShipmentAttempt } from '../../../src/db/entities/index.ts';
import { bookShipment } from '../../../src/usecases/shipments/book-shipment.ts';
import { reconcileShipment } from '../../../src/usecases/shipments/reconcile-shipment.ts';
import { settleBooked } from '../../../src/usecases/shipments/settle-booked.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import {
  attemptsOf,
  countCalls,
  database,
  jobContext,
  lastItem,
  orderShipment,
  readOrderRow,
  readShipment,
  recordingDeps,
} from '../engine.ts';

const UNKNOWN = ['accept-then-500', 'malformed'] as const;
/** Longer than a carrier may take to write a booking down. */
const SETTLED_MINUTES = 20;

describe('booking one shipment', () => {
  let test: TestApp;

  beforeAll(async () => {
    // No worker: each test is the worker.
    test = await startTestApp({ roles: ['api'] });
  });
  afterEach(() => test.clearFaults());
  afterAll(() => test.stop());

  it('has the attempt on record while the carrier is called, and adopts the label of a call that was cut off', async () => {
    const { shipmentId, reference } = await orderShipment(test);
    const { deps } = recordingDeps(test);
    await test.fault('gls-it', 'AddParcel', 'accept-then-hang');
    const abort = new AbortController();

    const booking = bookShipment(deps, { shipmentId, ...jobContext({ signal: abort.signal }) });
    await test.until(
      () => test.ledger('gls-it', reference),
      (entry) => entry !== undefined,
    );
    const during = { ...(await readShipment(test, shipmentId)), attempts: await attemptsOf(test, shipmentId) };
    abort.abort();
    await booking;
    const after = { ...(await readShipment(test, shipmentId)), attempts: await attemptsOf(test, shipmentId) };
    await reconcileShipment(deps, { shipmentId, ...jobContext() });

    expect(during).toMatchObject({ processStatus: 'submitting', attempts: ['create running'] });
    expect(after).toMatchObject({ processStatus: 'unknown_outcome', attempts: ['create unknown'] });
    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'created' });
    expect(await attemptsOf(test, shipmentId)).toEqual(['create succeeded']);
    expect(await test.ledger('gls-it', reference)).toMatchObject({ labelsSold: 1 });
  });

  it('books a shipment that is booked already without calling anybody', async () => {
    const { shipmentId, reference } = await orderShipment(test);
    const { deps } = recordingDeps(test);
    await bookShipment(deps, { shipmentId, ...jobContext() });

    await bookShipment(deps, { shipmentId, ...jobContext() });

    expect(await countCalls(test, shipmentId, 'AddParcel')).toBe(1);
    expect(await attemptsOf(test, shipmentId)).toEqual(['create succeeded']);
    expect(await test.ledger('gls-it', reference)).toMatchObject({ labelsSold: 1 });
  });

  it('lets one of five workers call the carrier', async () => {
    const { shipmentId, reference } = await orderShipment(test);
    const { deps } = recordingDeps(test);

    await Promise.all(Array.from({ length: 5 }, () => bookShipment(deps, { shipmentId, ...jobContext() })));

    expect(await countCalls(test, shipmentId, 'AddParcel')).toBe(1);
    expect(await test.ledger('gls-it', reference)).toMatchObject({ labelsSold: 1 });
    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'created', fence: 1 });
  });

  it('asks for another try with the pause the carrier wants', async () => {
    const { shipmentId } = await orderShipment(test);
    await test.fault('gls-it', 'AddParcel', 'status-429');

    const booking = bookShipment(recordingDeps(test).deps, { shipmentId, ...jobContext() });

    await expect(booking).rejects.toMatchObject({ name: 'RetryLater', afterMs: 1000 });
    expect(await readShipment(test, shipmentId)).toMatchObject({
      processStatus: 'queued',
      exhaustedAt: null,
      failure: { code: 'throttled', retryable: true },
    });
    expect(await attemptsOf(test, shipmentId)).toEqual(['create failed']);
  });

  it("gives up at once on a refusal, and keeps the carrier's words", async () => {
    const { shipmentId, orderId } = await orderShipment(test, { overrides: { note: 'Peso sbagliato' } });
    await database(test).execute('update parcels set weight_grams = 2500000 where shipment_id = ?', [shipmentId]);

    const booking = bookShipment(recordingDeps(test).deps, { shipmentId, ...jobContext() });

    await expect(booking).rejects.toMatchObject({ name: 'UnrecoverableError' });
    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'rejected' });
    expect(await readOrderRow(test, orderId)).toMatchObject({
      status: 'error',
      error: 'GLS Italy refused: Il peso supera i 2000 kg.',
    });
    expect(await attemptsOf(test, shipmentId)).toEqual(['create failed']);
  });

  it.each(UNKNOWN)('knows after %s that nobody knows, and adopts the label it finds', async (fault) => {
    const { shipmentId, orderId, reference } = await orderShipment(test);
    const { deps, jobs } = recordingDeps(test);
    await test.fault('gls-it', 'AddParcel', fault);

    await bookShipment(deps, { shipmentId, ...jobContext() });
    const unknown = await readShipment(test, shipmentId);
    const item = await lastItem(test, orderId);
    await reconcileShipment(deps, { shipmentId, ...jobContext() });

    expect(unknown.processStatus).toBe('unknown_outcome');
    expect(item.status).toBe('pending');
    expect(jobs).toMatchObject([{ name: 'reconcile', payload: { shipmentId } }]);
    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'created', failure: null });
    expect(await lastItem(test, orderId)).toMatchObject({ status: 'succeeded' });
    expect(await countCalls(test, shipmentId, 'AddParcel')).toBe(1);
    expect(await test.ledger('gls-it', reference)).toMatchObject({ labelsSold: 1 });
    expect(await attemptsOf(test, shipmentId)).toEqual(['create succeeded']);
    expect((await test.call('GET', `/shipment/${shipmentId}/label`)).status).toBe(200);
  });

  it('never books an unknown outcome again before the carrier has settled, and once after it', async () => {
    const { shipmentId, reference } = await orderShipment(test);
    const { deps } = recordingDeps(test);
    await test.fault('gls-it', 'AddParcel', 'reset');
    await bookShipment(deps, { shipmentId, ...jobContext() });
    const later = recordingDeps(test, SETTLED_MINUTES);

    const early = reconcileShipment(deps, { shipmentId, ...jobContext() });
    await expect(early).rejects.toMatchObject({ name: 'RetryLater', afterMs: expect.any(Number) });
    await bookShipment(deps, { shipmentId, ...jobContext() });
    const waiting = await readShipment(test, shipmentId);
    await reconcileShipment(later.deps, { shipmentId, ...jobContext() });
    const again = await readShipment(test, shipmentId);
    await bookShipment(later.deps, { shipmentId, ...jobContext() });

    expect(waiting.processStatus).toBe('unknown_outcome');
    expect(again).toMatchObject({ processStatus: 'queued', generation: 1 });
    expect(later.jobs).toMatchObject([{ name: 'book', id: `book-${shipmentId}-1` }]);
    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'created' });
    expect(await test.ledger('gls-it', reference)).toMatchObject({ labelsSold: 1, cancelled: 0 });
    expect(await attemptsOf(test, shipmentId)).toEqual(['create failed', 'create succeeded']);
  });

  it('keeps trying to find out while the carrier cannot be asked', async () => {
    const { shipmentId } = await orderShipment(test);
    const { deps } = recordingDeps(test);
    await test.fault('gls-it', 'AddParcel', 'accept-then-500');
    await bookShipment(deps, { shipmentId, ...jobContext() });
    await test.fault('gls-it', 'ListSped', 'status-503');

    const asked = reconcileShipment(deps, { shipmentId, ...jobContext() });

    await expect(asked).rejects.toMatchObject({ name: 'RetryLater' });
    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'unknown_outcome', exhaustedAt: null });
    await reconcileShipment(deps, { shipmentId, ...jobContext() });
    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'created' });
  });

  it('leaves to a person what it could not find out, and never books it', async () => {
    const { shipmentId, orderId } = await orderShipment(test);
    const { deps } = recordingDeps(test, SETTLED_MINUTES);
    await test.fault('gls-it', 'AddParcel', 'reset');
    await bookShipment(deps, { shipmentId, ...jobContext() });
    await test.fault('gls-it', 'ListSped', 'status-503');

    await expect(reconcileShipment(deps, { shipmentId, ...jobContext({ isLastTry: true }) })).rejects.toThrow();
    await bookShipment(deps, { shipmentId, ...jobContext() });
    const asked = await test.call('POST', '/shipment/create', [{ orderId }]);

    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'unknown_outcome' });
    expect(await readOrderRow(test, orderId)).toMatchObject({ status: 'error' });
    expect(asked.body.details.errors[0].message).toContain('Nobody knows whether the label was sold');
    expect(await countCalls(test, shipmentId, 'AddParcel')).toBe(1);
  });

  it('takes back what the carrier booked twice, and ends with one label', async () => {
    const { shipmentId, reference } = await orderShipment(test);
    const { deps, jobs } = recordingDeps(test);
    await test.fault('gls-it', 'AddParcel', 'accept-twice');

    await bookShipment(deps, { shipmentId, ...jobContext() });
    await reconcileShipment(deps, { shipmentId, ...jobContext() });
    await bookShipment(deps, { shipmentId, ...jobContext() });

    expect(jobs.map((job) => job.name)).toEqual(['reconcile', 'book']);
    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'created' });
    expect(await test.ledger('gls-it', reference)).toMatchObject({ labelsSold: 1, cancelled: 1 });
    expect(await attemptsOf(test, shipmentId)).toContain('cancel succeeded');
  });

  it('makes sure that nothing is there before it repeats a booking, where a look-up may miss it', async () => {
    const { shipmentId, reference } = await orderShipment(test);
    const { deps } = recordingDeps(test, 60);
    const real = deps.carriers.get('gls-it') as Carrier;
    const blind = defineCarrier({
      ...real,
      findByReference: async () => null,
      withdrawByReference: async (context, draft) => {
        const found = await real.findByReference?.(context, draft);
        if (found) await real.cancelShipment?.(context, { reference: draft.reference, ...found });
      },
    });
    await test.fault('gls-it', 'AddParcel', 'accept-then-500');
    await bookShipment(deps, { shipmentId, ...jobContext() });

    await reconcileShipment({ ...deps, carriers: new Map([['gls-it', blind]]) }, { shipmentId, ...jobContext() });
    await bookShipment(deps, { shipmentId, ...jobContext() });

    expect(await test.ledger('gls-it', reference)).toMatchObject({ labelsSold: 1, cancelled: 1 });
    expect(await attemptsOf(test, shipmentId)).toEqual(['create failed', 'cancel succeeded', 'create succeeded']);
  });

  it('takes back a lost booking whose label the carrier gives no more, and books one with a label', async () => {
    const { shipmentId, reference } = await orderShipment(test);
    const { deps, jobs } = recordingDeps(test);
    const real = deps.carriers.get('gls-it') as Carrier;
    const forgetful = defineCarrier({
      ...real,
      findByReference: async (context, draft) => {
        const found = await real.findByReference?.(context, draft);
        return found ? { ...found, labels: [] } : null;
      },
    });
    await test.fault('gls-it', 'AddParcel', 'accept-then-500');
    await bookShipment(deps, { shipmentId, ...jobContext() });

    await reconcileShipment({ ...deps, carriers: new Map([['gls-it', forgetful]]) }, { shipmentId, ...jobContext() });
    await bookShipment(deps, { shipmentId, ...jobContext() });

    expect(jobs.at(-1)).toMatchObject({ name: 'book', id: `book-${shipmentId}-1` });
    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'created', surplus: null });
    expect(await test.ledger('gls-it', reference)).toMatchObject({ labelsSold: 1, cancelled: 1 });
    expect(await attemptsOf(test, shipmentId)).toEqual(['create succeeded', 'cancel succeeded', 'create succeeded']);
  });

  it('lets a run that lost the shipment settle nothing', async () => {
    const { shipmentId } = await orderShipment(test);
    const { deps } = recordingDeps(test);
    await bookShipment(deps, { shipmentId, ...jobContext() });
    const shipment = await readShipment(test, shipmentId);
    const attempt = await database(test).findOneOrFail(ShipmentAttempt, { shipmentId });
    const booked = { trackingNumber: 'YA000', carrierReference: '000', parcelCount: 1, labels: [], warnings: [] };
    await database(test).execute(`update shipments set process_status = 'submitting', attempt = 2 where id = ?`, [
      shipmentId,
    ]);

    const late = await settleBooked(deps, { shipment, fence: 1, attemptId: attempt.id, booked });

    expect(late).toBe(false);
    expect(await readShipment(test, shipmentId)).toMatchObject({
      processStatus: 'submitting',
      trackingNumber: shipment.trackingNumber,
    });
  });
});
