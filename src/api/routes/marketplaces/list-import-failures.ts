import { z } from 'zod';
import { listImportFailures } from '../../../usecases/marketplaces/read-shops.ts';
import { iso } from '../../http/format.ts';
import { nextPage, PageLimit } from '../../http/paging.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, IdText } from '../../http/schemas.ts';
import { ImportFailureFields } from './schemas.ts';

const DEFAULT_LIMIT = 100;

export const listImportFailuresRoute = defineRoute({
  method: 'get',
  scope: 'marketplaces:read',
  isQueryStrict: true,
  path: '/marketplace/connected/{id}/import-failures',
  tag: 'Marketplaces',
  summary: 'List orders that could not be imported, newest first',
  description:
    'An addition to the contract. Each is read again alone, after a pause that doubles up to a day, and leaves the list once it is imported. The Link header leads to the next page.',
  params: IdPath,
  query: z.object({ limit: PageLimit.optional(), cursor: IdText.optional() }),
  responses: { 200: { description: 'One page of orders', schema: z.array(ImportFailureFields) } },
  async handle(deps, { companyId, params, query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const page = { limit, beforeId: query.cursor ?? null };
    const rows = await listImportFailures(deps, { companyId, connectionId: params.id, ...page });
    const ids = rows.map(({ id }) => id);
    return {
      status: 200,
      body: rows.map(({ id, externalId, message, tries, createdAt, nextTryAt }) => ({
        ...{ id, marketplaceOrderId: externalId, message, tries },
        firstTriedAt: iso(createdAt),
        nextTryAt: iso(nextTryAt),
      })),
      ...nextPage(`/marketplace/connected/${params.id}/import-failures`, { ids, limit, query: { limit } }),
    };
  },
});
