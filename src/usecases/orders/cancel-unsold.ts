import { OrderCorrection } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { type MovedShipment, moveShipments } from '../../db/queries/move-shipments.ts';
import { settleShipmentItems } from '../../db/queries/operations.ts';
import { lockOrders, moveOrders } from '../../db/queries/statuses.ts';
import { loseAttempts } from '../../engine/attempts.ts';
import { settleCorrection } from './settle-correction.ts';

/** Result of items that wait for a cancelled shipment. */
export const CANCELLED = { status: 'failed', message: 'The shipment was cancelled' } as const;

/** Cancels shipments without a label at their carrier by changing only the rows. The caller has locked them. */
export async function cancelUnsold(
  tx: Em,
  {
    companyId,
    shipmentIds,
    at,
    message = CANCELLED.message,
  }: { companyId: number; shipmentIds: readonly number[]; at: Date; message?: string },
): Promise<void> {
  if (shipmentIds.length === 0) return;
  const moved = await moveShipments(tx, {
    ids: shipmentIds,
    from: ['queued', 'unknown_outcome', 'cancelling'],
    to: 'cancelled',
    claim: true,
    set: { cancelled_at: at, next_poll_at: null, exhausted_at: null },
  });
  const ids = moved.map(({ id }) => id);
  await loseAttempts(tx, ids);
  const outbound = new Map(moved.filter(({ direction }) => direction === 'outbound').map((row) => [row.order_id, row]));
  const orders = { companyId, orderIds: [...outbound.keys()] };
  // Two parts of an order may end at the same moment: the second has to see what the first did.
  await lockOrders(tx, orders);
  await moveOrders(tx, orders, 'pending');
  for (const kind of ['create', 'transmit'] as const) {
    await settleShipmentItems(tx, { shipmentIds: ids, kind }, { ...CANCELLED, message });
  }
  await settleCorrections(tx, { companyId, outbound, at });
}

async function settleCorrections(
  tx: Em,
  { companyId, outbound, at }: { companyId: number; outbound: ReadonlyMap<number, MovedShipment>; at: Date },
): Promise<void> {
  const waiting = { companyId, orderId: { $in: [...outbound.keys()] }, status: 'waiting' } as const;
  for (const { orderId } of await tx.find(OrderCorrection, waiting, { fields: ['orderId'] })) {
    const { id = 0 } = outbound.get(orderId) ?? {};
    const shipment = { id, companyId, orderId, direction: 'outbound' } as const;
    await settleCorrection({ now: () => at }, tx, shipment, { isCancelled: true });
  }
}
