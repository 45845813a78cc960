import { CarrierRow, Contract, ManifestItem, OperationItem, type Shipment } from '../../db/entities/index.ts';
import { companyEm, type Em, systemEm } from '../../db/orm.ts';
import { lockShipment, moveShipments } from '../../db/queries/move-shipments.ts';
import { reopenItem, settleShipmentItems } from '../../db/queries/operations.ts';
import { moveOrderOf } from '../../db/queries/statuses.ts';
import type { ProcessStatus } from '../../domain/shipment-status.ts';
import { type Attempt, attempted, type Begin } from '../../engine/attempted.ts';
import { lastAttempt, loseAttempts } from '../../engine/attempts.ts';
import { callContract } from '../../engine/call-contract.ts';
import type { Conclusion } from '../../engine/conclude-failure.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { conflict, notFound } from '../../engine/find.ts';
import { type Origin, originOf } from '../../engine/idempotency.ts';
import { type OpenedOperation, openOperation } from '../../engine/open-operation.ts';
import { handleOf } from '../../engine/shipment-draft.ts';
import type { FailureKind } from '../../lib/errors.ts';
import { carrierQueue } from '../../queue/jobs.ts';
import { CANCELLED, cancelUnsold } from '../orders/cancel-unsold.ts';
import { queueRebooking } from '../orders/queue-rebooking.ts';
import { settleCorrection } from '../orders/settle-correction.ts';
import { followParcel } from '../tracking/follow-parcel.ts';

const MOVING = 'The shipment is already in transit';
const ON_MANIFEST = 'The shipment is on a bordero: delete the bordero first';
const IN_PROGRESS = 'The shipment is in progress: try again later';

/** Queues a cancellation. Returns null when the shipment is cancelled already, or never reached its carrier. */
export async function requestCancel(
  deps: Deps,
  input: Origin & { shipmentId: number },
): Promise<OpenedOperation | null> {
  const opened = await companyEm(deps.orm, input.companyId).transactional(async (tx) => {
    // Under the lock that a bordero takes too: either it sees the cancellation, or this sees the bordero.
    const shipment = await lockShipment(tx, input.shipmentId);
    if (!shipment) throw notFound('shipment');
    if (shipment.processStatus === 'cancelled' || shipment.processStatus === 'rejected') return null;
    await refuseUncancellable(tx, shipment);
    if (shipment.processStatus === 'queued') {
      await cancelUnsold(tx, { companyId: input.companyId, shipmentIds: [shipment.id], at: deps.now() });
      return null;
    }
    const operation = await openOperation(tx, { ...originOf(input), kind: 'cancel', input: {} }, [
      { orderId: shipment.orderId, shipmentId: shipment.id, contractId: shipment.contractId },
    ]);
    const carrier = await tx.findOneOrFail(CarrierRow, shipment.carrierId);
    return { ...operation, queue: carrierQueue(carrier.code) };
  });
  if (!opened) return null;
  const itemId = opened.firstItemId;
  const { companyId, requestId } = input;
  const job = { name: 'cancel' as const, id: `cancel-${itemId}`, companyId, payload: { itemId, requestId } };
  await enqueue(deps, opened.queue, [job]);
  return opened;
}

/** Throws a `Problem` for a shipment that moves, is on a bordero, or is in another request's hands. */
export async function refuseUncancellable(tx: Em, shipment: Shipment): Promise<void> {
  if (isMoving(shipment)) throw conflict('shipment-moving', MOVING);
  if (await isOnManifest(tx, shipment.id)) throw conflict('shipment-on-manifest', ON_MANIFEST);
  if (!['queued', 'created', 'transmitted', 'cancelling'].includes(shipment.processStatus)) {
    throw conflict('shipment-in-progress', IN_PROGRESS, { retryable: true });
  }
}

export function isMoving({ trackingStatus }: Pick<Shipment, 'trackingStatus'>): boolean {
  return trackingStatus !== null && trackingStatus !== 'awaiting_pickup';
}

async function isOnManifest(tx: Em, shipmentId: number): Promise<boolean> {
  return (await tx.count(ManifestItem, { shipmentId, restoredAt: null })) > 0;
}

/**
 * Cancels a booked shipment at its carrier, if the carrier supports that. Cancelling is idempotent, so a lost answer is retried.
 * While the outcome is unknown, the shipment is neither valid nor cancelled and stays `cancelling`.
 */
export async function cancelShipment(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, input.itemId);
  if (!item?.shipmentId || !(await reopenItem(em, item.id))) return;
  const { shipmentId } = item;
  await attempted<Attempt, void>(deps, input, {
    operation: 'cancel',
    claim: (tx, begin) => claimForCancel(deps, tx, shipmentId, begin),
    async call({ shipment, attemptId }, claimedAt) {
      const contract = await em.findOneOrFail(Contract, shipment.contractId);
      const call = { ...input, contract, shipmentId, attemptId, claimedAt };
      await callContract(deps, call, async (carrier, context) => carrier.cancelShipment?.(context, handleOf(shipment)));
    },
    settle: (tx, { shipment }) => settleCancelled(deps, tx, shipment),
    fail: (tx, attempt, conclusion) => settleFailure(deps, tx, attempt, conclusion),
  });
  await queueRebooking(deps, shipmentId, input.requestId);
}

