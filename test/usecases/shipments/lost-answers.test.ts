import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Carrier, defineCarrier } from '../../../src/carriers/adapter.ts';
import { Contract } from '../../../src/db/entities/index.ts';
import { IntegrationError } from '../../../src/lib/errors.ts';
import { bookShipment } from '../../../src/usecases/shipments/book-shipment.ts';
import { cancelShipment } from '../../../src/usecases/shipments/cancel-shipment.ts';
import { transmitShipments } from '../../../src/usecases/shipments/transmit-shipments.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import {
  attemptsOf,
  type Deps,
  database,
  jobContext,
  lastItem,
  type OrderedShipment,
  orderShipment,
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

const respondAsync = { prefer: 'respond-async' };
const CARRIERS = [
  { carrier: 'gls-it', cancel: 'DeleteSped', transmit: 'CloseWorkDayByShipmentNumber' },
  { carrier: 'brt', cancel: 'delete', transmit: 'confirm' },
] as const;
/** Answers that reach us after the carrier has carried it out. */
const LOST = ['accept-then-500', 'html', 'empty'] as const;
/** Answers of something between us and the carrier, which never heard of the second try. */
const PAGES = ['proxy-401', 'proxy-403', 'proxy-404', 'proxy-200', 'proxy-202'] as const;
const TABLE = CARRIERS.flatMap((one) => LOST.flatMap((lost) => PAGES.map((page) => ({ ...one, lost, page }))));

async function bookedWith(carrier: string): Promise<OrderedShipment> {
  const em = database(test);
  const [row] = await em.execute<{ id: number }[]>(
    'select c.id from contracts c join carriers ca on ca.id = c.carrier_id where ca.code = ? order by c.id limit 1',
    [carrier],
  );
  const contract = await em.findOneOrFail(Contract, row?.id ?? 0);
  const shipment = await orderShipment(test, { overrides: { carrier_company_id: contract.id } });
  await bookShipment(deps, { shipmentId: shipment.shipmentId, ...jobContext() });
  return shipment;
}

async function askedToCancel({ shipmentId, orderId }: OrderedShipment): Promise<number> {
  await test.call('DELETE', `/shipment/${shipmentId}`, undefined, respondAsync);
  return (await lastItem(test, orderId)).id;
}

async function reasonsOf({ shipmentId }: OrderedShipment): Promise<string[]> {
  const { status, body } = await test.call('GET', `/attention/${shipmentId}`);
  return status === 404 ? [] : body.reasons.map(({ reason }: { reason: string }) => reason);
}

describe('a cancellation whose answer was lost', () => {
  it.each(TABLE)('stays unknown: $carrier, $lost, then $page', async ({ carrier, cancel, lost, page }) => {
    const shipment = await bookedWith(carrier);
    const itemId = await askedToCancel(shipment);
    await test.fault(carrier, cancel, lost);
    await expect(cancelShipment(deps, { itemId, ...jobContext() })).rejects.toThrow();
    await test.fault(carrier, cancel, page);

    await expect(cancelShipment(deps, { itemId, ...jobContext({ isLastTry: true }) })).rejects.toThrow();

    expect(await test.ledger(carrier, shipment.reference)).toMatchObject({ labelsSold: 0, cancelled: 1 });
    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({ processStatus: 'cancelling' });
    expect(await reasonsOf(shipment)).toEqual(['cancel-unknown']);
    expect(await lastItem(test, shipment.orderId)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('Unknown whether the shipment was cancelled'),
    });
  });

  it.each(CARRIERS)('is settled by the next answer of $carrier itself', async ({ carrier, cancel }) => {
    const shipment = await bookedWith(carrier);
    const itemId = await askedToCancel(shipment);
    await test.fault(carrier, cancel, 'accept-then-500');
    await expect(cancelShipment(deps, { itemId, ...jobContext() })).rejects.toThrow();
    await test.fault(carrier, cancel, 'proxy-403');
    await expect(cancelShipment(deps, { itemId, ...jobContext() })).rejects.toThrow();

    await cancelShipment(deps, { itemId, ...jobContext() });

    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({ processStatus: 'cancelled' });
    expect(await lastItem(test, shipment.orderId)).toMatchObject({ status: 'succeeded' });
  });
});

describe('a cancellation that never reached the carrier', () => {
  it.each(CARRIERS.flatMap((one) => (['proxy-200', 'proxy-202'] as const).map((page) => ({ ...one, page }))))(
    'is not believed: $carrier, $page',
    async ({ carrier, cancel, page }) => {
      const shipment = await bookedWith(carrier);
      const itemId = await askedToCancel(shipment);
      await test.fault(carrier, cancel, page);

      await expect(cancelShipment(deps, { itemId, ...jobContext({ isLastTry: true }) })).rejects.toThrow();

      expect(await test.ledger(carrier, shipment.reference)).toMatchObject({ labelsSold: 1, cancelled: 0 });
      expect(await readShipment(test, shipment.shipmentId)).toMatchObject({ processStatus: 'cancelling' });
      expect(await lastItem(test, shipment.orderId)).toMatchObject({ status: 'failed' });
    },
  );
});

describe('a confirmation whose answer was lost', () => {
  it.each(TABLE)('stays at the desk: $carrier, $lost, then $page', async ({ carrier, transmit, lost, page }) => {
    const shipment = await bookedWith(carrier);
    const shipmentIds = [shipment.shipmentId];
    await test.call('POST', '/shipment/transmit', [{ orderId: shipment.orderId }], respondAsync);
    await test.fault(carrier, transmit, lost);
    await expect(transmitShipments(deps, { shipmentIds, ...jobContext() })).rejects.toThrow();
    await test.fault(carrier, transmit, page);

    await expect(transmitShipments(deps, { shipmentIds, ...jobContext({ isLastTry: true }) })).rejects.toThrow();

    expect(await test.ledger(carrier, shipment.reference)).toMatchObject({ confirmed: 1 });
    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({
      processStatus: 'created',
      failure: { code: 'confirmation-unknown' },
    });
    expect(await reasonsOf(shipment)).toEqual(['confirmation-used-up']);
    expect(await lastItem(test, shipment.orderId)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('Unknown whether the shipment was confirmed'),
    });

    await transmitShipments(deps, { shipmentIds, ...jobContext() });

    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({ processStatus: 'transmitted' });
    expect(await reasonsOf(shipment)).toEqual([]);
  });
});

describe("the carrier's own refusal", () => {
  it('settles the lost tries before it', async () => {
    const shipment = await bookedWith('gls-it');
    const itemId = await askedToCancel(shipment);
    await test.fault('gls-it', 'DeleteSped', 'proxy-202');
    await expect(cancelShipment(deps, { itemId, ...jobContext() })).rejects.toThrow();
    const refusal = { kind: 'permanent', provider: 'GLS', code: 'refused', isAuthoritative: true } as const;
    const refusing = defineCarrier({
      ...(deps.carriers.get('gls-it') as Carrier),
      async cancelShipment() {
        throw new IntegrationError('The parcel has left', refusal);
      },
    });

    const cancelling = cancelShipment(
      { ...deps, carriers: new Map([['gls-it', refusing]]) },
      { itemId, ...jobContext() },
    );

    await expect(cancelling).rejects.toThrow('GLS refused: refused');
    expect(await readShipment(test, shipment.shipmentId)).toMatchObject({ processStatus: 'created' });
    expect(await attemptsOf(test, shipment.shipmentId)).toEqual(['create succeeded', 'cancel failed', 'cancel failed']);
    expect(await reasonsOf(shipment)).toEqual([]);
  });
});
