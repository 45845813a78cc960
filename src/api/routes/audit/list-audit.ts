import { z } from 'zod';
import { periodOf } from '../../../lib/period.ts';
import { listAudit } from '../../../usecases/audit/read-audit.ts';
import { timeZoneOf } from '../../http/filters.ts';
import { nextPage } from '../../http/paging.ts';
import { defineRoute } from '../../http/route.ts';
import { AUDIT_LIMIT, AuditFields, AuditQuery, auditBody, auditFilter } from './schemas.ts';

export const listAuditRoute = defineRoute({
  method: 'get',
  scope: 'audit:read',
  isQueryStrict: true,
  path: '/audit',
  tag: 'Audit',
  summary: 'List who changed something, newest first',
  description:
    'An addition to the contract. Every write has a row: by a key, a person, the command line or the board of queues. So have refusals for lack of rights, and wrong passwords of known people. Rows are never changed or deleted, and hold no personal data but ids and network addresses. The Link header leads to the next page.',
  query: AuditQuery,
  responses: { 200: { description: 'One page of the audit log', schema: z.array(AuditFields) } },
  async handle(deps, { companyId, query }) {
    const limit = query.limit ?? AUDIT_LIMIT;
    const at = periodOf(query.from, query.to, await timeZoneOf(deps, companyId));
    const page = { limit, beforeId: query.cursor ?? null };
    const lines = await listAudit(deps, { companyId, ...auditFilter(query, at) }, page);
    const ids = lines.map(({ id }) => id);
    return {
      status: 200,
      body: lines.map(auditBody),
      ...nextPage('/audit', { ids, limit, query: { ...query, limit } }),
    };
  },
});
