import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Carrier, defineCarrier } from '../../../src/carriers/adapter.ts';
import { Document, OperationItem, Shipment } from '../../../src/db/entities/index.ts';
import { RetryLater } from '../../../src/queue/retry.ts';
import { listAttention, readAttention } from '../../../src/usecases/attention/attention.ts';
import { sendToMarketplace } from '../../../src/usecases/marketplaces/send-to-marketplace.ts';
import { bookShipment } from '../../../src/usecases/shipments/book-shipment.ts';
import { cancelShipment } from '../../../src/usecases/shipments/cancel-shipment.ts';
import { fetchLabels } from '../../../src/usecases/shipments/fetch-labels.ts';
import { reconcileShipment } from '../../../src/usecases/shipments/reconcile-shipment.ts';
import { transmitShipments } from '../../../src/usecases/shipments/transmit-shipments.ts';
import { sweep } from '../../../src/usecases/upkeep/sweep.ts';
import { buildOrderTo } from '../../support/build-order.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import {
  attemptsOf,
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
  test = await startTestApp({ roles: ['api'], env: { WAIT_SECONDS: '0' } });
  ({ deps } = recordingDeps(test));
});
afterEach(() => test.clearFaults());
afterAll(() => test.stop());

const lastTry = jobContext({ isLastTry: true });

async function lookAt(shipmentId: number) {
  return test.call('GET', `/attention/${shipmentId}`);
}

async function decide(shipmentId: number, body: object) {
  return test.call('POST', `/attention/${shipmentId}/resolve`, body);
}

async function booked(): Promise<OrderedShipment> {
  const shipment = await orderShipment(test);
  await bookShipment(deps, { shipmentId: shipment.shipmentId, ...jobContext() });
  return shipment;
}

/** A booking whose answer was lost, at a carrier that says no more about it. */
async function unknownOutcome(): Promise<OrderedShipment> {
  const shipment = await orderShipment(test);
  await test.fault('gls-it', 'AddParcel', 'accept-then-500');
  await bookShipment(deps, { shipmentId: shipment.shipmentId, ...jobContext() });
  await test.fault('gls-it', 'ListSped', 'status-503');
  await reconcileShipment(deps, { shipmentId: shipment.shipmentId, ...lastTry }).catch(() => undefined);
  return shipment;
}

describe('a shipment that needs no decision', () => {
  it('is not at the desk', async () => {
    const { shipmentId } = await booked();

    expect((await lookAt(shipmentId)).status).toBe(404);
    expect((await decide(shipmentId, { choice: 'cancel' })).status).toBe(404);
  });
});

describe("another company's shipment", () => {
  it("is at no other company's desk, although it needs a person", async () => {
    const { shipmentId } = await unknownOutcome();
    const other = { companyId: test.demo.companyId + 1 };

    await expect(readAttention(deps, { ...other, shipmentId })).rejects.toMatchObject({ status: 404 });
    expect(await listAttention(deps, { ...other, limit: 10, beforeId: null })).toEqual([]);
  });
});

