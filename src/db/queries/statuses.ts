import { type ManifestStatus, manifestStatusesBefore } from '../../domain/manifest-status.ts';
import { type OrderStatus, orderStatusesBefore } from '../../domain/order-status.ts';
import type { Shipment } from '../entities/index.ts';
import type { Em } from '../orm.ts';
import { type Built, intArray, textArray } from './sql.ts';

/** The UPDATE of `moveOrders`, for statements that do more at once; `onlyIf` is a further condition. */
export function moveOrdersSql(
  orders: { companyId: number; orderIds: readonly number[] },
  to: OrderStatus,
  { error = null, onlyIf = 'true' }: { error?: string | null; onlyIf?: string } = {},
): Built {
  return {
    sql: `update orders set status = ?, error = ?, updated_at = now()
           where company_id = ? and id = any(?::int[]) and status = any(?::text[]) and ${onlyIf} returning id`,
    params: [to, error, orders.companyId, intArray(orders.orderIds), textArray(orderStatusesBefore(to))],
  };
}

/** Moves orders where their status machine allows it; the others stay as they are. Answers the ids that moved. */
export async function moveOrders(
  em: Em,
  orders: { companyId: number; orderIds: readonly number[] },
  to: OrderStatus,
  options: { error?: string | null } = {},
): Promise<number[]> {
  if (orders.orderIds.length === 0) return [];
  const { sql, params } = moveOrdersSql(orders, to, options);
  return (await em.execute<{ id: number }[]>(sql, params)).map((row) => row.id);
}

/** The order follows its outbound shipment; what comes back speaks for itself. */
export async function moveOrderOf(
  em: Em,
  shipment: Pick<Shipment, 'companyId' | 'orderId' | 'direction'>,
  to: OrderStatus,
  options: { error?: string | null } = {},
): Promise<void> {
  if (shipment.direction === 'return') return;
  await moveOrders(em, { companyId: shipment.companyId, orderIds: [shipment.orderId] }, to, options);
}

/** The same for borderos. */
export async function moveManifests(
  em: Em,
  manifests: { companyId: number; manifestIds: readonly number[] },
  to: ManifestStatus,
): Promise<void> {
  if (manifests.manifestIds.length === 0) return;
  await em.execute(
    `update manifests set status = ?, updated_at = now()
      where company_id = ? and id = any(?::int[]) and status = any(?::text[])`,
    [to, manifests.companyId, intArray(manifests.manifestIds), textArray(manifestStatusesBefore(to))],
  );
}
