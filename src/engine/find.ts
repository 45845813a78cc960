import { Company } from '../db/entities/index.ts';
import { companyEm, type Orm } from '../db/orm.ts';
import { Problem } from '../lib/errors.ts';

/** Says the same about what does not exist and what belongs to somebody else. */
export function notFound(what: string): Problem {
  return new Problem(`There is no such ${what}`, { status: 404, code: 'not-found', title: 'Not found' });
}

/** A rule of ours that the request breaks, with the fields at fault. */
export function unprocessable(detail: string, violations: { pointer: string; message: string }[] = []): Problem {
  return new Problem(detail, {
    status: 422,
    code: 'rule-broken',
    title: 'The request cannot be carried out',
    violations: violations.map((violation) => ({ in: 'body' as const, ...violation })),
  });
}

/** The row of a company, kept while it does not change; null when there is none. */
export type FindCompany = (companyId: number) => Promise<Company | null>;

export function readCompany(orm: Orm, companyId: number): Promise<Company | null> {
  return companyEm(orm, companyId).findOne(Company, companyId);
}
