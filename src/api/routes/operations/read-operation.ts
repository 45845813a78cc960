import { CARRIER_PROBLEMS, operationReply } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { OperationResult } from './schemas.ts';

export const readOperationRoute = defineRoute({
  method: 'get',
  path: '/operations/{id}',
  tag: 'Operations',
  summary: 'How far an asynchronous request is',
  description: 'An addition of ours: the same body as the request that answered 202; 200 once all is settled.',
  params: IdPath,
  responses: {
    200: { description: 'Settled', schema: OperationResult },
    202: { description: 'Still in progress', schema: OperationResult },
    ...CARRIER_PROBLEMS,
  },
  async handle(deps, request) {
    return operationReply(deps, request, request.params.id);
  },
});