describe('an unknown outcome', () => {
  it('is shown with what is known, what was tried, what was said, and what can be chosen', async () => {
    const { shipmentId, orderId, reference } = await unknownOutcome();

    const { body } = await lookAt(shipmentId);
    const list = await test.call('GET', '/attention');

    expect(body).toMatchObject({ id: shipmentId, orderId, reference, processStatus: 'unknown_outcome' });
    expect(body.reasons).toEqual([
      {
        reason: 'outcome-unknown',
        message: expect.stringContaining(`Check the carrier's portal for reference ${reference}`),
        since: expect.any(String),
      },
    ]);
    expect(body.choices.map((one: { choice: string }) => one.choice)).toEqual(['adopt', 'resubmit', 'cancel']);
    expect(body.attempts).toMatchObject([{ operation: 'create', outcome: 'unknown' }]);
    expect(body.exchanges.map((one: { operation: string; status: number }) => [one.operation, one.status])).toEqual([
      ['AddParcel', 500],
      ['ListSped', 503],
    ]);
    expect(list.body.map((one: { id: number }) => one.id)).toContain(shipmentId);
  });

  it('is adopted with the number and the label that a person brings', async () => {
    const { shipmentId, orderId, reference } = await unknownOutcome();
    const sold = (await test.ledger('gls-it', reference))?.trackingNumbers[0] ?? '';
    const label = Buffer.from('%PDF-1.4 the label').toString('base64');

    const answer = await decide(shipmentId, { choice: 'adopt', trackingNumber: sold, label, note: 'seen at GLS' });

    const pdf = await test.call('GET', `/shipment/${shipmentId}/label`);
    expect(answer).toMatchObject({ status: 200, body: { status: 'done', operationId: null } });
    expect(await readShipment(test, shipmentId)).toMatchObject({
      processStatus: 'created',
      trackingNumber: sold,
      carrierReference: sold.slice(-9),
      exhaustedAt: null,
    });
    expect(await readOrderRow(test, orderId)).toMatchObject({ status: 'shipment_created', error: null });
    expect(pdf.status).toBe(200);
    expect(await attemptsOf(test, shipmentId)).toEqual(['create succeeded', 'resolve succeeded']);
    expect((await lookAt(shipmentId)).status).toBe(404);
  });

  it('is adopted in earnest: the carrier takes the later calls for it', async () => {
    const { shipmentId, orderId, reference } = await unknownOutcome();
    const trackingNumber = (await test.ledger('gls-it', reference))?.trackingNumbers[0] ?? '';
    await decide(shipmentId, { choice: 'adopt', trackingNumber });

    await test.call('POST', '/shipment/transmit', [{ orderId }]);
    await transmitShipments(deps, { shipmentIds: [shipmentId], ...jobContext() });

    expect(await test.ledger('gls-it', reference)).toMatchObject({ labelsSold: 1, confirmed: 1 });
  });

  it.each([
    [{ choice: 'adopt' }, '/trackingNumber'],
    [{ choice: 'adopt', trackingNumber: 'X', label: 'bm90IGEgcGRm' }, '/label'],
    [{ choice: 'wait' }, '/choice'],
  ])('cannot be decided with %j', async (body, pointer) => {
    const { shipmentId } = await unknownOutcome();

    const answer = await decide(shipmentId, body);

    expect([400, 422]).toContain(answer.status);
    expect(answer.body.violations[0].pointer).toBe(pointer);
    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'unknown_outcome' });
  });

  it("is not adopted with another order's label", async () => {
    const other = await booked();
    const { trackingNumber } = await readShipment(test, other.shipmentId);
    const { shipmentId } = await unknownOutcome();

    const answer = await decide(shipmentId, { choice: 'adopt', trackingNumber });

    expect(answer).toMatchObject({ status: 422, body: { violations: [{ pointer: '/trackingNumber' }] } });
  });

  it('is asked for again, and what the carrier has is adopted', async () => {
    const { shipmentId, orderId, reference } = await unknownOutcome();

    const answer = await decide(shipmentId, { choice: 'resubmit' });
    await reconcileShipment(deps, { shipmentId, ...jobContext() });

    expect(answer).toMatchObject({ status: 202, body: { status: 'pending' } });
    const settled = await test.call('GET', `/operations/${answer.body.operationId}`);
    expect(settled.body.details.success).toEqual([orderId]);
    expect(await test.ledger('gls-it', reference)).toMatchObject({ labelsSold: 1 });
  });

  it('is booked again at a carrier that cannot be searched, because the person says that it has nothing', async () => {
    const { shipmentId, reference } = await orderShipment(test);
    const real = test.app.deps.carriers.get('gls-it') as Carrier;
    const unsearchable = defineCarrier({ ...real, findByReference: undefined } as never);
    await test.fault('gls-it', 'AddParcel', 'reset');
    await bookShipment(deps, { shipmentId, ...jobContext() });
    await reconcileShipment(
      { ...deps, carriers: new Map([['gls-it', unsearchable]]) },
      { shipmentId, ...jobContext() },
    );
    const registry = test.app.deps.carriers as Map<string, Carrier>;
    registry.set('gls-it', unsearchable);

    const before = await lookAt(shipmentId);
    const answer = await decide(shipmentId, { choice: 'resubmit' }).finally(() => registry.set('gls-it', real));
    await bookShipment(deps, { shipmentId, ...jobContext() });

    expect(before.body.choices[1].effect).toContain('otherwise there will be two labels');
    expect(before.body.choices[1].explanation.it).toContain('altrimenti le etichette saranno due');
    expect(answer.status).toBe(202);
    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'created', generation: 1 });
    expect(await test.ledger('gls-it', reference)).toMatchObject({ labelsSold: 1 });
  });

  it('is given up, and its order is free for another shipment', async () => {
    const { shipmentId, orderId } = await unknownOutcome();

    await decide(shipmentId, { choice: 'cancel' });

    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'cancelled' });
    expect(await readOrderRow(test, orderId)).toMatchObject({ status: 'pending' });
  });

  it('is decided once by two people at once', async () => {
    const { shipmentId } = await unknownOutcome();

    const answers = await Promise.all([
      decide(shipmentId, { choice: 'cancel' }),
      decide(shipmentId, { choice: 'resubmit' }),
    ]);

    const statuses = answers.map((answer) => answer.status).toSorted();
    expect([
      [200, 404],
      [200, 409],
      [202, 404],
      [202, 409],
    ]).toContainEqual(statuses);
  });

  it('heals by itself when the carrier answers again, and buys nothing that the client gave up', async () => {
    const found = await unknownOutcome();
    const lost = await orderShipment(test);
    await test.fault('gls-it', 'AddParcel', 'reset');
    await bookShipment(deps, { shipmentId: lost.shipmentId, ...jobContext() });
    await test.fault('gls-it', 'ListSped', 'status-503');
    await reconcileShipment(deps, { shipmentId: lost.shipmentId, ...lastTry }).catch(() => undefined);

    const later = recordingDeps(test, 60);
    await reconcileShipment(later.deps, { shipmentId: found.shipmentId, ...jobContext() });
    await reconcileShipment(later.deps, { shipmentId: lost.shipmentId, ...jobContext() });

    expect(await readShipment(test, found.shipmentId)).toMatchObject({ processStatus: 'created', exhaustedAt: null });
    expect(await readShipment(test, lost.shipmentId)).toMatchObject({
      processStatus: 'queued',
      exhaustedAt: expect.any(Date),
    });
    expect(later.jobs).toEqual([]);
    expect((await lookAt(lost.shipmentId)).body.reasons).toMatchObject([
      { reason: 'booking-used-up', message: expect.stringContaining('has no such shipment') },
    ]);
  });
});

