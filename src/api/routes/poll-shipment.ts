import { z } from 'zod';
import { requestPoll } from '../../usecases/poll-shipment.ts';
import { replyWhenSettled } from '../operation-reply.ts';
import { defineRoute } from '../route.ts';
import { DateTime, Id, IdPath, ProblemBody } from '../schemas.ts';

const Polled = z
  .object({
    shipmentId: Id,
    trackingNumber: z.string(),
    status: z.string().describe('As in the tracking detail'),
    newEvents: z
      .number()
      .int()
      .nullable()
      .describe('Tracking events that were new; null while the carrier has not answered'),
    lastEventAt: DateTime.nullable(),
    polledAt: DateTime.nullable().describe('When the carrier last answered'),
  })
  .meta({ id: 'PolledShipment' });

export const pollShipmentRoute = defineRoute({
  method: 'post',
  path: '/shipment/{id}/poll',
  tag: 'Shipments',
  summary: 'Ask the carrier now where a shipment is',
  description:
    "An addition of ours. One call of the carrier's budget, beside the regular looks; 429 with Retry-After when the budget is used up. Requests that come while one is under way share its answer. A shipment that has arrived is answered at once.",
  params: IdPath,
  responses: {
    200: { description: 'What the carrier said', schema: Polled },
    202: { description: 'The carrier has not answered yet, see Location', schema: Polled },
    422: { description: 'No tracking number yet, or a carrier that cannot be asked', schema: ProblemBody },
    424: { description: 'The carrier refused', schema: ProblemBody },
    502: { description: 'The carrier is not working', schema: ProblemBody },
  },
  async handle(deps, request) {
    const operationId = await requestPoll(deps, { ...request.origin, shipmentId: request.params.id });
    return replyWhenSettled(deps, request, operationId);
  },
  recover: replyWhenSettled,
});
