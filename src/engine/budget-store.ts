import { type Orm, systemEm } from '../db/orm.ts';
import type { BudgetStore } from '../lib/budgets.ts';

/** Creates token buckets in PostgreSQL that all workers share. They run by the database's clock. */
export function createBudgetStore(orm: Orm): BudgetStore {
  return {
    async take(key, { capacity, perSecond }, cost) {
      const wanted = Math.min(cost, capacity);
      const [row] = await systemEm(orm).execute<{ tokens: number; taken: boolean }[]>(
        `insert into partner_budgets as b (key, tokens, taken, updated_at)
           values (?, ?::float8 - ?::float8, true, clock_timestamp())
         on conflict (key) do update set (tokens, taken, updated_at) =
           (select case when now_left >= ? then now_left - ? else now_left end, now_left >= ?, clock_timestamp()
              from (select least(?::float8, b.tokens
                      + extract(epoch from clock_timestamp() - b.updated_at)::float8 * ?::float8) as now_left) as refilled)
         returning tokens, taken`,
        [key, capacity, cost, wanted, cost, wanted, capacity, perSecond],
      );
      if (!row || row.taken) return 0;
      return Math.max(1, Math.ceil(((wanted - row.tokens) / perSecond) * 1000));
    },
    async report(key, left) {
      await systemEm(orm).execute(
        `insert into partner_budgets (key, tokens, taken, updated_at) values (?, ?, false, clock_timestamp())
         on conflict (key) do update set tokens = excluded.tokens, updated_at = excluded.updated_at`,
        [key, left],
      );
    },
  };
}
