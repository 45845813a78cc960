import { CARRIER_PROBLEMS, operationReply } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { OperationResult } from './schemas.ts';

export const readOperationRoute = defineRoute({
  method: 'get',
  scope: 'operations:read',
  path: '/operations/{id}',
  tag: 'Operations',
  summary: 'Read the result of an asynchronous request',
  description:
    'An addition to the contract. The body is the same as that of the request which answered 202. The status is 200 once everything is settled.',
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
