import { z } from 'zod';
import { cancelOperation } from '../../../usecases/operations/cancel-operation.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, ProblemBody } from '../../http/schemas.ts';

const CancelledOperation = z
  .object({ cancelled: z.number().int().describe('Items that no worker had begun') })
  .meta({ id: 'CancelledOperation' });

export const cancelOperationRoute = defineRoute({
  method: 'delete',
  scope: 'operations:write',
  path: '/operations/{id}',
  tag: 'Operations',
  summary: 'Cancel what no worker has begun of an asynchronous request',
  description:
    'An addition to the contract. Queued shipments are cancelled unsold; items that a worker has begun go on. A repeated call cancels what is left, mostly nothing.',
  params: IdPath,
  responses: {
    200: { description: 'How many items were cancelled', schema: CancelledOperation },
    409: { description: 'Operations of this kind cannot be cancelled', schema: ProblemBody },
  },
  async handle(deps, { companyId, params }) {
    return { status: 200, body: { cancelled: await cancelOperation(deps, { companyId, operationId: params.id }) } };
  },
});