describe('tries that are used up', () => {
  async function usedUp(): Promise<OrderedShipment> {
    const shipment = await orderShipment(test);
    await test.fault('gls-it', 'AddParcel', 'status-503');
    await bookShipment(deps, { shipmentId: shipment.shipmentId, ...lastTry }).catch(() => undefined);
    return shipment;
  }

  it('of a booking start again', async () => {
    const { shipmentId, orderId } = await usedUp();

    const before = await lookAt(shipmentId);
    const answer = await decide(shipmentId, { choice: 'resubmit' });
    await bookShipment(deps, { shipmentId, ...jobContext() });

    expect(before.body.reasons).toMatchObject([{ reason: 'booking-used-up' }]);
    expect(answer.status).toBe(202);
    expect(await lastItem(test, orderId)).toMatchObject({ status: 'succeeded' });
  });

  it('of a booking are left, and the order is free', async () => {
    const { shipmentId, orderId } = await usedUp();

    await decide(shipmentId, { choice: 'cancel' });

    expect(await readOrderRow(test, orderId)).toMatchObject({ status: 'pending' });
  });

  it('of a confirmation start again', async () => {
    const { shipmentId, orderId } = await booked();
    const other = await booked();
    await test.call('POST', '/shipment/transmit', [{ orderId }, { orderId: other.orderId }]);
    await test.fault('gls-it', 'CloseWorkDayByShipmentNumber', 'status-503');
    const together = [shipmentId, other.shipmentId];
    await transmitShipments(deps, { shipmentIds: together, ...lastTry }).catch(() => undefined);

    const before = await lookAt(shipmentId);
    await decide(shipmentId, { choice: 'resubmit' });
    await transmitShipments(deps, { shipmentIds: [shipmentId], ...jobContext() });

    expect(before.body.reasons).toMatchObject([{ reason: 'confirmation-used-up' }]);
    expect(before.body.exchanges.at(-1)).toMatchObject({ operation: 'CloseWorkDayByShipmentNumber', status: 503 });
    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'transmitted', exhaustedAt: null });
  });
});

