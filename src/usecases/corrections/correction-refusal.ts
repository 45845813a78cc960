import { OrderCorrection } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { conflict } from '../../engine/find.ts';

/** Throws a `Problem` while an earlier correction or cancellation of the order waits for its carrier. */
export async function refuseWhileOpen(tx: Em, orderId: number): Promise<void> {
  const open = await tx.count(OrderCorrection, { orderId, status: { $in: ['waiting', 'rebooking'] } });
  if (open === 0) return;
  throw conflict('order-in-correction', 'An earlier change of the order waits for its carrier: try again later', {
    retryable: true,
  });
}
