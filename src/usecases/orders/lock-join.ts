import { Order, Shipment } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { withJoinedIds } from '../../db/queries/joined-orders.ts';
import { lockActiveShipments } from '../../db/queries/move-shipments.ts';
import { intArray } from '../../db/queries/sql.ts';
import { conflict, notFound, unprocessable } from '../../engine/find.ts';
import type { Problem } from '../../lib/errors.ts';

export interface LockedJoin {
  /** Sorted by id; an order alone when it is not joined. */
  orders: Order[];
  /** Active outbound shipments of all of them. */
  live: Shipment[];
  /** Those that began while the locks were taken; they are not locked. */
  begun: Shipment[];
}

/**
 * Locks orders with all that travel with them: shipments first, then orders by rising id. Throws a retryable 409 when
 * one of them is joined or leaves its join at this moment.
 */
export async function lockJoin(
  tx: Em,
  { companyId, orderIds }: { companyId: number; orderIds: readonly number[] },
): Promise<LockedJoin> {
  const ids = await withJoinedIds(tx, { companyId, orderIds });
  const live = await lockActiveShipments(tx, { companyId, orderIds: ids });
  await tx.execute('select id from orders where company_id = ? and id = any(?::int[]) order by id for update', [
    companyId,
    intArray(ids),
  ]);
  if (String(await withJoinedIds(tx, { companyId, orderIds })) !== String(ids)) {
    throw changedNow();
  }
  // They may have been read before the lock.
  const orders = await tx.find(Order, { id: { $in: ids }, companyId }, { orderBy: { id: 'asc' }, refresh: true });
  const locked = new Map([...live.values()].flat().map((shipment) => [shipment.id, shipment]));
  const begun = await tx.find(Shipment, {
    companyId,
    orderId: { $in: ids },
    direction: 'outbound',
    processStatus: { $nin: ['cancelled', 'rejected'] },
    id: { $nin: [...locked.keys()] },
  });
  return { orders, live: [...locked.values()], begun };
}

/**
 * Locks an order after its active shipments, and those that travel with it. Throws a 404 for an order that the company does
 * not have. Throws a retryable 409 when a booking began while this waited for the locks.
 */
export async function lockWithShipments(
  tx: Em,
  { companyId, orderId }: { companyId: number; orderId: number },
): Promise<{ order: Order; live: Shipment[] }> {
  const { orders, live, begun } = await lockJoin(tx, { companyId, orderIds: [orderId] });
  const order = orders.find(({ id }) => id === orderId);
  if (!order) throw notFound('order');
  if (begun.length > 0) throw changedNow();
  return { order, live };
}

function changedNow(): Problem {
  return conflict('order-changed', 'The order changed at this moment: try again', { retryable: true });
}

/**
 * Takes an order out of its join, whose rows the caller has locked. When it leads, or when one order would remain, the join
 * dissolves. All of its orders count as changed.
 */
export async function leaveJoin(tx: Em, orders: readonly Order[], orderId: number): Promise<void> {
  const order = orders.find(({ id }) => id === orderId);
  if (!order || order.joinedInto === null) return;
  const together = orders.filter(({ joinedInto }) => joinedInto === order.joinedInto);
  const isOver = order.joinedInto === orderId || together.length <= 2;
  const leaving = (isOver ? together : [order]).map(({ id }) => id);
  await tx.execute(
    `update orders set joined_into = case when id = any(?::int[]) then null else joined_into end,
            revision = revision + 1, updated_at = now() where company_id = ? and id = any(?::int[])`,
    [intArray(leaving), order.companyId, intArray(together.map(({ id }) => id))],
  );
}

/** Throws a 422 that names the way out when an order is joined. */
export function refuseJoined({ id, joinedInto }: Pick<Order, 'id' | 'joinedInto'>): void {
  if (joinedInto === null) return;
  throw unprocessable(
    `The order travels with others in the shipment of order ${joinedInto}: DELETE /orders/${id}/join takes it out, once that shipment is cancelled or while there is none`,
  );
}
