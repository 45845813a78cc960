import { z } from 'zod';
import { requestReturns } from '../../usecases/request-returns.ts';
import { replyWhenSettled } from '../operation-reply.ts';
import { defineRoute } from '../route.ts';
import { BatchResult, Id } from '../schemas.ts';
import { MAX_BATCH } from './create-shipments.ts';

export const createReturnsRoute = defineRoute({
  method: 'post',
  path: '/shipment/return',
  tag: 'Shipments',
  summary: 'Order labels with which customers send parcels back',
  description:
    'One element per order that has its label. The return is a shipment of its own, from the customer to the warehouse, with the parcels of the order: GET /orders/{id} lists it with the direction `return`, and its label is at GET /shipment/{id}/label. It travels under carrierCompanyId, else under the contract the order was sent with; of a carrier that is not asked for return labels the order fails with that reason. An order that has its return label is a success with that label.',
  body: z
    .array(z.object({ orderId: Id, carrierCompanyId: Id.nullish() }))
    .min(1)
    .max(MAX_BATCH),
  responses: {
    200: { description: 'The truth per order', schema: BatchResult },
    202: { description: 'What is settled so far; the rest under Location', schema: BatchResult },
  },
  async handle(deps, request) {
    const requests = request.body.map((element) => ({
      orderId: element.orderId,
      contractId: element.carrierCompanyId ?? null,
    }));
    const opened = await requestReturns(deps, { ...request.origin, requests });
    return replyWhenSettled(deps, request, opened.operationId);
  },
  recover: replyWhenSettled,
});
