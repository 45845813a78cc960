import { z } from 'zod';
import { search } from '../../../usecases/search/search.ts';
import { SearchText } from '../../http/filters.ts';
import { defineRoute } from '../../http/route.ts';
import { SearchHitFields } from './schemas.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

export const searchRoute = defineRoute({
  method: 'get',
  scope: 'orders:read',
  isQueryStrict: true,
  path: '/search',
  tag: 'Orders',
  summary: 'Find orders and shipments by one text, best first',
  description:
    'An addition to the contract. Exact identifiers come first, then exact names, beginnings and similar names. Each order is listed once, by its best match.',
  query: z.object({
    q: SearchText,
    limit: z
      .string()
      .regex(/^\d{1,3}$/, 'must be a number')
      .transform(Number)
      .refine((limit) => limit >= 1 && limit <= MAX_LIMIT, `must be from 1 to ${MAX_LIMIT}`)
      .meta({ override: { type: 'integer', minimum: 1, maximum: MAX_LIMIT } })
      .optional(),
  }),
  responses: { 200: { description: 'The hits', schema: z.array(SearchHitFields) } },
  async handle(deps, { companyId, query }) {
    const body = await search(deps, { companyId, text: query.q, limit: query.limit ?? DEFAULT_LIMIT });
    return { status: 200, body };
  },
});
