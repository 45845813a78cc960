import { Order } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { notFound } from '../../engine/find.ts';

/** Locks an order against bookings that were planned before. Throws the 404 of an order that the company does not have. */
export async function lockOrder(
  tx: Em,
  { companyId, orderId }: { companyId: number; orderId: number },
): Promise<Order> {
  await tx.execute('select id from orders where id = ? and company_id = ? for update', [orderId, companyId]);
  // It may have been read before the lock.
  const order = await tx.findOne(Order, { id: orderId, companyId }, { refresh: true });
  if (!order) throw notFound('order');
  return order;
}