describe('retries of one part of a split order that are used up', () => {
  /** A split order and its first part, whose shipment is asked for. */
  async function firstPart(): Promise<OrderedShipment & { parts: number[] }> {
    const { body } = await test.call('POST', '/orders', buildOrderTo('Via Torino, 5'));
    const orderId: number = body.order.id;
    const lines = [{ itemId: body.orderItems[0].id, quantity: 1 }];
    const split = await test.call('POST', `/orders/${orderId}/split`, { parts: [{ lines }] });
    const parts: number[] = split.body.parts.map(({ id }: { id: number }) => id);
    return { ...(await shipPart(orderId, parts[0])), parts };
  }

  async function shipPart(orderId: number, partId: number | undefined): Promise<OrderedShipment> {
    await test.call('POST', '/shipment/create', [{ orderId, partId }], { prefer: 'respond-async' });
    const shipment = await database(test).findOneOrFail(Shipment, { orderId }, { orderBy: { id: 'desc' } });
    return { orderId, shipmentId: shipment.id, reference: shipment.reference ?? '' };
  }

  it('book that part again, and no other', async () => {
    const { orderId, shipmentId } = await firstPart();
    await test.fault('gls-it', 'AddParcel', 'status-503');
    await bookShipment(deps, { shipmentId, ...lastTry }).catch(() => undefined);

    await decide(shipmentId, { choice: 'resubmit' });

    expect((await lookAt(shipmentId)).status).toBe(404);
    expect(await database(test).count(Shipment, { orderId })).toBe(1);
  });

  it('confirm that part again, and no other', async () => {
    const { orderId, shipmentId, parts } = await firstPart();
    await bookShipment(deps, { shipmentId, ...jobContext() });
    await test.call('POST', '/shipment/transmit', [{ orderId }]);
    await test.fault('gls-it', 'CloseWorkDayByShipmentNumber', 'status-503');
    await transmitShipments(deps, { shipmentIds: [shipmentId], ...lastTry }).catch(() => undefined);
    const other = await shipPart(orderId, parts[1]);
    await bookShipment(deps, { shipmentId: other.shipmentId, ...jobContext() });

    const { status } = await decide(shipmentId, { choice: 'resubmit' });

    const asked = await database(test).find(OperationItem, { shipmentId: other.shipmentId, kind: 'transmit' });
    expect({ status, asked }).toEqual({ status: 202, asked: [] });
  });
});

describe('a confirmation that the carrier says nothing about any more', () => {
  it('is concluded by the person who sees it at the carrier', async () => {
    const recipient = buildOrderTo('Via Torino, 5').shipping as object;
    const shipment = await orderShipment(test, { overrides: { shipping: { ...recipient, city: 'Inesistente' } } });
    const { shipmentId, orderId, reference } = shipment;
    await bookShipment(deps, { shipmentId, ...jobContext() });
    await test.call('POST', '/shipment/transmit', [{ orderId }], { prefer: 'respond-async' });
    await test.fault('gls-it', 'CloseWorkDayByShipmentNumber', 'accept-then-500');
    const transmit = () => transmitShipments(deps, { shipmentIds: [shipmentId], ...lastTry });
    await expect(transmit()).rejects.toThrow();
    // Without a route it is on no list, and closed a second time it is refused like one that never was.
    await expect(transmit()).rejects.toThrow();
    const before = await lookAt(shipmentId);

    const answer = await decide(shipmentId, { choice: 'adopt', note: 'CHIUSA in the portal' });

    expect(before.body.reasons).toMatchObject([{ reason: 'confirmation-used-up' }]);
    expect(answer.status).toBe(200);
    expect(await test.ledger('gls-it', reference)).toMatchObject({ confirmed: 1 });
    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'transmitted', exhaustedAt: null });
    expect(await readOrderRow(test, orderId)).toMatchObject({ status: 'transmitted' });
    expect((await lookAt(shipmentId)).status).toBe(404);
  });
});

