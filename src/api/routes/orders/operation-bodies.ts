import type { OperationView } from '../../../engine/read-operation.ts';
import { type CorrectionView, readCorrection } from '../../../usecases/corrections/correct-order.ts';
import { readOrder } from '../../../usecases/orders/read-orders.ts';
import { refusedCancellation } from '../../http/operation-reply.ts';
import type { ApiDeps, OperationBody } from '../../http/route.ts';
import { orderDetailBody } from './order-detail-body.ts';

type Items = OperationView['items'];

/** Returns the order with what became of its correction; null: it changed nothing. Throws the refusal of the carrier. */
export async function correctedBody(
  deps: ApiDeps,
  {
    companyId,
    orderId,
    correction,
    items,
  }: { companyId: number; orderId: number; correction: CorrectionView | null; items: Items },
) {
  if (correction?.status === 'refused') throw refusal(items);
  const detail = orderDetailBody(await readOrder(deps, { companyId, orderId }));
  return { ...detail, correction: { changed: correction?.changed ?? [], ...outcomeOf(correction, items) } };
}

function outcomeOf(correction: CorrectionView | null, items: Items): { applied: string; message: string | null } {
  if (correction === null) return { applied: 'nothing', message: null };
  if (correction.status === 'corrected') return { applied: 'corrected', message: null };
  if (items.some(({ settledAt }) => settledAt === null)) return { applied: 'pending', message: null };
  const failed = items.find(({ status }) => status === 'failed');
  if (!failed) return { applied: 'rebooked', message: null };
  return { applied: 'corrected', message: `The old label is cancelled, and there is no new one: ${failed.message}` };
}

function refusal(items: Items): Error {
  return refusedCancellation(
    items.find(({ status }) => status === 'failed') ?? {
      message: 'The carrier did not cancel the label at first: read the order, then repeat the request',
      failureKind: null,
    },
  );
}

export const orderBodies = {
  async correct(deps, { operation, items }, companyId) {
    const correction = await readCorrection(deps, { companyId, operationId: operation.id });
    return correctedBody(deps, { companyId, orderId: correction.orderId, correction, items });
  },
  async 'cancel-order'(deps, { operation, items }, companyId) {
    const { orderId, status } = await readCorrection(deps, { companyId, operationId: operation.id });
    if (status === 'refused') throw refusal(items);
    return orderDetailBody(await readOrder(deps, { companyId, orderId }));
  },
} satisfies Record<string, OperationBody>;
