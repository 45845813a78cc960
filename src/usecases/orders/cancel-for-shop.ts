import { Order } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { notFound } from '../../engine/find.ts';
import { cancelUnsold } from './cancel-unsold.ts';
import { leaveJoin, lockJoin } from './lock-join.ts';
import { cancelLocked } from './settle-correction.ts';

/**
 * Cancels an order that its shop cancelled or deleted, with the shipments that have no label yet. It leaves an order with
 * a label to a person, because the parcel may be packed. A joined order leaves its join; the orders that remain get
 * another shipment. Returns true when it is cancelled.
 */
export async function cancelForShop(
  tx: Em,
  { companyId, orderId, reason, at }: { companyId: number; orderId: number; reason: string; at: Date },
): Promise<boolean> {
  const { orders, live, begun } = await lockJoin(tx, { companyId, orderIds: [orderId] });
  const order = orders.find(({ id }) => id === orderId);
  if (!order) throw notFound('order');
  const labels = [...live.filter(({ processStatus }) => processStatus !== 'queued'), ...begun];
  const unsold = live.filter((shipment) => !labels.includes(shipment));
  await cancelUnsold(tx, { companyId, shipmentIds: unsold.map(({ id }) => id), at, message: reason });
  const isCancelled = labels.length === 0;
  const held = order.joinedInto === null ? 'it has a shipment' : 'it shares a shipment with other orders';
  const error = isCancelled ? reason : `${reason}, but ${held}: cancel that first`;
  if (isCancelled) await leaveJoin(tx, orders, orderId);
  // A cancellation asked for here stays ours, and can be taken back here.
  if (isCancelled && order.status !== 'cancelled') await cancelLocked(tx, order, { reason: null, error });
  else await tx.nativeUpdate(Order, { id: orderId, companyId }, { error });
  return isCancelled;
}
