import { AsyncLocalStorage } from 'node:async_hooks';

/** Null: all companies. */
export type Visible = readonly number[] | null;

const present = new AsyncLocalStorage<Visible>();

/** Runs `work` so that PostgreSQL itself hides every row of other companies from its statements. */
export function seeingCompanies<Result>(companyIds: readonly number[], work: () => Result): Result {
  return present.run(
    [...new Set(companyIds)].toSorted((one, other) => one - other),
    work,
  );
}

/** Runs `work` so that its statements see all companies: for logins, and for what no company asked for. */
export function seeingEveryCompany<Result>(work: () => Result): Result {
  return present.run(null, work);
}

/** Returns the companies that statements see here; null: all. */
export function visibleCompanies(): Visible {
  return present.getStore() ?? null;
}
