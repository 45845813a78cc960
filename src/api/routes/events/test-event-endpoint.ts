import { requestTest } from '../../../usecases/events/test-endpoint.ts';
import { replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, ProblemBody } from '../../http/schemas.ts';
import { EventEndpointTest } from './event-body.ts';

export const testEventEndpointRoute = defineRoute({
  method: 'post',
  scope: 'events:write',
  path: '/event-endpoints/{id}/test',
  tag: 'Events',
  summary: 'Send a test event to an endpoint',
  description:
    'An addition to the contract. A worker sends one signed event of the type `endpoint.test`, which has no number and is in no list. It is not retried, counts for nothing, and a disabled endpoint gets it too.',
  params: IdPath,
  responses: {
    200: { description: 'The receiver answered, or could not be reached: see status', schema: EventEndpointTest },
    202: { description: 'The receiver has not answered yet, see Location', schema: EventEndpointTest },
    409: { description: 'Another endpoint of the company is being tested', schema: ProblemBody },
  },
  async handle(deps, request) {
    const operationId = await requestTest(deps, { ...request.origin, endpointId: request.params.id });
    return replyWhenSettled(deps, request, operationId);
  },
  recover: replyWhenSettled,
});
