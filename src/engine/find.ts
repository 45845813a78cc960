import { Company } from '../db/entities/index.ts';
import { companyEm, type Orm } from '../db/orm.ts';
import { Problem, type ProblemOptions } from '../lib/errors.ts';

/** Returns the same 404 for a missing row and for a row of another company. */
export function notFound(what: string): Problem {
  return new Problem(`There is no such ${what}`, { status: 404, code: 'not-found', title: 'Not found' });
}

/** Returns a 422 for a request that breaks a business rule, with the fields at fault. */
export function unprocessable(detail: string, violations: { pointer: string; message: string }[] = []): Problem {
  return new Problem(detail, {
    status: 422,
    code: 'rule-broken',
    title: 'The request cannot be carried out',
    violations: violations.map((violation) => ({ in: 'body' as const, ...violation })),
  });
}

/** Returns a 409 for a request that the present state of a row refuses. A `retryable` one may succeed later. */
export function conflict(
  code: string,
  detail: string,
  more: Pick<ProblemOptions, 'retryable' | 'extra' | 'headers'> = {},
): Problem {
  return new Problem(detail, { status: 409, code, title: 'Conflict', ...more });
}

/** Returns the cached row of a company, null when there is none. A change of the row refreshes the cache. */
export type FindCompany = (companyId: number) => Promise<Company | null>;

export function readCompany(orm: Orm, companyId: number): Promise<Company | null> {
  return companyEm(orm, companyId).findOne(Company, companyId);
}