describe('a cancellation with an unknown outcome', () => {
  async function undecided(): Promise<OrderedShipment> {
    const shipment = await booked();
    await test.call('DELETE', `/shipment/${shipment.shipmentId}`);
    const { id: itemId } = await lastItem(test, shipment.orderId);
    await test.fault('gls-it', 'DeleteSped', 'accept-then-500');
    await cancelShipment(deps, { itemId, ...lastTry }).catch(() => undefined);
    return shipment;
  }

  it('is tried again', async () => {
    const { shipmentId, orderId, reference } = await undecided();

    const before = await lookAt(shipmentId);
    await decide(shipmentId, { choice: 'resubmit' });
    await cancelShipment(deps, { itemId: (await lastItem(test, orderId)).id, ...jobContext() });

    expect(before.body.reasons).toMatchObject([{ reason: 'cancel-unknown' }]);
    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'cancelled' });
    expect(await test.ledger('gls-it', reference)).toMatchObject({ labelsSold: 0 });
  });

  it('counts as done when the person has seen it', async () => {
    const { shipmentId } = await undecided();

    await decide(shipmentId, { choice: 'cancel' });

    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'cancelled' });
  });

  it('leaves the shipment valid when the carrier still has it', async () => {
    const { shipmentId } = await undecided();

    await decide(shipmentId, { choice: 'adopt' });

    expect(await readShipment(test, shipmentId)).toMatchObject({
      processStatus: 'created',
      exhaustedAt: null,
      failure: null,
    });
  });
});

describe('a surplus label', () => {
  async function withSurplus(trackingNumbers: string[]): Promise<OrderedShipment> {
    const shipment = await booked();
    const surplus = { message: 'The carrier counts 1 parcel too many', trackingNumbers };
    await database(test).nativeUpdate(Shipment, { id: shipment.shipmentId }, { surplus });
    return shipment;
  }

  it('goes with its shipment when it was merged into it', async () => {
    const { shipmentId, orderId } = await withSurplus([]);

    const before = await lookAt(shipmentId);
    await decide(shipmentId, { choice: 'cancel' });
    await cancelShipment(deps, { itemId: (await lastItem(test, orderId)).id, ...jobContext() });

    expect(before.body.reasons).toMatchObject([{ reason: 'surplus-label' }]);
    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'cancelled', surplus: null });
  });

  it('with a number of its own is dealt with at the carrier and then forgotten here', async () => {
    const { shipmentId } = await withSurplus(['RM999']);

    const refused = await decide(shipmentId, { choice: 'cancel' });
    const answer = await decide(shipmentId, { choice: 'adopt', note: 'deleted in the portal' });

    expect(refused).toMatchObject({ status: 422, body: { violations: [{ message: 'must be adopt' }] } });
    expect(answer.status).toBe(200);
    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'created', surplus: null });
  });
});

