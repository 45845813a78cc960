import { requestContractCheck } from '../../../usecases/partners/verify-contract.ts';
import { replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, ProblemBody } from '../../http/schemas.ts';
import { ContractCheck } from './schemas.ts';

export const verifyContractRoute = defineRoute({
  method: 'post',
  scope: 'partners:write',
  path: '/carriers/contracts/{id}/verify',
  tag: 'Carriers',
  summary: 'Verify the credentials of a carrier contract',
  description:
    'An addition to the contract. A worker makes one harmless read at the carrier, as `smista doctor` does. A contract that is switched off is verified too.',
  params: IdPath,
  responses: {
    200: { description: 'The carrier answered, or could not be reached: see status', schema: ContractCheck },
    202: { description: 'The carrier has not answered yet, see Location', schema: ContractCheck },
    422: { description: 'The carrier has no check without a shipment: `isVerifiable` is false', schema: ProblemBody },
  },
  async handle(deps, request) {
    const input = { ...request.origin, contractId: request.params.id };
    return replyWhenSettled(deps, request, await requestContractCheck(deps, input));
  },
  recover: replyWhenSettled,
});
