import { readAttention } from '../../../usecases/attention/attention.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { AttentionFields, attentionBody } from './attention-body.ts';

export const readAttentionRoute = defineRoute({
  method: 'get',
  path: '/attention/{id}',
  tag: 'Attention',
  summary: 'Why one shipment needs a person',
  description: 'An addition of ours. The id is the shipment’s; 404 when there is nothing to decide about it.',
  params: IdPath,
  responses: { 200: { description: 'What is known and what can be chosen', schema: AttentionFields } },
  async handle(deps, { companyId, params }) {
    return { status: 200, body: attentionBody(await readAttention(deps, { companyId, shipmentId: params.id })) };
  },
});
