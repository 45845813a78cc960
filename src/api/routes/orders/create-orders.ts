import { z } from 'zod';
import { createOrders } from '../../../usecases/orders/create-orders.ts';
import { badRequest, problemFields, violationsOf } from '../../http/problem.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, ProblemBody } from '../../http/schemas.ts';
import { newOrderOf, OrderBody } from './order-fields.ts';

const MAX_BATCH = 1000;

const BatchElement = z
  .union([
    z.object({ index: z.number().int(), orderId: Id }),
    z.object({ index: z.number().int(), problem: ProblemBody }),
  ])
  .meta({ id: 'CreatedOrder', description: 'The order, or why there is none; `index` counts the elements from 0' });

export const createOrdersRoute = defineRoute({
  method: 'post',
  scope: 'orders:write',
  path: '/orders/batch',
  tag: 'Orders',
  summary: 'Create many orders',
  description:
    'An addition to the contract. Each element is a body of POST /orders. The answer has the truth per element: an element that is refused does not fail the others. With an Idempotency-Key, a repeated batch creates only what is missing.',
  // Each element is validated by itself, because one fault must not refuse the batch.
  body: z
    .array(z.unknown().meta({ override: { $ref: '#/components/schemas/OrderCreation' } }))
    .min(1)
    .max(MAX_BATCH),
  responses: { 200: { description: 'The truth per element', schema: z.array(BatchElement) } },
  points: ({ body }) => body.length,
  async handle(deps, { origin, body, requestId }) {
    const parsed = body.map((element) => OrderBody.safeParse(element));
    const orders = parsed.flatMap((one) => (one.success ? [newOrderOf(one.data)] : []));
    const created = (await createOrders(deps, { ...origin, orders })).values();
    return {
      status: 200,
      body: parsed.map((one, index) => {
        if (!one.success) {
          return { index, problem: problemFields(badRequest(violationsOf(one.error, 'body')), requestId) };
        }
        const result = created.next().value;
        if (result === undefined) throw new Error('There are fewer results than orders');
        return 'orderId' in result
          ? { index, orderId: result.orderId }
          : { index, problem: problemFields(result.problem, requestId) };
      }),
    };
  },
});
