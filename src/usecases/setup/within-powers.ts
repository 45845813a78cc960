import { Company } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { isSame } from '../../lib/canonical.ts';
import { declaredLimits } from './company-limits.ts';
import type { Fault } from './declaration-faults.ts';

type Declared = Record<string, unknown>;

/**
 * Returns a declaration as an admin may apply it, with the faults of everything else. Only an admin of the installation decides about
 * other companies and about limits.
 * @param companyId null: an admin of the installation
 */
export async function withinPowers(
  deps: Pick<Deps, 'orm'>,
  { companyId }: { companyId: number | null },
  declared: unknown,
): Promise<{ declared: unknown; faults: Fault[] }> {
  if (companyId === null || !isObject(declared) || !Array.isArray(declared.companies)) return { declared, faults: [] };
  const own = await systemEm(deps.orm).findOneOrFail(Company, companyId);
  const faults: Fault[] = [];
  const companies = declared.companies.map((company: unknown, at) => {
    if (!isObject(company)) return company;
    const { key } = company;
    if (key === own.key) return withOwnLimits(own, company, { faults, path: ['companies', at] });
    if (typeof key === 'string') {
      const message = `${key} is up to an admin of the installation; you set up ${own.key}`;
      faults.push({ path: ['companies', at, 'key'], message });
    }
    return company;
  });
  return { declared: { ...declared, companies }, faults };
}

/** Keeps the limits of a company when its declaration has settings without them. */
function withOwnLimits(
  { settings }: Company,
  company: Declared,
  { faults, path }: { faults: Fault[]; path: readonly (string | number)[] },
): Declared {
  const given = company.settings;
  if (!isObject(given)) return company;
  const limits = declaredLimits(settings.limits);
  if (given.limits !== undefined && !isSame(given.limits, limits)) {
    faults.push({ path: [...path, 'settings', 'limits'], message: 'are up to an admin of the installation' });
  }
  return { ...company, settings: { ...given, limits } };
}

function isObject(value: unknown): value is Declared {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
