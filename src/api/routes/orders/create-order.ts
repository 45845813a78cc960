import { type CreatedOrder, createOrder } from '../../../usecases/orders/create-order.ts';
import { readOrder } from '../../../usecases/orders/read-orders.ts';
import { BASE_PATH } from '../../http/base-path.ts';
import { defineRoute, type Reply } from '../../http/route.ts';
import { ProblemBody } from '../../http/schemas.ts';
import { addressDoubtsHeader } from './address-doubts-body.ts';
import { createdOrderBody } from './order-body.ts';
import { newOrderOf, OrderBody } from './order-fields.ts';
import { productDoubtsHeader } from './product-doubts-body.ts';
import { OrderCreated } from './schemas.ts';

export const createOrderRoute = defineRoute({
  method: 'post',
  scope: 'orders:write',
  path: '/orders',
  tag: 'Orders',
  summary: 'Create an order',
  description:
    'An order with a doubtful shipping address is accepted: the header X-Address-Doubts names the doubtful fields, such as `/shipping/zip`, and `GET /orders/{id}` explains them. In Italy `shipping.province` may be the two letters or the name; the two letters are stored. A `product_id` that the catalogue lacks is kept as your own reference and returned as `companyProductId`; the header X-Product-Doubts names such items.',
  body: OrderBody,
  responses: {
    201: {
      description: 'The stored order with its totals; header X-Address-Doubts when the address is doubtful',
      schema: OrderCreated,
    },
    409: {
      description: 'The company wants unique order numbers and has this one: `orderId` is the order that has it',
      schema: ProblemBody,
    },
    422: { description: 'The warehouse, contract or connection does not exist', schema: ProblemBody },
  },
  isBatched: true,
  async handle(deps, { origin, body }) {
    const created = await createOrder(deps, {
      ...origin,
      order: newOrderOf(body),
    });
    return reply(created);
  },
  async recover(deps, { companyId }, orderId) {
    return reply(await readOrder(deps, { companyId, orderId }));
  },
});

function reply(created: CreatedOrder): Reply {
  return {
    status: 201,
    body: createdOrderBody(created),
    headers: {
      Location: `${BASE_PATH}/orders/${created.order.id}`,
      ...addressDoubtsHeader(created),
      ...productDoubtsHeader(created),
    },
  };
}
