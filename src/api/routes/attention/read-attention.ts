import { readAttention } from '../../../usecases/attention/attention.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { AttentionFields, attentionBody } from './attention-body.ts';

export const readAttentionRoute = defineRoute({
  method: 'get',
  scope: 'attention:read',
  path: '/attention/{id}',
  tag: 'Attention',
  summary: 'Read why a shipment needs a person',
  description: 'An addition to the contract. The id is the shipment’s; 404 when it needs no decision.',
  params: IdPath,
  responses: { 200: { description: 'The known facts and the choices', schema: AttentionFields } },
  async handle(deps, { companyId, params }) {
    return { status: 200, body: attentionBody(await readAttention(deps, { companyId, shipmentId: params.id })) };
  },
});
