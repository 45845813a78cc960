import { z } from 'zod';
import { requestTransmit } from '../../../usecases/shipments/request-transmit.ts';
import { replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { Id } from '../../http/schemas.ts';
import { MAX_BATCH } from './booking-route.ts';
import { BatchResult } from './schemas.ts';

export const transmitShipmentsRoute = defineRoute({
  method: 'post',
  path: '/shipment/transmit',
  tag: 'Shipments',
  summary: 'Confirm booked shipments to their carriers',
  description:
    'One element per order. What was transmitted stays so: asking again is a success. A carrier that needs no confirmation is not called.',
  body: z
    .array(z.object({ orderId: Id }))
    .min(1)
    .max(MAX_BATCH),
  responses: {
    200: { description: 'The truth per order', schema: BatchResult },
    202: { description: 'What is settled so far; the rest under Location', schema: BatchResult },
  },
  async handle(deps, request) {
    const orderIds = request.body.map((element) => element.orderId);
    const opened = await requestTransmit(deps, { ...request.origin, orderIds });
    return replyWhenSettled(deps, request, opened.operationId);
  },
  recover: replyWhenSettled,
});
