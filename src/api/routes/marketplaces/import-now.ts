import { z } from 'zod';
import { requestFromShop } from '../../../usecases/marketplaces/ask-shop.ts';
import { replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, ProblemBody } from '../../http/schemas.ts';
import { ImportRun } from './schemas.ts';

export const importNowRoute = defineRoute({
  method: 'post',
  scope: 'marketplaces:write',
  path: '/marketplace/connected/{id}/import',
  tag: 'Marketplaces',
  summary: 'Import orders of a marketplace connection now',
  description:
    'An addition to the contract. Imports everything that changed since the last import, or one order. The schedule goes on beside it. Requests that come while an equal one is open share its answer.',
  params: IdPath,
  body: z
    .object({
      marketplaceOrderId: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .nullish()
        .describe("The marketplace's id of one order; absent: all changes"),
    })
    .meta({ id: 'ImportRequest' }),
  responses: {
    200: { description: 'Settled: see status', schema: ImportRun },
    202: { description: 'Still in progress, see Location', schema: ImportRun },
    422: { description: 'The connection or its imports are switched off', schema: ProblemBody },
  },
  async handle(deps, request) {
    const question = { kind: 'import', externalId: request.body.marketplaceOrderId ?? null } as const;
    const input = { ...request.origin, connectionId: request.params.id, question };
    return replyWhenSettled(deps, request, await requestFromShop(deps, input));
  },
  recover: replyWhenSettled,
});
