import { z } from 'zod';
import { joinOrders, undoJoin } from '../../../usecases/orders/join-orders.ts';
import { readOrder } from '../../../usecases/orders/read-orders.ts';
import { type ApiDeps, defineRoute, type Reply } from '../../http/route.ts';
import { Id, IdPath, ProblemBody } from '../../http/schemas.ts';
import { orderDetailBody } from './order-detail-body.ts';
import { OrderDetail } from './schemas.ts';

const JoinBody = z
  .object({ orderIds: z.array(Id).min(2).max(50).describe('The first order leads') })
  .meta({ id: 'OrderJoin' });

export const joinOrdersRoute = defineRoute({
  method: 'post',
  scope: 'orders:write',
  path: '/orders/join',
  tag: 'Orders',
  summary: 'Join orders into one shipment',
  description:
    'An addition to the contract. Orders to the same recipient and address get one shipment with one label. `POST /shipment/create` books it by any of them, and each order is confirmed to its own shop with the same number. Parcels, value, insurance and cash on delivery are added up.',
  body: JoinBody,
  responses: {
    200: { description: 'The order that leads', schema: OrderDetail },
    409: { description: 'An order is joined or leaves a join at this moment', schema: ProblemBody },
    422: {
      description: 'An order that cannot travel with the first, such as one to another address',
      schema: ProblemBody,
    },
  },
  async handle(deps, { origin, companyId, body }) {
    await joinOrders(deps, { ...origin, orderIds: body.orderIds });
    return reply(deps, companyId, body.orderIds[0] ?? 0);
  },
  recover: (deps, { companyId }, orderId) => reply(deps, companyId, orderId),
});

export const undoJoinRoute = defineRoute({
  method: 'delete',
  scope: 'orders:write',
  path: '/orders/{id}/join',
  tag: 'Orders',
  summary: 'Take an order out of its join',
  description:
    'An addition to the contract. The order that leads dissolves the join; so does the last but one. An order that is not joined stays as it is.',
  params: IdPath,
  responses: {
    200: { description: 'The order, on its own', schema: OrderDetail },
    409: { description: 'The join changes at this moment', schema: ProblemBody },
    422: { description: 'The orders have a shipment', schema: ProblemBody },
  },
  async handle(deps, { origin, companyId, params }) {
    await undoJoin(deps, { ...origin, orderId: params.id });
    return reply(deps, companyId, params.id);
  },
  recover: (deps, { companyId }, orderId) => reply(deps, companyId, orderId),
});

async function reply(deps: ApiDeps, companyId: number, orderId: number): Promise<Reply> {
  return { status: 200, body: orderDetailBody(await readOrder(deps, { companyId, orderId })) };
}
