import { z } from 'zod';
import { ATTENTION_REASONS } from '../../../domain/attention.ts';
import { listAttention } from '../../../usecases/attention/attention.ts';
import { listAttentionFor } from '../../../usecases/attention/read-reasons.ts';
import { nextPage, PageLimit } from '../../http/paging.ts';
import { defineRoute } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { AttentionFields, attentionBody } from './attention-body.ts';

const DEFAULT_LIMIT = 50;

export const listAttentionRoute = defineRoute({
  method: 'get',
  scope: 'attention:read',
  isQueryStrict: true,
  path: '/attention',
  tag: 'Attention',
  summary: 'List shipments that need a person, newest first',
  description:
    'An addition to the contract. The reasons are unknown outcomes, exhausted retries, surplus labels, held parcels and unconfirmed marketplace orders. Each entry has the known facts and the choices. The Link header leads to the next page.',
  query: z.object({
    reason: z.enum(ATTENTION_REASONS).optional().describe('Only cases that have it'),
    limit: PageLimit.optional(),
    cursor: IdText.optional(),
  }),
  responses: { 200: { description: 'One page of them', schema: z.array(AttentionFields) } },
  async handle(deps, { companyId, query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const { reason } = query;
    const page = { companyId, limit, beforeId: query.cursor ?? null };
    const views = await (reason === undefined ? listAttention(deps, page) : listAttentionFor(deps, reason, page));
    const ids = views.map((view) => view.shipment.id);
    return {
      status: 200,
      body: views.map(attentionBody),
      ...nextPage('/attention', { ids, limit, query: { limit, ...(reason === undefined ? {} : { reason }) } }),
    };
  },
});
