import { OperationItem, OrderCorrection, Shipment } from '../../db/entities/index.ts';
import { companyEm, systemEm } from '../../db/orm.ts';
import { settleItem } from '../../db/queries/operations.ts';
import { carrierCode } from '../../engine/call-contract.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { carrierQueue } from '../../queue/jobs.ts';
import { joinBooking } from '../shipments/open-booking.ts';
import { planShipments } from '../shipments/request-shipments.ts';

/** Queues the new label of an order whose correction waited for this shipment's cancellation. Else it does nothing. */
export async function queueRebooking(deps: Deps, shipmentId: number, requestId: string): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, { shipmentId, kind: 'correct', status: 'pending' });
  if (!item) return;
  const { carrierId } = await em.findOneOrFail(Shipment, shipmentId);
  const queue = carrierQueue(await carrierCode(deps.orm, carrierId));
  await enqueue(deps, queue, [{ name: 'correct', id: `correct-${item.id}`, payload: { itemId: item.id, requestId } }]);
}

/** Orders the label of a corrected order, with the contract of the cancelled one unless the correction names another. */
export async function rebookCorrected(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  const item = await systemEm(deps.orm).findOne(OperationItem, {
    id: input.itemId,
    kind: 'correct',
    status: 'pending',
  });
  if (!item || item.orderId === null) return;
  const { companyId, orderId, operationId } = item;
  const correction = await companyEm(deps.orm, companyId).findOne(OrderCorrection, {
    operationId,
    status: 'rebooking',
  });
  if (!correction) return;
  // The cancelled label was bought although the import found problems, so its successor is too.
  const requests = [{ orderId, contractId: correction.contractId, shipAnyway: true }];
  const plans = await planShipments(deps, { companyId, requests });
  await joinBooking(
    deps,
    { companyId, requestId: input.requestId },
    {
      plans,
      operationId,
      async claim(tx) {
        const claimed = await tx.nativeUpdate(
          OrderCorrection,
          { id: correction.id, companyId, status: 'rebooking' },
          { status: 'rebooked', settledAt: deps.now() },
        );
        return claimed > 0 && settleItem(tx, { itemId: item.id }, { status: 'succeeded', message: '' });
      },
    },
  );
}
