import { Company } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound } from '../../engine/find.ts';
import { Problem } from '../../lib/errors.ts';
import { apply } from './apply.ts';
import type { ApplyDocument } from './apply-document.ts';
import { DeclarationError, readDeclaration } from './declaration-faults.ts';
import { exportCompanies } from './export-companies.ts';
import { leftAlone, othersOf } from './left-alone.ts';
import type { Change } from './upsert-declared.ts';
import { withinPowers } from './within-powers.ts';

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

/** Returns the declaration of all companies that an admin sets up, or of one. Throws a 404 for a company that is not among them. */
export async function exportAdministered(
  deps: Pick<Deps, 'orm' | 'carriers' | 'marketplaces'>,
  admin: Admin,
  companyKey: string | null,
): Promise<{ companies: Record<string, unknown>[] }> {
  const keys = (await administered(deps, admin)).map(({ key }) => key);
  if (keys.length === 0) throw missing('There is no company');
  if (companyKey !== null && !keys.includes(companyKey)) throw missing(`There is no company ${companyKey}`);
  return exportCompanies(deps, admin.companyId === null ? companyKey : (keys[0] ?? null));
}

function missing(detail: string): Problem {
  return new Problem(detail, { status: 404, code: 'not-found', title: 'Not found' });
}

export interface SetupReport {
  changes: Change[];
  /** Rows of the company that the declaration does not name; they stay as they are. */
  leftAlone: string[];
}

type SetupDeps = Pick<Deps, 'orm' | 'vault' | 'carriers' | 'marketplaces' | 'now' | 'settings'>;

/**
 * Makes companies what a declaration says, in one transaction. A dry run reports and writes nothing. Throws a `DeclarationError` with
 * every fault, also for each company that the admin does not set up.
 */
export async function applyDeclared(
  deps: SetupDeps,
  admin: Admin,
  { declared, isDryRun }: { declared: unknown; isDryRun: boolean },
): Promise<SetupReport> {
  const { changes, document } = await applyWithin(deps, admin, { declared, isDryRun });
  return { changes, leftAlone: await leftAlone(deps, document, admin.companyId) };
}

/**
 * Makes a company what the declaration says, in one transaction; an admin of the installation may declare a new one. A dry run
 * reports and writes nothing. Throws a `DeclarationError` with every fault, and a 404 for a company that the admin does not set up.
 */
export async function replaceSetup(
  deps: SetupDeps,
  admin: Admin,
  { key, declared, isDryRun }: { key: string; declared: Record<string, unknown>; isDryRun: boolean },
): Promise<SetupReport> {
  if (admin.companyId !== null) await findAdministered(deps, admin, key);
  if (declared.key !== undefined && declared.key !== key) {
    throw new DeclarationError([{ path: ['companies', 0, 'key'], message: `must be ${key}, as in the path` }]);
  }
  const input = { declared: { companies: [{ ...declared, key }] }, isDryRun };
  const { changes, document } = await applyWithin(deps, admin, input);
  const company = await systemEm(deps.orm).findOne(Company, { key });
  const [declaration] = document.companies;
  return { changes, leftAlone: company && declaration ? await othersOf(deps, company, declaration) : [] };
}

async function applyWithin(
  deps: SetupDeps,
  admin: Admin,
  { declared, isDryRun }: { declared: unknown; isDryRun: boolean },
): Promise<{ changes: Change[]; document: ApplyDocument }> {
  const own = await withinPowers(deps, admin, declared);
  let document: ApplyDocument;
  try {
    document = readDeclaration(deps, own.declared);
  } catch (error) {
    throw error instanceof DeclarationError ? new DeclarationError([...own.faults, ...error.faults]) : error;
  }
  if (own.faults.length > 0) throw new DeclarationError(own.faults);
  return { changes: await apply(deps, document, { isDryRun }), document };
}
