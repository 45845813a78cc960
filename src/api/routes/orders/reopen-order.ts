import { reopenOrder } from '../../../usecases/corrections/cancel-order.ts';
import { readOrder } from '../../../usecases/orders/read-orders.ts';
import { type ApiDeps, defineRoute, type Reply } from '../../http/route.ts';
import { IdPath, ProblemBody } from '../../http/schemas.ts';
import { orderDetailBody } from './order-detail-body.ts';
import { OrderDetail } from './schemas.ts';

export const reopenOrderRoute = defineRoute({
  method: 'post',
  scope: 'orders:write',
  path: '/orders/{id}/reopen',
  tag: 'Orders',
  summary: 'Reopen a cancelled order',
  description:
    'An addition to the contract. Takes back `POST /orders/{id}/cancel`; an order that is not cancelled stays as it is. A cancellation by the shop is taken back in the shop.',
  params: IdPath,
  responses: {
    200: { description: 'The order, pending again', schema: OrderDetail },
    422: { description: 'Its marketplace cancelled it', schema: ProblemBody },
  },
  async handle(deps, { origin, companyId, params }) {
    await reopenOrder(deps, { ...origin, orderId: params.id });
    return reply(deps, companyId, params.id);
  },
  recover: (deps, { companyId }, orderId) => reply(deps, companyId, orderId),
});

async function reply(deps: ApiDeps, companyId: number, orderId: number): Promise<Reply> {
  return { status: 200, body: orderDetailBody(await readOrder(deps, { companyId, orderId })) };
}
