import { Company } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { eraseOrders } from './erase-orders.ts';

/** Orders per batch and transaction. */
const BATCH = 50;

/** A company whose ended orders are walked through, by rising id. */
interface Walk {
  companyId: number;
  after: number;
}

/**
 * Erases the personal data of orders that ended longer ago than PERSONAL_DATA_DAYS. Companies take turns, a batch each,
 * so a large backlog of one delays the others by one batch. Texts that name no order have a retention of their own.
 * Returns how many orders.
 */
export async function forgetOldOrders(deps: Deps): Promise<number> {
  const { personalDataMs } = deps.settings;
  if (personalDataMs === null) return 0;
  const endedBefore = new Date(deps.now().getTime() - personalDataMs);
  const companies = await systemEm(deps.orm).find(Company, {}, { fields: ['id'], orderBy: { id: 'asc' } });
  let walks: Walk[] = companies.map(({ id }) => ({ companyId: id, after: 0 }));
  let count = 0;
  while (walks.length > 0) {
    const next: Walk[] = [];
    for (const { companyId, after } of walks) {
      const orderIds = await oldOrders(deps, { companyId, after, endedBefore });
      const { erased } = await eraseOrders(deps, { companyId, orderIds, endedBefore, alsoTexts: false });
      count += erased.length;
      const last = orderIds.at(-1);
      if (last !== undefined && orderIds.length === BATCH) next.push({ companyId, after: last });
    }
    walks = next;
  }
  return count;
}

/** Erases the data of orders whose person asked for it, and that ended since. Returns how many orders. */
export async function forgetAskedOrders(deps: Deps): Promise<number> {
  const asked = await systemEm(deps.orm).execute<{ id: number; company_id: number }[]>(
    'select id, company_id from orders where forget_asked_at is not null and forgotten_at is null order by company_id, id',
  );
  let count = 0;
  for (const [companyId, orders] of Map.groupBy(asked, (order) => order.company_id)) {
    const orderIds = orders.map(({ id }) => id);
    const { erased } = await eraseOrders(deps, { companyId, orderIds, endedBefore: null, alsoTexts: true });
    count += erased.length;
  }
  return count;
}

async function oldOrders(
  deps: Deps,
  { companyId, after, endedBefore }: Walk & { endedBefore: Date },
): Promise<number[]> {
  const rows = await systemEm(deps.orm).execute<{ id: number }[]>(
    `select id from orders where company_id = ? and id > ? and forgotten_at is null and updated_at < ?
        and status in ('delivered', 'returned', 'cancelled', 'shipped', 'transmitted', 'manifested')
      order by id limit ${BATCH}`,
    [companyId, after, endedBefore],
  );
  return rows.map(({ id }) => id);
}
