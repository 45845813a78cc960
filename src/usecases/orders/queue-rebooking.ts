import { OperationItem, Shipment } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import { carrierCode } from '../../engine/call-contract.ts';
import type { Deps } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { carrierQueue } from '../../queue/jobs.ts';

/** Queues the new label of an order whose correction waited for this shipment's cancellation. Else it does nothing. */
export async function queueRebooking(deps: Deps, shipmentId: number, requestId: string): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, { shipmentId, kind: 'correct', status: 'pending' });
  if (!item) return;
  const { carrierId } = await em.findOneOrFail(Shipment, shipmentId);
  const queue = carrierQueue(await carrierCode(deps.orm, carrierId));
  const { id: itemId, companyId } = item;
  await enqueue(deps, queue, [{ name: 'correct', id: `correct-${itemId}`, companyId, payload: { itemId, requestId } }]);
}
