import { z } from 'zod';
import { periodOf } from '../../lib/period.ts';
import { listAudit, listInstallationAudit } from '../../usecases/audit/read-audit.ts';
import { AUDIT_LIMIT, AuditFields, AuditQuery, auditBody, auditFilter } from '../routes/audit/schemas.ts';
import { type AdminRoute, defineAdminRoute } from './admin-route.ts';

export const auditRoutes: readonly AdminRoute[] = [
  defineAdminRoute({
    method: 'get',
    path: '/audit',
    summary: 'List who changed something, newest first',
    description:
      'For an admin of the installation: what belongs to no company, such as commands, the board of queues and the logins of such admins. For an admin of a company: the same as GET /audit of the company. Days are in UTC. `cursor` is the id of the last row of the page before.',
    query: AuditQuery,
    responses: { 200: { description: 'One page of the audit log', schema: z.array(AuditFields) } },
    async handle(deps, { admin, query }) {
      const filter = auditFilter(query, periodOf(query.from, query.to, 'UTC'));
      const page = { limit: query.limit ?? AUDIT_LIMIT, beforeId: query.cursor ?? null };
      const { companyId } = admin;
      const lines =
        companyId === null
          ? await listInstallationAudit(deps, filter, page)
          : await listAudit(deps, { companyId, ...filter }, page);
      return { status: 200, body: lines.map(auditBody) };
    },
  }),
];
