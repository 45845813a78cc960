import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BookedShipment, type Carrier, defineCarrier } from '../../../src/carriers/adapter.ts';
import { IntegrationError } from '../../../src/lib/errors.ts';
import { bookShipment } from '../../../src/usecases/shipments/book-shipment.ts';
import { requestCancel } from '../../../src/usecases/shipments/cancel-shipment.ts';
import { reconcileShipment } from '../../../src/usecases/shipments/reconcile-shipment.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import {
  attemptsOf,
  type Deps,
  database,
  jobContext,
  lastItem,
  orderShipment,
  readShipment,
  recordingDeps,
} from '../engine.ts';

/** A carrier whose next booking is answered only after something else happened to the shipment. */
function slowCarrier(real: Carrier, meanwhile: () => Promise<unknown>, changes: Partial<Carrier> = {}): Carrier {
  return defineCarrier({
    ...real,
    ...changes,
    async createShipment(context, draft) {
      const booked: BookedShipment = await real.createShipment(context, draft);
      await meanwhile();
      return booked;
    },
  });
}

describe('a label that comes after its shipment was taken over', () => {
  let test: TestApp;
  let real: Carrier;

  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'] });
    real = test.app.deps.carriers.get('gls-it') as Carrier;
  });
  afterAll(() => test.stop());

  /** Long enough for a run to be taken for lost, and for the carrier to have settled. */
  async function age(shipmentId: number): Promise<void> {
    await database(test).execute(`update shipments set updated_at = now() - interval '1 hour' where id = ?`, [
      shipmentId,
    ]);
  }

  function depsWith(carrier: Carrier, aheadMinutes = 0): Deps {
    return { ...recordingDeps(test, aheadMinutes).deps, carriers: new Map([['gls-it', carrier]]) };
  }

  it("is the shipment's own when the look-up could not find out", async () => {
    const { shipmentId, orderId } = await orderShipment(test);
    const unsearchable = defineCarrier({ ...real, findByReference: undefined } as never);
    const slow = slowCarrier(real, async () => {
      await age(shipmentId);
      await reconcileShipment(depsWith(unsearchable), { shipmentId, ...jobContext() });
      expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'unknown_outcome' });
    });

    await bookShipment(depsWith(slow), { shipmentId, ...jobContext() });

    expect(await readShipment(test, shipmentId)).toMatchObject({
      processStatus: 'created',
      exhaustedAt: null,
      failure: null,
      trackingNumber: expect.any(String),
    });
    expect((await lastItem(test, orderId)).status).toBe('failed'); // what was told stays told: nobody knew then
  });

  it('is the same label when the look-up had found it', async () => {
    const { shipmentId, reference } = await orderShipment(test);
    const slow = slowCarrier(real, async () => {
      await age(shipmentId);
      await reconcileShipment(depsWith(real), { shipmentId, ...jobContext() });
    });

    await bookShipment(depsWith(slow), { shipmentId, ...jobContext() });

    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'created', surplus: null });
    expect(await test.ledger('gls-it', reference)).toMatchObject({ labelsSold: 1, cancelled: 0 });
  });

  it('books no second one when the shipment was queued again', async () => {
    const { shipmentId, reference } = await orderShipment(test);
    const forgetful = defineCarrier({ ...real, findByReference: async () => null });
    const slow = slowCarrier(real, async () => {
      await age(shipmentId);
      await reconcileShipment(depsWith(forgetful, 60), { shipmentId, ...jobContext() });
      expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'queued', generation: 1 });
    });

    await bookShipment(depsWith(slow), { shipmentId, ...jobContext() });
    await bookShipment(depsWith(real), { shipmentId, ...jobContext() });

    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'created', surplus: null });
    expect(await test.ledger('gls-it', reference)).toMatchObject({ labelsSold: 1, cancelled: 0 });
  });

  it('is left alone while its cancellation may have reached the carrier, which the next look-up shows', async () => {
    const { shipmentId, reference } = await orderShipment(test);
    const lossy = defineCarrier({
      ...real,
      findByReference: async (context, draft) => {
        const found = await real.findByReference?.(context, draft);
        return found ? { ...found, labels: [], canBeTakenBack: true } : null;
      },
      cancelShipment: async (context, handle) => {
        await real.cancelShipment?.(context, handle);
        throw new IntegrationError('no answer', { kind: 'unknown-outcome', provider: 'gls-it', code: 'no-answer' });
      },
    });
    const slow = slowCarrier(real, async () => {
      await age(shipmentId);
      await expect(reconcileShipment(depsWith(lossy), { shipmentId, ...jobContext() })).rejects.toThrow();
    });

    await bookShipment(depsWith(slow), { shipmentId, ...jobContext() });
    const left = await readShipment(test, shipmentId);
    await reconcileShipment(depsWith(real, 60), { shipmentId, ...jobContext() });
    await bookShipment(depsWith(real), { shipmentId, ...jobContext() });

    expect(left).toMatchObject({ processStatus: 'unknown_outcome', trackingNumber: null, surplus: null });
    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'created', surplus: null });
    expect(await test.ledger('gls-it', reference)).toMatchObject({ labelsSold: 1, cancelled: 1 });
  });

  it('is taken back when its shipment was cancelled meanwhile', async () => {
    const { shipmentId, reference } = await orderShipment(test);
    const slow = slowCarrier(real, async () => {
      await age(shipmentId);
      const forgetful = defineCarrier({ ...real, findByReference: async () => null });
      await reconcileShipment(depsWith(forgetful, 60), { shipmentId, ...jobContext() });
      await requestCancel(depsWith(real), { companyId: test.demo.companyId, requestId: '', shipmentId });
    });

    await bookShipment(depsWith(slow), { shipmentId, ...jobContext() });

    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'cancelled', surplus: null });
    expect(await test.ledger('gls-it', reference)).toMatchObject({ labelsSold: 0, cancelled: 1 });
    expect(await attemptsOf(test, shipmentId)).toEqual(['create succeeded', 'cancel succeeded']);
  });

  it('is reported when it is a second one and cannot be taken back', async () => {
    const { shipmentId } = await orderShipment(test);
    const other: BookedShipment = {
      trackingNumber: 'RM999999999',
      carrierReference: '999999999',
      parcelCount: 1,
      labels: [{ contentType: 'application/pdf', bytes: Buffer.from('%PDF-1.4') }],
      warnings: [],
    };
    const another = defineCarrier({ ...real, findByReference: async () => ({ ...other, canBeTakenBack: true }) });
    const slow = slowCarrier(
      real,
      async () => {
        await age(shipmentId);
        await reconcileShipment(depsWith(another), { shipmentId, ...jobContext() });
      },
      { cancelShipment: undefined } as never,
    );

    await bookShipment(depsWith(slow), { shipmentId, ...jobContext() });

    const shipment = await readShipment(test, shipmentId);
    expect(shipment).toMatchObject({ processStatus: 'created', trackingNumber: 'RM999999999' });
    expect(shipment.surplus).toMatchObject({ message: expect.stringContaining('second label') });
    expect(shipment.surplus?.trackingNumbers).toHaveLength(1);
    expect(await attemptsOf(test, shipmentId)).toEqual(['create succeeded', 'cancel failed']);
  });
});
