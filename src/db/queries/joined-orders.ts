import type { Em } from '../orm.ts';
import { intArray } from './sql.ts';

/** Returns the order that leads the join of each joined order among `orderIds`. One that leads names itself. */
export async function leadsOf(
  em: Em,
  { companyId, orderIds }: { companyId: number; orderIds: readonly number[] },
): Promise<Map<number, number>> {
  const rows = await em.execute<{ id: number; lead: number }[]>(
    `select id, joined_into as lead from orders where company_id = ? and id = any(?::int[]) and joined_into is not null`,
    [companyId, intArray(orderIds)],
  );
  return new Map(rows.map(({ id, lead }) => [id, lead]));
}

/** Returns the ids of all orders that travel together with these, and their own, by rising id. */
export async function withJoinedIds(
  em: Em,
  { companyId, orderIds }: { companyId: number; orderIds: readonly number[] },
): Promise<number[]> {
  const ids = intArray(orderIds);
  const rows = await em.execute<{ id: number }[]>(
    `select id from orders where company_id = ? and (id = any(?::int[]) or joined_into in
       (select joined_into from orders where company_id = ? and id = any(?::int[]))) order by id`,
    [companyId, ids, companyId, ids],
  );
  return rows.map(({ id }) => id);
}
