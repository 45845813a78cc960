import { Order, OrderCorrection, Shipment } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { lockOrders, moveOrders } from '../../db/queries/statuses.ts';
import type { Deps } from '../../engine/deps.ts';
import { addItems } from '../../engine/open-operation.ts';
import { applyChange, type OrderChange } from './order-change.ts';

/**
 * Carries out the correction or cancellation of an order that waits for its labels, in the transaction that settles the
 * cancellation of one of them. A refused cancellation refuses it, and the order stays as it was.
 */
export async function settleCorrection(
  deps: Pick<Deps, 'now'>,
  tx: Em,
  shipment: Pick<Shipment, 'id' | 'companyId' | 'orderId' | 'direction'>,
  { isCancelled }: { isCancelled: boolean },
): Promise<void> {
  const { companyId, orderId } = shipment;
  if (shipment.direction === 'return') return;
  const waiting = await tx.findOne(OrderCorrection, { orderId, companyId, status: 'waiting' });
  if (!waiting) return;
  const at = deps.now();
  if (!isCancelled) return decide(tx, waiting, { status: 'refused', at });
  // When two labels are cancelled at the same moment, the second run to get the lock sees that it is the last.
  await lockOrders(tx, { companyId, orderIds: [orderId] });
  const labels = {
    orderId,
    companyId,
    direction: 'outbound',
    processStatus: { $nin: ['cancelled', 'rejected'] },
  } as const;
  if ((await tx.count(Shipment, labels)) > 0) return;
  const order = await tx.findOneOrFail(Order, { id: orderId, companyId }, { refresh: true });
  if (waiting.kind === 'cancel') {
    await cancelLocked(tx, order, { reason: String(waiting.change.reason ?? '') });
    return decide(tx, waiting, { status: 'cancelled', at });
  }
  await applyChange(tx, { order, change: waiting.change as OrderChange, at });
  await addItems(tx, { companyId, operationId: waiting.operationId ?? 0, kind: 'correct' }, [
    { orderId, shipmentId: shipment.id },
  ]);
  await decide(tx, waiting, { status: 'rebooking', at: null });
}

async function decide(
  tx: Em,
  { id, companyId }: OrderCorrection,
  { status, at }: { status: OrderCorrection['status']; at: Date | null },
): Promise<void> {
  await tx.nativeUpdate(OrderCorrection, { id, companyId, status: 'waiting' }, { status, change: {}, settledAt: at });
}

/** Cancels an order without labels, which the caller has locked. What was planned for it before is not booked. */
export async function cancelLocked(
  tx: Em,
  { id, companyId }: Pick<Order, 'id' | 'companyId'>,
  { reason, error = null }: { reason: string | null; error?: string | null },
): Promise<void> {
  await moveOrders(tx, { companyId, orderIds: [id] }, 'cancelled', { error });
  await tx.execute(
    'update orders set cancel_reason = ?, revision = revision + 1, updated_at = now() where id = ? and company_id = ?',
    [reason, id, companyId],
  );
}
