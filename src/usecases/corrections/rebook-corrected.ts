import { OperationItem, OrderCorrection } from '../../db/entities/index.ts';
import { companyEm, systemEm } from '../../db/orm.ts';
import { settleItem } from '../../db/queries/operations.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { joinBooking } from '../shipments/open-booking.ts';
import { planShipments } from '../shipments/request-shipments.ts';

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
