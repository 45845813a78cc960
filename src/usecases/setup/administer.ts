import { ApiKey, Company } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound } from '../../engine/find.ts';
import { isSame } from '../../lib/canonical.ts';
import { Problem } from '../../lib/errors.ts';
import { apply } from './apply.ts';
import { DeclarationError, type Fault, readDeclaration } from './declaration-faults.ts';
import { exportCompanies } from './export-companies.ts';
import { othersOf } from './left-alone.ts';
import type { Change } from './upsert-declared.ts';

/** A person or a key that sets companies up. */
export interface Admin {
  /** Null: every company. */
  companyId: number | null;
}

/** Returns the companies that an admin sets up, by key. */
export async function administered(deps: Pick<Deps, 'orm'>, admin: Admin): Promise<{ key: string; name: string }[]> {
  const where = admin.companyId === null ? {} : { id: admin.companyId };
  const companies = await systemEm(deps.orm).find(Company, where, { orderBy: { key: 'asc' } });
  return companies.map(({ key, name }) => ({ key, name }));
}

/** Returns a company that an admin sets up. Throws a 404 for any other, also for one that exists. */
export async function findAdministered(deps: Pick<Deps, 'orm'>, admin: Admin, key: string): Promise<Company> {
  const company = await systemEm(deps.orm).findOne(Company, { key });
  if (!company || (admin.companyId !== null && admin.companyId !== company.id)) throw notFound('company');
  return company;
}

/** Returns the declaration of a company as `apply` reads it. Secrets are the word `keep`. */
export async function readSetup(
  deps: Pick<Deps, 'orm' | 'carriers' | 'marketplaces'>,
  admin: Admin,
  key: string,
): Promise<Record<string, unknown>> {
  await findAdministered(deps, admin, key);
  const { companies } = await exportCompanies(deps, key);
  return companies[0] ?? {};
}

export interface SetupReport {
  changes: Change[];
  /** Rows of the company that the declaration does not name; they stay as they are. */
  leftAlone: string[];
}

/**
 * Makes a company what the declaration says, in one transaction; an admin of the installation may declare a new one. A dry run
 * reports and writes nothing. Throws a 422 `Problem` with every fault.
 */
export async function replaceSetup(
  deps: Pick<Deps, 'orm' | 'vault' | 'carriers' | 'marketplaces' | 'now' | 'settings'>,
  admin: Admin,
  { key, declared, isDryRun }: { key: string; declared: Record<string, unknown>; isDryRun: boolean },
): Promise<SetupReport> {
  const own = admin.companyId === null ? declared : await withOwnLimits(deps, admin, { key, declared });
  if (declared.key !== undefined && declared.key !== key) {
    throw refusedSetup([{ path: ['companies', 0, 'key'], message: `must be ${key}, as in the path` }]);
  }
  try {
    const document = readDeclaration(deps, { companies: [{ ...own, key }] });
    const changes = await apply(deps, document, { isDryRun });
    const company = await systemEm(deps.orm).findOne(Company, { key });
    const [declaration] = document.companies;
    return { changes, leftAlone: company && declaration ? await othersOf(deps, company, declaration) : [] };
  } catch (error) {
    throw error instanceof DeclarationError ? refusedSetup(error.faults) : error;
  }
}

/** Keeps the limits of a company, which only an admin of the installation changes. Throws a 422 for a declaration of others. */
async function withOwnLimits(
  deps: Pick<Deps, 'orm'>,
  admin: Admin,
  { key, declared }: { key: string; declared: Record<string, unknown> },
): Promise<Record<string, unknown>> {
  const { settings } = await findAdministered(deps, admin, key);
  const { pointsPerMinute, concurrentRequests } = settings.limits ?? {};
  const limits = {
    ...(pointsPerMinute === undefined ? {} : { points_per_minute: pointsPerMinute }),
    ...(concurrentRequests === undefined ? {} : { concurrent_requests: concurrentRequests }),
  };
  const given = declared.settings;
  if (given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given))) return declared;
  const wanted = (given as { limits?: unknown } | undefined)?.limits;
  if (wanted !== undefined && !isSame(wanted, limits)) {
    throw refusedSetup([
      { path: ['companies', 0, 'settings', 'limits'], message: 'are up to an admin of the installation' },
    ]);
  }
  return { ...declared, settings: { ...given, limits } };
}

/** Points into the declaration of the one company. */
function refusedSetup(faults: readonly Fault[]): Problem {
  const violations = faults.map(({ path, message }) => ({
    in: 'body' as const,
    pointer: path
      .slice(2)
      .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
      .join(''),
    message,
  }));
  return new Problem('The declaration cannot be applied', {
    status: 422,
    code: 'rule-broken',
    title: 'The request cannot be carried out',
    violations,
  });
}

/** Revokes a key of a company. Throws a 404 for a key that the company does not have. */
export async function revokeOwnKey(
  deps: Pick<Deps, 'orm' | 'now'>,
  { companyId, id }: { companyId: number; id: number },
): Promise<void> {
  const em = systemEm(deps.orm);
  const key = await em.findOne(ApiKey, { id, companyId });
  if (!key) throw notFound('key');
  await em.nativeUpdate(ApiKey, { id, companyId }, { revokedAt: key.revokedAt ?? deps.now() });
}
