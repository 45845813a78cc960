import { z } from 'zod';
import { requestTransmit } from '../../../usecases/shipments/request-transmit.ts';
import { replyToBatch, replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { Id } from '../../http/schemas.ts';
import { MAX_BATCH } from './booking-route.ts';
import { BatchResult } from './schemas.ts';

export const transmitShipmentsRoute = defineRoute({
  method: 'post',
  scope: 'shipments:write',
  path: '/shipment/transmit',
  tag: 'Shipments',
  summary: 'Transmit shipments to their carriers',
  description:
    'Confirms booked shipments, one element per order. Repeating it for a transmitted shipment succeeds. A carrier that needs no confirmation is not called.',
  body: z
    .array(z.object({ orderId: Id }))
    .min(1)
    .max(MAX_BATCH),
  responses: {
    200: { description: 'The result per order', schema: BatchResult },
    202: { description: 'The settled results so far; Location has the rest later', schema: BatchResult },
  },
  points: ({ body }) => body.length,
  async handle(deps, request) {
    const orderIds = request.body.map((element) => element.orderId);
    const opened = await requestTransmit(deps, { ...request.origin, orderIds });
    return replyToBatch(deps, request, opened);
  },
  recover: replyWhenSettled,
});
