import type { Em } from '../orm.ts';

/** Ids for rows to come: what belongs together is known before it is written, and needs no asking back. */
export async function drawIds(em: Em, table: string, count: number): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `select nextval(pg_get_serial_sequence(?, 'id'))::int as id from generate_series(1, ?)`,
    [table, count],
  );
  return rows.map((row) => row.id);
}
