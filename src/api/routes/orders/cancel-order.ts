import { z } from 'zod';
import { cancelOrder } from '../../../usecases/corrections/cancel-order.ts';
import { readCorrection } from '../../../usecases/corrections/correct-order.ts';
import { readOrder } from '../../../usecases/orders/read-orders.ts';
import { CARRIER_PROBLEMS, replyWhenSettled } from '../../http/operation-reply.ts';
import { type ApiDeps, defineRoute, type Reply } from '../../http/route.ts';
import { IdPath, ProblemBody, text } from '../../http/schemas.ts';
import { orderDetailBody } from './order-detail-body.ts';
import { OrderDetail } from './schemas.ts';

export const cancelOrderRoute = defineRoute({
  method: 'post',
  scope: 'orders:write',
  path: '/orders/{id}/cancel',
  tag: 'Orders',
  summary: 'Cancel an order',
  description:
    'An addition to the contract. Labels of the order are cancelled with their carrier first, under the rules of `DELETE /shipment/{id}`. Repeating a cancellation succeeds. `POST /orders/{id}/reopen` takes it back.',
  params: IdPath,
  body: z.object({ reason: text(250).describe('Kept with the order') }).meta({ id: 'OrderCancellation' }),
  isBodyOptional: true,
  responses: {
    200: { description: 'The cancelled order', schema: OrderDetail },
    202: { description: 'The carrier has not answered yet, see Location', schema: OrderDetail },
    409: { description: 'In transit, on a bordero, or in progress', schema: ProblemBody },
    422: { description: 'The order is delivered or returned', schema: ProblemBody },
    ...CARRIER_PROBLEMS,
  },
  async handle(deps, { origin, companyId, params, body, waitMs }) {
    const id = await cancelOrder(deps, { ...origin, orderId: params.id, reason: body.reason });
    return reply(deps, { companyId, waitMs, orderId: params.id }, id);
  },
  async recover(deps, asker, id) {
    const { orderId } = await readCorrection(deps, { companyId: asker.companyId, id });
    return reply(deps, { ...asker, orderId }, id);
  },
});

async function reply(
  deps: ApiDeps,
  { companyId, waitMs, orderId }: { companyId: number; waitMs: number; orderId: number },
  correctionId: number | null,
): Promise<Reply> {
  const correction = correctionId === null ? null : await readCorrection(deps, { companyId, id: correctionId });
  if (correction?.operationId) return replyWhenSettled(deps, { companyId, waitMs }, correction.operationId);
  return { status: 200, body: orderDetailBody(await readOrder(deps, { companyId, orderId })) };
}
