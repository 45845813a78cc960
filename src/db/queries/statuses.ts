import { type ManifestStatus, manifestStatusesBefore } from '../../domain/manifest-status.ts';
import { type OrderStatus, orderStatusesBefore } from '../../domain/order-status.ts';
import type { Shipment } from '../entities/index.ts';
import type { Em } from '../orm.ts';
import type { Runner } from './prepared.ts';
import { type Built, intArray, textArray } from './sql.ts';

const LIVE = `exists (select 1 from shipments s where s.company_id = orders.company_id and s.order_id = orders.id
  and s.direction = 'outbound' and s.process_status not in ('cancelled', 'rejected')`;
const UNSHIPPED = `exists (select 1 from order_parts p where p.order_id = orders.id and p.replaced_at is null and not exists
  (select 1 from shipments s where s.part_id = p.id and s.process_status not in ('cancelled', 'rejected')))`;

/**
 * A split order takes a status with its first part and ends with its last. It is delivered when every part has arrived,
 * and pending again when no part has a label. The shipment that moves the order has moved itself before.
 */
const WAITS_FOR_PARTS: Partial<Record<OrderStatus, string>> = {
  delivered: `(${UNSHIPPED} or ${LIVE} and s.delivered_at is null and s.tracking_status is distinct from 'returned'))`,
  returned: `(${UNSHIPPED} or ${LIVE} and s.tracking_status is distinct from 'returned' and s.tracking_status is distinct from 'destroyed'))`,
  pending: `${LIVE})`,
};

/** SQL: the chosen orders, and those that travel in their shipments. */
function withJoined(which: string): string {
  return `with asked (company_id, id) as (${which}) select company_id, id from asked
    union select m.company_id, m.id from orders m join asked on m.company_id = asked.company_id and m.joined_into = asked.id`;
}

/**
 * Returns the UPDATE of `moveOrders`, for statements that do more at once; `which` selects company_id and id of the
 * orders. An order that leads a join takes the others along.
 */
export function moveOrdersSql(which: Built, to: OrderStatus, { error = null }: { error?: string | null } = {}): Built {
  return {
    // Locked in the order of their ids, as shipments are.
    sql: `update orders set status = ?, error = ?, updated_at = now()
           where id in (select id from orders where (company_id, id) in (${withJoined(which.sql)}) and status = any(?::text[])
                           ${WAITS_FOR_PARTS[to] ? `and not (is_split and ${WAITS_FOR_PARTS[to]})` : ''}
                         order by id for no key update)
          returning id`,
    params: [to, error, ...which.params, textArray(orderStatusesBefore(to))],
  };
}

/**
 * Locks orders, and those joined into them, until the transaction ends, for writes in several steps. The lock order is
 * shipments, then borderos, then orders, and each by rising id. Any other order may deadlock.
 */
export async function lockOrders(
  em: Em,
  { companyId, orderIds }: { companyId: number; orderIds: readonly number[] },
): Promise<void> {
  if (orderIds.length === 0) return;
  const ids = intArray(orderIds);
  await em.execute(
    `select id from orders where company_id = ? and (id = any(?::int[]) or joined_into = any(?::int[]))
      order by id for no key update`,
    [companyId, ids, ids],
  );
}

/** Moves orders where their status machine allows it; the others stay as they are. Returns the ids that moved. */
export async function moveOrders(
  em: Em,
  orders: { companyId: number; orderIds: readonly number[] },
  to: OrderStatus,
  options: { error?: string | null } = {},
): Promise<number[]> {
  if (orders.orderIds.length === 0) return [];
  const { companyId, orderIds } = orders;
  const which = { sql: 'select ?::int, unnest(?::int[])', params: [companyId, intArray(orderIds)] };
  const { sql, params } = moveOrdersSql(which, to, options);
  return (await em.execute<{ id: number }[]>(sql, params)).map((row) => row.id);
}

/**
 * Marks orders that cannot be shipped as they are, each with its reason. An order that is further along stays as it is, and
 * so does one that has changed since the decision.
 */
export async function refuseOrders(
  tx: Runner,
  companyId: number,
  refused: readonly { orderId: number; revision: number; message: string }[],
): Promise<void> {
  if (refused.length === 0) return;
  await tx.execute(
    `update orders set status = 'error', error = refused.message, updated_at = now()
       from jsonb_to_recordset(?::jsonb) as refused ("orderId" int, revision int, message text)
      where id = "orderId" and orders.revision = refused.revision
        and id in (select id from orders where company_id = ? and id = any(?::int[]) and status = any(?::text[])
                    order by id for no key update)`,
    [
      JSON.stringify(refused),
      companyId,
      intArray(refused.map(({ orderId }) => orderId)),
      textArray(orderStatusesBefore('error')),
    ],
  );
}

/** Moves an order, and those joined into it, with its outbound shipment; a return does not move it. */
export async function moveOrderOf(
  em: Em,
  shipment: Pick<Shipment, 'companyId' | 'orderId' | 'partId' | 'direction'>,
  to: OrderStatus,
  options: { error?: string | null } = {},
): Promise<void> {
  if (shipment.direction === 'return') return;
  const orders = { companyId: shipment.companyId, orderIds: [shipment.orderId] };
  // Two parts may end at the same moment: the second has to see what the first did.
  if (shipment.partId !== null) await lockOrders(em, orders);
  await moveOrders(em, orders, to, options);
}

/** Moves borderos where their status machine allows it. */
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
