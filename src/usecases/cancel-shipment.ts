import { CarrierRow, Contract, ManifestItem, OperationItem, Shipment } from '../db/entities/index.ts';
import { companyEm, type Em, systemEm } from '../db/orm.ts';
import { moveShipments } from '../db/queries/move-shipments.ts';
import { claimItem, releaseItem, settleItem, settleShipmentItems } from '../db/queries/operations.ts';
import { moveOrders } from '../db/queries/statuses.ts';
import { IntegrationError, Problem } from '../lib/errors.ts';
import { carrierQueue } from '../queue/jobs.ts';
import { giveUp, RetryLater } from '../queue/queue-system.ts';
import { beginAttempt, endAttempt } from './attempts.ts';
import { callContract } from './call-contract.ts';
import type { Deps, JobContext } from './deps.ts';
import { notFound } from './find.ts';
import { type OpenedOperation, openOperation } from './open-operation.ts';
import { handleOf } from './shipment-draft.ts';

/** Asks for a shipment to be cancelled; null when it is already, or never reached its carrier. */
export async function requestCancel(
  deps: Deps,
  input: { companyId: number; requestId: string; shipmentId: number },
): Promise<OpenedOperation | null> {
  const em = companyEm(deps.orm, input.companyId);
  const shipment = await em.findOne(Shipment, input.shipmentId);
  if (!shipment) throw notFound('shipment');
  if (shipment.processStatus === 'cancelled' || shipment.processStatus === 'rejected') return null;
  if (shipment.trackingStatus !== null && shipment.trackingStatus !== 'awaiting_pickup') {
    throw conflict('shipment-moving', 'The shipment is already on its way');
  }
  if ((await em.count(ManifestItem, { shipmentId: shipment.id, restoredAt: null })) > 0) {
    throw conflict('shipment-on-manifest', 'The shipment is on a bordero: delete the bordero first');
  }
  if (shipment.processStatus === 'queued' && (await cancelQueued(em, shipment, deps.now()))) return null;
  if (!['created', 'transmitted', 'cancelling'].includes(shipment.processStatus)) {
    throw conflict('shipment-in-progress', 'The shipment is being worked on: try again when that is over', true);
  }

  const opened = await em.transactional((tx) =>
    openOperation(tx, { companyId: input.companyId, requestId: input.requestId, kind: 'cancel', input: {} }, [
      { orderId: shipment.orderId, shipmentId: shipment.id, contractId: shipment.contractId },
    ]),
  );
  const carrier = await em.findOneOrFail(CarrierRow, shipment.carrierId);
  const itemId = opened.firstItemId;
  await deps.queues
    .add(carrierQueue(carrier.code), [
      { name: 'cancel', id: `cancel-${itemId}`, payload: { itemId, requestId: input.requestId } },
    ])
    .catch((err) => deps.log.warn({ err, itemId }, 'not queued now, the sweep will'));
  return opened;
}

/** What becomes of those who wait for a shipment that is no more. */
const CANCELLED = { status: 'failed', message: 'The shipment was cancelled' } as const;

function conflict(code: string, detail: string, retryable = false): Problem {
  return new Problem(detail, { status: 409, code, title: 'Conflict', retryable });
}

/** Nothing left for the carrier yet: the row alone decides. */
async function cancelQueued(em: Em, shipment: Shipment, now: Date): Promise<boolean> {
  return em.transactional(async (tx) => {
    const moved = await moveShipments(tx, {
      ids: [shipment.id],
      from: ['queued'],
      to: 'cancelled',
      set: { cancelled_at: now, exhausted_at: null },
    });
    if (moved.length === 0) return false;
    await moveOrders(tx, { companyId: shipment.companyId, orderIds: [shipment.orderId] }, 'pending');
    await settleShipmentItems(tx, { shipmentIds: [shipment.id], kind: 'create' }, CANCELLED);
    return true;
  });
}

/** Takes a booked shipment back from its carrier, where the carrier knows how. */
export async function cancelShipment(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, input.itemId);
  if (!item?.shipmentId) return;
  const claim = await claimItem(em, item.id);
  if (!claim) return;
  const before = await claimBooked(deps, item.shipmentId);
  if (before === 'cancelled')
    return void (await settleItem(em, { itemId: item.id }, { status: 'succeeded', message: '' }));
  if (before === null) {
    const message = 'The shipment is being worked on: try again when that is over';
    return void (await settleItem(em, { itemId: item.id }, { status: 'failed', message }));
  }
  const shipment = await em.findOneOrFail(Shipment, item.shipmentId, { refresh: true });
  const contract = await em.findOneOrFail(Contract, shipment.contractId);
  const attemptId = await beginAttempt(em, shipment, {
    operation: 'cancel',
    number: shipment.attempt,
    requestId: input.requestId,
  });
  try {
    await callContract(deps, { ...input, contract, shipmentId: shipment.id, attemptId }, async (carrier, context) =>
      carrier.cancelShipment?.(context, handleOf(shipment)),
    );
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    // Cancelling twice succeeds twice, so an unknown outcome is simply tried again.
    const isOver = error.kind === 'permanent' || input.isLastTry;
    await endAttempt(em, attemptId, {
      outcome: error.kind === 'unknown-outcome' ? 'nobody_knows' : 'no',
      code: error.code,
      message: error.message,
    });
    await moveShipments(em, { ids: [shipment.id], attempt: shipment.attempt, from: ['cancelling'], to: before });
    const failed = { status: 'failed', message: error.message, failureKind: error.kind } as const;
    if (isOver) await settleItem(em, { itemId: item.id }, failed);
    else await releaseItem(em, item.id, claim.attempt);
    throw error.kind === 'permanent' ? giveUp(error.message) : new RetryLater(error.message, error.retryAfterMs);
  }
  await em.transactional(async (tx) => {
    await endAttempt(tx, attemptId, { outcome: 'yes' });
    await moveShipments(tx, {
      ids: [shipment.id],
      from: ['cancelling'],
      to: 'cancelled',
      set: { cancelled_at: deps.now(), next_poll_at: null, exhausted_at: null },
    });
    await moveOrders(tx, { companyId: shipment.companyId, orderIds: [shipment.orderId] }, 'pending');
    await settleShipmentItems(tx, { shipmentIds: [shipment.id], kind: 'transmit' }, CANCELLED);
    await settleItem(tx, { itemId: item.id }, { status: 'succeeded', message: '' });
  });
}

/** The status to go back to when the carrier says no; null when somebody else works on the shipment. */
async function claimBooked(deps: Deps, shipmentId: number): Promise<'created' | 'transmitted' | 'cancelled' | null> {
  const em = systemEm(deps.orm);
  const shipment = await em.findOneOrFail(Shipment, shipmentId);
  if (shipment.processStatus === 'cancelled') return 'cancelled';
  const before = shipment.transmittedAt === null ? 'created' : 'transmitted';
  const step = { ids: [shipmentId], to: 'cancelling', claim: true } as const;
  const moved = [
    ...(await moveShipments(em, { ...step, from: [before] })),
    // Or taken over from a run that vanished.
    ...(await moveShipments(em, { ...step, from: ['cancelling'], idleSeconds: deps.settings.callLimitMs / 1000 })),
  ];
  return moved.length > 0 ? before : null;
}
