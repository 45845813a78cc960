import { requestPoll } from '../../../usecases/tracking/poll-shipment.ts';
import { CARRIER_PROBLEMS, replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, ProblemBody } from '../../http/schemas.ts';
import { PolledShipment } from './schemas.ts';

export const pollShipmentRoute = defineRoute({
  method: 'post',
  scope: 'tracking:write',
  path: '/shipment/{id}/poll',
  tag: 'Shipments',
  summary: 'Poll the carrier for a shipment now',
  description:
    "An addition to the contract. One call of the carrier's budget, beside the regular looks; 429 with Retry-After when the budget is used up. Requests that come while one is under way share its answer. A shipment that has arrived is answered at once.",
  params: IdPath,
  responses: {
    200: { description: "The carrier's answer", schema: PolledShipment },
    202: { description: 'The carrier has not answered yet, see Location', schema: PolledShipment },
    422: {
      description: 'The shipment has no tracking number yet, or its carrier cannot be polled',
      schema: ProblemBody,
    },
    ...CARRIER_PROBLEMS,
  },
  async handle(deps, request) {
    const operationId = await requestPoll(deps, { ...request.origin, shipmentId: request.params.id });
    return replyWhenSettled(deps, request, operationId);
  },
  recover: replyWhenSettled,
});
