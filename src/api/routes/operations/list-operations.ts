import { z } from 'zod';
import { listOperations, OPERATION_KINDS } from '../../../usecases/operations/list-operations.ts';
import { YesNo, yesNo } from '../../http/filters.ts';
import { iso, isoOrNull } from '../../http/format.ts';
import { nextPage, PageLimit } from '../../http/paging.ts';
import { defineRoute } from '../../http/route.ts';
import { DateTime, Id, IdText, NullableDateTime, Text } from '../../http/schemas.ts';

const DEFAULT_LIMIT = 50;

const OperationFields = z
  .object({
    id: Id,
    kind: z.enum(OPERATION_KINDS),
    status: z.enum(['open', 'succeeded', 'failed']).describe('failed: at least one item failed'),
    items: z.object({
      total: z.number().int(),
      open: z.number().int(),
      succeeded: z.number().int(),
      failed: z.number().int(),
    }),
    requestId: Text,
    createdAt: DateTime,
    finishedAt: NullableDateTime.describe('Null while an item has no answer'),
  })
  .meta({ id: 'Operation' });

export const listOperationsRoute = defineRoute({
  method: 'get',
  scope: 'operations:read',
  isQueryStrict: true,
  path: '/operations',
  tag: 'Operations',
  summary: 'List asynchronous requests, newest first',
  description: 'An addition to the contract. The Link header leads to the next page.',
  query: z.object({
    kind: z.enum(OPERATION_KINDS).optional(),
    open: YesNo.describe('true: some items have no answer yet'),
    limit: PageLimit.optional(),
    cursor: IdText.optional(),
  }),
  responses: { 200: { description: 'One page of operations', schema: z.array(OperationFields) } },
  async handle(deps, { companyId, query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const operations = await listOperations(deps, {
      companyId,
      kind: query.kind ?? null,
      isOpen: yesNo(query.open),
      limit,
      beforeId: query.cursor ?? null,
    });
    const body = operations.map(({ id, kind, total, open, succeeded, failed, requestId, createdAt, finishedAt }) => ({
      id,
      kind,
      status: open > 0 ? 'open' : failed > 0 ? 'failed' : 'succeeded',
      items: { total, open, succeeded, failed },
      requestId,
      createdAt: iso(createdAt),
      finishedAt: isoOrNull(finishedAt),
    }));
    const ids = operations.map(({ id }) => id);
    return { status: 200, body, ...nextPage('/operations', { ids, limit, query: { ...query, limit } }) };
  },
});
