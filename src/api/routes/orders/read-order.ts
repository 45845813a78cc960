import { readOrder } from '../../../usecases/orders/read-orders.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { orderDetailBody } from './order-detail-body.ts';
import { OrderDetail } from './schemas.ts';

export const readOrderRoute = defineRoute({
  method: 'get',
  path: '/orders/{id}',
  tag: 'Orders',
  summary: 'Read an order',
  description:
    'The answer of order creation, and besides: shipments, payment, where the order came from, and what is doubtful about it. Every field is an addition of ours to the free object of the contract.',
  params: IdPath,
  responses: {
    200: {
      description: 'The order, its shipments and what happened to it',
      schema: OrderDetail,
    },
  },
  async handle(deps, { companyId, params }) {
    const view = await readOrder(deps, { companyId, orderId: params.id });
    return { status: 200, body: orderDetailBody(view) };
  },
});
