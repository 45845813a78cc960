import { OrderCorrection } from '../../db/entities/index.ts';
import { companyEm } from '../../db/orm.ts';
import { moveOrders } from '../../db/queries/statuses.ts';
import type { Deps } from '../../engine/deps.ts';
import { enqueueByCarrier } from '../../engine/enqueue.ts';
import { conflict, unprocessable } from '../../engine/find.ts';
import { markMade, type Origin, originOf } from '../../engine/idempotency.ts';
import { addItems, openOperation } from '../../engine/open-operation.ts';
import type { JobRequest } from '../../queue/jobs.ts';
import { cancelUnsold } from '../orders/cancel-unsold.ts';
import { lockWithShipments, refuseJoined } from '../orders/lock-join.ts';
import { lockOrder } from '../orders/lock-order.ts';
import { cancelLocked } from '../orders/settle-correction.ts';
import { isMoving, refuseUncancellable } from '../shipments/cancel-shipment.ts';
import { refuseWhileOpen } from './correction-refusal.ts';

const ON_ITS_WAY =
  'The parcel is on its way: POST /shipment/return makes a return label, and POST /shipment/{id}/release-held sends a held parcel back';

/**
 * Cancels an order, after the labels that it has. A cancelled order stays as it is, and a repeated call joins a
 * cancellation that waits for its carrier. Returns the id of the correction that stands for it; null when it was cancelled
 * already.
 */
export async function cancelOrder(
  deps: Deps,
  input: Origin & { orderId: number; reason: string },
): Promise<number | null> {
  const { companyId, orderId, reason } = input;
  const jobs: { carrierId: number; job: JobRequest }[] = [];
  const id = await companyEm(deps.orm, companyId).transactional(async (tx) => {
    const { order, live } = await lockWithShipments(tx, { companyId, orderId });
    if (order.status === 'cancelled') return null;
    refuseJoined(order);
    const earlier = await tx.findOne(OrderCorrection, { companyId, orderId, kind: 'cancel', status: 'waiting' });
    if (earlier) {
      await markMade(tx, input.once, earlier.id);
      return earlier.id;
    }
    await refuseWhileOpen(tx, orderId);
    if (live.some(isMoving) || ['shipped', 'held'].includes(order.status))
      throw conflict('shipment-moving', ON_ITS_WAY);
    if (order.status === 'delivered' || order.status === 'returned') {
      throw unprocessable(`The order is ${order.status}: it cannot be cancelled`);
    }
    for (const shipment of live) await refuseUncancellable(tx, shipment);
    const labels = live.filter(({ processStatus }) => processStatus !== 'queued');
    const unsold = live.filter((shipment) => !labels.includes(shipment));
    await cancelUnsold(tx, { companyId, shipmentIds: unsold.map((shipment) => shipment.id), at: deps.now() });
    const { once, ...origin } = originOf(input);
    const row = { companyId, orderId, kind: 'cancel' as const, changed: [], contractId: null };
    if (labels.length === 0) {
      await cancelLocked(tx, order, { reason });
      const made = { ...row, status: 'cancelled', operationId: null, change: {}, settledAt: deps.now() } as const;
      const correctionId = Number(await tx.insert(OrderCorrection, made));
      await markMade(tx, once, correctionId);
      return correctionId;
    }
    const { operationId } = await openOperation(tx, { ...origin, kind: 'cancel-order', input: {} }, []);
    const waiting = { ...row, status: 'waiting', operationId, change: { reason }, settledAt: null } as const;
    const correctionId = Number(await tx.insert(OrderCorrection, waiting));
    await markMade(tx, once, correctionId);
    // A booking that was planned before is refused from here on.
    await tx.execute('update orders set revision = revision + 1 where id = ? and company_id = ?', [orderId, companyId]);
    for (const { id: shipmentId, contractId, carrierId } of labels) {
      const to = { companyId, operationId, kind: 'cancel' } as const;
      const itemId = await addItems(tx, to, [{ orderId, shipmentId, contractId }]);
      const payload = { itemId, requestId: input.requestId };
      jobs.push({ carrierId, job: { name: 'cancel', id: `cancel-${itemId}`, companyId, payload } });
    }
    return correctionId;
  });
  await enqueueByCarrier(deps, jobs);
  return id;
}

/** Takes back a cancellation that was asked for here. One by the marketplace follows the marketplace. */
export async function reopenOrder(deps: Deps, input: Origin & { orderId: number }): Promise<void> {
  const { companyId, orderId } = input;
  await companyEm(deps.orm, companyId).transactional(async (tx) => {
    const order = await lockOrder(tx, { companyId, orderId });
    if (order.status === 'cancelled') {
      if (order.cancelReason === null) {
        throw unprocessable('The marketplace cancelled the order: reopen it there, and the next import follows');
      }
      if (order.forgottenAt !== null) throw unprocessable('The personal data of the order was erased: create it again');
      await moveOrders(tx, { companyId, orderIds: [orderId] }, 'pending');
      // A refusal that was planned before is about the cancelled order.
      await tx.execute(
        'update orders set cancel_reason = null, revision = revision + 1 where id = ? and company_id = ?',
        [orderId, companyId],
      );
    }
    await markMade(tx, input.once, orderId);
  });
}