/**
 * Records a cancellation by the carrier, whichever run has the row now. Only a suspended run may know of it, and another run may have
 * set the shipment to valid again. So this settles without checking the fence, and raises it.
 */
async function settleCancelled(deps: Deps, tx: Em, shipment: Shipment): Promise<void> {
  const ids = [shipment.id];
  await moveShipments(tx, { ids, from: ['created', 'transmitted'], to: 'cancelling', claim: true });
  const moved = await moveShipments(tx, {
    ids,
    from: ['cancelling'],
    to: 'cancelled',
    claim: true,
    set: {
      cancelled_at: deps.now(),
      next_poll_at: null,
      exhausted_at: null,
      // Merged parcels were cancelled with the shipment; labels with a number of their own still exist.
      ...(shipment.surplus?.trackingNumbers.length === 0 ? { surplus: null } : {}),
    },
  });
  if (moved.length === 0) return;
  await loseAttempts(tx, ids);
  await moveOrderOf(tx, shipment, 'pending');
  await settleShipmentItems(tx, { shipmentIds: ids, kind: 'transmit' }, CANCELLED);
  await settleCancel(deps, tx, shipment, { status: 'succeeded', message: '' });
}

/** Settles all items that wait for the cancellation of a shipment, and the change of its order that does. */
async function settleCancel(
  deps: Deps,
  tx: Em,
  shipment: Shipment,
  end: { status: 'succeeded' | 'failed'; message: string; failureKind?: FailureKind },
): Promise<void> {
  await settleCorrection(deps, tx, shipment, { isCancelled: end.status === 'succeeded' });
  await settleShipmentItems(tx, { shipmentIds: [shipment.id], kind: 'cancel' }, end);
}

/** Claims the shipment and records the attempt, or settles at once. Null: no call is needed. */
async function claimForCancel(deps: Deps, tx: Em, shipmentId: number, begin: Begin): Promise<Attempt | null> {
  const shipment = await lockShipment(tx, shipmentId);
  if (!shipment) return null;
  const refuse = async (message: string): Promise<null> => {
    await settleCancel(deps, tx, shipment, { status: 'failed', message });
    return null;
  };
  let idleSeconds = 0;
  switch (shipment.processStatus) {
    case 'cancelled':
    case 'rejected':
      await settleCancel(deps, tx, shipment, { status: 'succeeded', message: '' });
      return null;
    case 'created':
    case 'transmitted':
      if (isMoving(shipment)) return refuse(MOVING);
      if (await isOnManifest(tx, shipment.id)) return refuse(ON_MANIFEST);
      break;
    case 'cancelling': {
      // Between two attempts no run is inside a call. During a call, only a lost run may be replaced.
      const last = await lastAttempt(tx, shipment.id, 'cancel');
      if (last?.outcome === 'running') idleSeconds = deps.settings.callLimitMs / 1000;
      break;
    }
    default:
      return refuse(IN_PROGRESS);
  }
  const [moved] = await moveShipments(tx, {
    ids: [shipment.id],
    from: [shipment.processStatus],
    to: 'cancelling',
    claim: true,
    ...(idleSeconds > 0 ? { idleSeconds } : {}),
    set: { exhausted_at: null },
  });
  return moved ? begin(shipment, moved.fence) : null;
}

async function settleFailure(
  deps: Deps,
  tx: Em,
  { shipment, fence }: Attempt,
  { end, message, failureKind }: Conclusion,
): Promise<void> {
  if (end === 'again') return;
  const moved = await moveShipments(tx, {
    ids: [shipment.id],
    fences: [fence],
    from: ['cancelling'],
    to: end === 'unknown' ? 'cancelling' : statusBefore(shipment),
    set:
      end === 'unknown'
        ? { failure: { code: 'cancel-unknown', message, retryable: true }, exhausted_at: deps.now() }
        : { exhausted_at: null },
  });
  if (moved.length === 0) return;
  await followParcel(tx, shipment.id); // a scan may have come in the meantime
  await settleCancel(deps, tx, shipment, { status: 'failed', message, failureKind });
  // An earlier confirmation request cannot succeed: it gets the same answer as a new one.
  const waiting = { shipmentIds: [shipment.id], kind: 'transmit' as const };
  if (end === 'unknown') await settleShipmentItems(tx, waiting, { status: 'failed', message });
}

/** Returns the status of the shipment when the carrier refuses the cancellation. */
export function statusBefore(
  shipment: Pick<Shipment, 'transmittedAt'>,
): Extract<ProcessStatus, 'created' | 'transmitted'> {
  return shipment.transmittedAt === null ? 'created' : 'transmitted';
}
