import { z } from 'zod';
import { ORDER_STATUSES } from '../../../domain/order-status.ts';
import { listOrders } from '../../../usecases/orders/list-orders.ts';
import { nextPage, PageLimit } from '../../http/paging.ts';
import { defineRoute } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { orderBody } from './order-body.ts';
import { OrderFields } from './schemas.ts';

const DEFAULT_LIMIT = 100;

export const listOrdersRoute = defineRoute({
  method: 'get',
  isQueryStrict: true,
  path: '/orders',
  tag: 'Orders',
  summary: 'List orders, newest first',
  description: 'An addition of ours, which also lists imported orders. The Link header leads to the next page.',
  query: z.object({
    status: z.enum(ORDER_STATUSES).optional(),
    orderNumber: z.string().max(120).optional(),
    marketplaceOrderId: z.string().max(120).optional(),
    printed: z
      .enum(['true', 'false'])
      .optional()
      .describe('false: the label is not printed yet; true: it is marked as printed'),
    limit: PageLimit.optional(),
    cursor: IdText.optional(),
  }),
  responses: { 200: { description: 'One page of orders', schema: z.array(OrderFields) } },
  async handle(deps, { companyId, query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const orders = await listOrders(deps, {
      companyId,
      status: query.status ?? null,
      orderNumber: query.orderNumber ?? null,
      externalOrderId: query.marketplaceOrderId ?? null,
      isPrinted: query.printed === undefined ? null : query.printed === 'true',
      limit,
      beforeId: query.cursor ?? null,
    });
    return {
      status: 200,
      body: orders.map((order) => orderBody({ order })),
      ...nextPage('/orders', { ids: orders.map((order) => order.id), limit, query: { ...query, limit } }),
    };
  },
});
