import { AuditRow, Company } from '../../db/entities/index.ts';
import { companyEm, type Em, systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { UsageError } from '../../lib/errors.ts';
import type { Period } from '../../lib/period.ts';
import { seeingEveryCompany } from '../../lib/visible-companies.ts';

/** Null: any. */
export interface AuditFilter {
  at: Period;
  actor: string | null;
  operation: string | null;
  /** Such as `order:12`. */
  target: string | null;
}

/** A row as it is shown. */
export type AuditLine = AuditRow;

interface Page {
  limit: number;
  beforeId: number | null;
}

/** Lists the audit log of a company, newest first. */
export function listAudit(
  deps: Pick<Deps, 'orm'>,
  { companyId, ...filter }: AuditFilter & { companyId: number },
  page: Page,
): Promise<AuditRow[]> {
  return findRows(companyEm(deps.orm, companyId), {}, { filter, page });
}

/** Lists the audit log of the installation itself, newest first. */
export function listInstallationAudit(deps: Pick<Deps, 'orm'>, filter: AuditFilter, page: Page): Promise<AuditRow[]> {
  return findRows(systemEm(deps.orm), { companyId: null }, { filter, page });
}

/** Lists the audit log of a company, or of everything, newest first. Throws a `UsageError` for an unknown company. */
export async function listAnyAudit(
  deps: Pick<Deps, 'orm'>,
  companyKey: string | null,
  { filter, page }: { filter: AuditFilter; page: Page },
): Promise<(AuditRow & { company: string | null })[]> {
  const em = systemEm(deps.orm);
  const companies = new Map(
    (await em.find(Company, companyKey === null ? {} : { key: companyKey })).map(({ id, key }) => [id, key]),
  );
  if (companyKey !== null && companies.size === 0) throw new UsageError(`There is no company ${companyKey}`);
  const where = companyKey === null ? {} : { companyId: { $in: [...companies.keys()] } };
  const rows = await findRows(em, where, { filter, page });
  return rows.map((row) => ({ ...row, company: companies.get(row.companyId ?? 0) ?? null }));
}

async function findRows(
  em: Em,
  where: object,
  { filter, page }: { filter: AuditFilter; page: Page },
): Promise<AuditRow[]> {
  const { at, actor, operation, target } = filter;
  const newest = { orderBy: { id: 'desc' }, limit: page.limit } as const;
  const wanted = {
    ...where,
    at: { ...(at.from ? { $gte: at.from } : {}), ...(at.until ? { $lt: at.until } : {}) },
    ...(actor === null ? {} : { actor }),
    ...(operation === null ? {} : { operation }),
    ...(page.beforeId === null ? {} : { id: { $lt: page.beforeId } }),
  };
  if (target === null) return em.find(AuditRow, wanted, newest);
  // Row-level security would keep the operator from its index. The rows that it finds are read again under it.
  const found = await seeingEveryCompany(() =>
    em.find(
      AuditRow,
      { ...wanted, targets: { $contains: [target] } },
      { ...newest, fields: ['id'], disableIdentityMap: true },
    ),
  );
  return em.find(AuditRow, { ...where, id: { $in: found.map(({ id }) => id) } }, newest);
}