describe('a shipment that was sold without a label', () => {
  /** As after a booking whose carrier gave the number and no label. */
  async function withoutLabel(): Promise<OrderedShipment> {
    const shipment = await orderShipment(test);
    const real = deps.carriers.get('gls-it') as Carrier;
    const createShipment: Carrier['createShipment'] = async (context, draft) => ({
      ...(await real.createShipment(context, draft)),
      labels: [],
    });
    const carriers = new Map([['gls-it', { ...real, createShipment }]]);
    await bookShipment({ ...deps, carriers }, { shipmentId: shipment.shipmentId, ...jobContext() });
    return shipment;
  }

  it('is asked for its label until the carrier gives it, and then leaves the desk', async () => {
    const { shipmentId } = await withoutLabel();
    const { deps: recording, jobs } = recordingDeps(test);

    const before = await lookAt(shipmentId);
    await sweep(recording);
    await test.fault('gls-it', 'GetPdf', 'status-503');
    const away = await fetchLabels(deps, { shipmentId, ...jobContext() }).catch((error: unknown) => error);
    await fetchLabels(deps, { shipmentId, ...jobContext() });
    await fetchLabels(deps, { shipmentId, ...jobContext() });

    expect(before.body).toMatchObject({
      processStatus: 'created',
      reasons: [{ reason: 'label-missing' }],
      choices: [{ choice: 'adopt' }, { choice: 'cancel' }],
    });
    expect(jobs.map((job) => job.id)).toContain(`labels-${shipmentId}`);
    expect(away).toBeInstanceOf(RetryLater);
    expect((await lookAt(shipmentId)).status).toBe(404);
    expect(await documentsOf(shipmentId)).toEqual(['application/pdf']);
  });

  it('takes the label that a person has from the carrier', async () => {
    const { shipmentId } = await withoutLabel();
    const label = Buffer.from('%PDF-1.4\n%%EOF').toString('base64');

    const answer = await decide(shipmentId, { choice: 'adopt', label });

    expect(answer.status).toBe(200);
    expect(await documentsOf(shipmentId)).toEqual(['application/pdf']);
    expect((await lookAt(shipmentId)).status).toBe(404);
  });

  it('goes away when the label was printed elsewhere', async () => {
    const { shipmentId } = await withoutLabel();

    await decide(shipmentId, { choice: 'adopt' });

    expect((await lookAt(shipmentId)).status).toBe(404);
    expect(await documentsOf(shipmentId)).toEqual([]);
  });

  it('can be given up', async () => {
    const { shipmentId, orderId } = await withoutLabel();

    await decide(shipmentId, { choice: 'cancel' });
    await cancelShipment(deps, { itemId: (await lastItem(test, orderId)).id, ...jobContext() });

    expect(await readShipment(test, shipmentId)).toMatchObject({ processStatus: 'cancelled' });
    expect((await lookAt(shipmentId)).status).toBe(404);
  });

  async function documentsOf(shipmentId: number): Promise<string[]> {
    return (await database(test).find(Document, { shipmentId })).map((row) => row.contentType);
  }
});

describe('other things a person must see', () => {
  it('a held parcel, with what the carrier lets one decide', async () => {
    const { shipmentId } = await booked();
    await database(test).nativeUpdate(Shipment, { id: shipmentId }, { trackingStatus: 'held', heldSince: new Date() });

    const { body } = await lookAt(shipmentId);
    const refused = await decide(shipmentId, { choice: 'cancel' });

    expect(body).toMatchObject({ reasons: [{ reason: 'held' }], choices: [] });
    expect(body.releaseActions).toContain('RETURN_TO_SENDER');
    expect(refused.body.violations[0].message).toContain('release-held');
  });

  it('a marketplace that was not told, until it is', async () => {
    const marketplace = { connection_id: test.connectionId, order_id: '1001', order_number: '1001' };
    const { shipmentId, orderId } = await orderShipment(test, { overrides: { marketplace } });
    await bookShipment(deps, { shipmentId, ...jobContext() });
    await test.call('POST', `/orders/${orderId}/send-to-marketplace`);
    const send = async (context: typeof lastTry) =>
      sendToMarketplace(deps, { itemId: (await lastItem(test, orderId)).id, ...context });
    await test.fault('woocommerce', '*', 'status-503', 5);
    await send(lastTry).catch(() => undefined);
    await test.clearFaults();

    const before = await lookAt(shipmentId);
    await decide(shipmentId, { choice: 'resubmit' });
    await send(jobContext());

    expect(before.body.reasons).toMatchObject([{ reason: 'marketplace-not-told' }]);
    expect(await readOrderRow(test, orderId)).toMatchObject({ sentToMarketplaceAt: expect.any(Date) });
    expect((await lookAt(shipmentId)).status).toBe(404);
  });

  it('a marketplace that knows already', async () => {
    const { shipmentId, orderId } = await booked();
    await database(test).execute(`insert into operations (company_id, kind, input) values (?, 'send', '{}')`, [
      test.demo.companyId,
    ]);
    await database(test).insert(OperationItem, {
      companyId: test.demo.companyId,
      operationId: (await database(test).execute<{ id: number }[]>('select max(id) as id from operations'))[0]?.id ?? 0,
      kind: 'send',
      orderId,
      shipmentId,
      status: 'failed',
      failureKind: 'unknown-outcome',
      message: 'no answer',
      result: null,
      settledAt: new Date(),
    });

    const answer = await decide(shipmentId, { choice: 'adopt' });

    expect(answer).toMatchObject({ status: 200, body: { status: 'done' } });
    expect((await lookAt(shipmentId)).status).toBe(404);
  });
});
