import { requestFromShop } from '../../../usecases/marketplaces/ask-shop.ts';
import { replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { ConnectionCheck } from './schemas.ts';

export const verifyConnectionRoute = defineRoute({
  method: 'post',
  scope: 'marketplaces:write',
  path: '/marketplace/connected/{id}/verify',
  tag: 'Marketplaces',
  summary: 'Verify the credentials of a marketplace connection',
  description:
    'An addition to the contract. A worker makes one harmless read in the shop, as `smista doctor` does. A connection that is switched off is verified too.',
  params: IdPath,
  responses: {
    200: { description: 'The shop answered, or could not be reached: see status', schema: ConnectionCheck },
    202: { description: 'The shop has not answered yet, see Location', schema: ConnectionCheck },
  },
  async handle(deps, request) {
    const input = { ...request.origin, connectionId: request.params.id, question: { kind: 'verify' } as const };
    return replyWhenSettled(deps, request, await requestFromShop(deps, input));
  },
  recover: replyWhenSettled,
});
