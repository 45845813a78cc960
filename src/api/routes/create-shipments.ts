import { z } from 'zod';
import { requestShipments } from '../../usecases/request-shipments.ts';
import { replyWhenSettled } from '../operation-reply.ts';
import { defineRoute } from '../route.ts';
import { BatchResult, Id } from '../schemas.ts';

export const MAX_BATCH = 5000;

export const createShipmentsRoute = defineRoute({
  method: 'post',
  path: '/shipment/create',
  tag: 'Shipments',
  summary: 'Book shipments with their carriers',
  description:
    'One element per order. carrierCompanyId is an addition of ours: it wins over the contract of the order, the default of the company, and the cheapest eligible one. An order that has its label is a success with that label.',
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
    const opened = await requestShipments(deps, { ...request.origin, requests });
    return replyWhenSettled(deps, request, opened.operationId);
  },
  recover: replyWhenSettled,
});
