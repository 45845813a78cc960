import { Company } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { wallClock } from '../../lib/clock.ts';
import { UsageError } from '../../lib/errors.ts';
import type { Edition } from './price-lists.ts';

/** Reads a company by its key, with its current day (YYYY-MM-DD). Throws a `UsageError` for an unknown key. */
export async function companyAndDay(
  deps: Pick<Deps, 'orm' | 'now'>,
  key: string,
): Promise<{ companyId: number; today: string }> {
  const company = await systemEm(deps.orm).findOne(Company, { key });
  if (!company) throw new UsageError(`There is no company ${key}`);
  return { companyId: company.id, today: wallClock(deps.now(), company.settings.timeZone).date };
}

/** Finds the edition in force on a day among those of one tariff, oldest first. Null when there is none. */
export function editionOn(editions: readonly Edition[], day: string): Edition | null {
  const last = editions.findLast(({ from }) => from <= day);
  return last && (last.to === null || last.to >= day) ? last : null;
}
