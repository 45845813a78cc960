import { systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';

/** Smaller tables are read whole in any case. */
const WORTH_BYTES = 1_000_000;

/**
 * Analyzes tables that PostgreSQL knows nothing about, as after a restore or a bulk load. Without statistics it takes every condition
 * for rare, and sorts years of rows for the newest fifty. Autovacuum would do the same, once its workers have vacuumed the tables
 * before. Returns the names of the tables.
 */
export async function keepStatistics(deps: Deps): Promise<string[]> {
  const em = systemEm(deps.orm);
  const unknown = await em.execute<{ name: string }[]>(
    `select c.oid::regclass::text as name from pg_class c
      where c.relnamespace = (select relnamespace from pg_class where oid = 'orders'::regclass)
        and c.relkind = 'r' and c.reltuples < 0 and pg_relation_size(c.oid) > ? order by 1`,
    [WORTH_BYTES],
  );
  for (const { name } of unknown) await em.execute(`analyze ${name}`);
  const tables = unknown.map(({ name }) => name);
  if (tables.length > 0) deps.log.info({ tables }, 'analyzed tables without statistics');
  return tables;
}
