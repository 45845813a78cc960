import type { Shipment } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { moveShipments } from '../../db/queries/move-shipments.ts';
import { settleShipmentItems } from '../../db/queries/operations.ts';
import { moveOrderOf } from '../../db/queries/statuses.ts';
import { loseAttempts } from '../../engine/attempts.ts';
import { settleCorrection } from './settle-correction.ts';

/** Result of items that wait for a cancelled shipment. */
export const CANCELLED = { status: 'failed', message: 'The shipment was cancelled' } as const;

/** Cancels a shipment without a label at its carrier by changing only the row. */
export async function cancelUnsold(
  tx: Em,
  shipment: Shipment,
  now: Date,
  message: string = CANCELLED.message,
): Promise<void> {
  await moveShipments(tx, {
    ids: [shipment.id],
    from: ['queued', 'unknown_outcome', 'cancelling'],
    to: 'cancelled',
    claim: true,
    set: { cancelled_at: now, next_poll_at: null, exhausted_at: null },
  });
  await loseAttempts(tx, [shipment.id]);
  await moveOrderOf(tx, shipment, 'pending');
  for (const kind of ['create', 'transmit'] as const) {
    await settleShipmentItems(tx, { shipmentIds: [shipment.id], kind }, { ...CANCELLED, message });
  }
  await settleCorrection({ now: () => now }, tx, shipment, { isCancelled: true });
}
