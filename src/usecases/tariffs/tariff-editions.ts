import { Company } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { wallClock } from '../../lib/clock.ts';
import { UsageError } from '../../lib/errors.ts';
import type { Edition } from './price-lists.ts';

/** The company of a key and the day it has now (YYYY-MM-DD); a `UsageError` when there is none. */
export async function companyAndDay(
  deps: Pick<Deps, 'orm' | 'now'>,
  key: string,
): Promise<{ companyId: number; today: string }> {
  const company = await systemEm(deps.orm).findOne(Company, { key });
  if (!company) throw new UsageError(`There is no company ${key}`);
  return { companyId: company.id, today: wallClock(deps.now(), company.settings.timeZone).date };
}

/** The edition in force on a day, of one tariff's, the oldest first; null when none is. */
export function editionOn(editions: readonly Edition[], day: string): Edition | null {
  const last = editions.findLast(({ from }) => from <= day);
  return last && (last.to === null || last.to >= day) ? last : null;
}
