import { CarrierRow, OperationItem, Order, Shipment, TrackingEvent } from '../../db/entities/index.ts';
import { companyEm, type Em, systemEm } from '../../db/orm.ts';
import { claimItem, settleItem } from '../../db/queries/operations.ts';
import { isFinal } from '../../domain/tracking-status.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { notFound, unprocessable } from '../../engine/find.ts';
import { markMade, type Origin, originOf } from '../../engine/idempotency.ts';
import { openOperation } from '../../engine/open-operation.ts';
import { IntegrationError, Problem } from '../../lib/errors.ts';
import { carrierQueue } from '../../queue/jobs.ts';
import { afterCall } from '../../queue/retry.ts';
import { pollBudgetOf, trackOne } from './track-shipments.ts';

/**
 * Queues a poll of a shipment now, within the carrier's rate budget. Returns the id of the operation; requests during a running poll
 * share it.
 *
 * @throws Problem 404, 422 when the shipment cannot be polled, 429 when the budget is used up
 */
export async function requestPoll(deps: Deps, input: Origin & { shipmentId: number }): Promise<number> {
  const { companyId, shipmentId } = input;
  const em = companyEm(deps.orm, companyId);
  const shipment = await em.findOne(Shipment, shipmentId);
  if (!shipment) throw notFound('shipment');
  const row = await em.findOneOrFail(CarrierRow, shipment.carrierId);
  const carrier = deps.carriers.get(row.code);
  if (!carrier?.track && !carrier?.trackMany) throw unprocessable(`${row.name} has no tracking API`);
  if (!shipment.trackingNumber) throw unprocessable(`Shipment ${shipmentId} has no tracking number yet`);
  const { forgottenAt } = await em.findOneOrFail(Order, shipment.orderId, { fields: ['forgottenAt'] });
  // The carrier's words may name the person again.
  if (forgottenAt !== null) throw unprocessable('The personal data of the order was erased');

  const open = await em.findOne(OperationItem, { shipmentId, kind: 'poll', status: { $in: ['pending', 'running'] } });
  if (open) {
    await markMade(em, input.once, open.operationId);
    return open.operationId;
  }
  const isOver = isFinal(shipment.trackingStatus);
  const missingMs = isOver ? 0 : await deps.budgets.take(`poll:${shipment.contractId}`, pollBudgetOf(carrier), 1);
  if (missingMs > 0) throw budgetUsed(row.name, missingMs);
  const settled = { status: 'succeeded' as const, message: 'The parcel has arrived', result: { newEvents: 0 } };
  const { operationId, firstItemId } = await em.transactional((tx) =>
    openOperation(tx, { ...originOf(input), kind: 'poll', input: {} }, [
      { orderId: shipment.orderId, shipmentId, contractId: shipment.contractId, ...(isOver ? { settled } : {}) },
    ]),
  );
  if (!isOver) {
    const { companyId, requestId } = input;
    const payload = { itemId: firstItemId, requestId };
    await enqueue(deps, carrierQueue(row.code), [{ name: 'poll', id: `poll-${firstItemId}`, companyId, payload }]);
  }
  return operationId;
}

function budgetUsed(carrier: string, missingMs: number): Problem {
  const seconds = Math.ceil(missingMs / 1000);
  return new Problem(`The rate limit of ${carrier} is used up: try again in ${seconds} s`, {
    status: 429,
    code: 'poll-budget-used',
    title: 'Too many requests',
    retryable: true,
    headers: { 'Retry-After': String(seconds) },
  });
}

/** Polls once and returns the new events. A failure is reported without a retry: the client may repeat it, and the schedule does anyway. */
export async function pollShipment(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, input.itemId);
  if (!item?.shipmentId) return;
  const claim = await claimItem(em, item.id);
  if (!claim) return;
  const held = { itemId: item.id, fence: claim.fence };
  const shipment = await em.findOneOrFail(Shipment, item.shipmentId);
  try {
    const before = await countEvents(em, shipment);
    await trackOne(deps, input, shipment);
    const newEvents = (await countEvents(em, shipment)) - before;
    await settleItem(em, held, { status: 'succeeded', message: '', result: { newEvents } });
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    const { message, kind: failureKind } = error;
    await settleItem(em, held, { status: 'failed', message, failureKind });
    throw afterCall(error, true);
  }
}

function countEvents(em: Em, { id, companyId }: Shipment): Promise<number> {
  return em.count(TrackingEvent, { shipmentId: id, companyId });
}
