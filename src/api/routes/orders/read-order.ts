import { readOrder } from '../../../usecases/orders/read-orders.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { orderDetailBody, revisionOf } from './order-detail-body.ts';
import { OrderDetail } from './schemas.ts';

export const readOrderRoute = defineRoute({
  method: 'get',
  scope: 'orders:read',
  path: '/orders/{id}',
  tag: 'Orders',
  summary: 'Read an order',
  description:
    'The answer of order creation, and in addition shipments, payment, origin and doubts. The contract leaves the object open, so every field is an addition. The ETag names the version: `PATCH /orders/{id}` compares it with `If-Match`.',
  params: IdPath,
  responses: {
    200: {
      description: 'The order with its shipments and its history',
      schema: OrderDetail,
    },
  },
  isBatched: true,
  async handle(deps, { companyId, params }) {
    const view = await readOrder(deps, { companyId, orderId: params.id });
    return { status: 200, body: orderDetailBody(view), revision: revisionOf(view) };
  },
});
