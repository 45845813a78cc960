import { Order } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { lockActiveShipments } from '../../db/queries/move-shipments.ts';
import { cancelUnsold } from './cancel-unsold.ts';
import { lockOrder } from './lock-order.ts';
import { cancelLocked } from './settle-correction.ts';

/**
 * Cancels an order that its shop cancelled or deleted, with the shipments that have no label yet. It leaves an order with
 * a label to a person, because the parcel may be packed. Returns true when it is cancelled.
 */
export async function cancelForShop(
  tx: Em,
  { companyId, orderId, reason, at }: { companyId: number; orderId: number; reason: string; at: Date },
): Promise<boolean> {
  const live = (await lockActiveShipments(tx, { companyId, orderIds: [orderId] })).get(orderId) ?? [];
  const labels = live.filter(({ processStatus }) => processStatus !== 'queued');
  const unsold = live.filter((shipment) => !labels.includes(shipment));
  await cancelUnsold(tx, { companyId, shipmentIds: unsold.map(({ id }) => id), at, message: reason });
  const order = await lockOrder(tx, { companyId, orderId });
  const isCancelled = labels.length === 0;
  const error = isCancelled ? reason : `${reason}, but it has a shipment: cancel that first`;
  // A cancellation asked for here stays ours, and can be taken back here.
  if (isCancelled && order.status !== 'cancelled') await cancelLocked(tx, order, { reason: null, error });
  else await tx.nativeUpdate(Order, { id: orderId, companyId }, { error });
  return isCancelled;
}
