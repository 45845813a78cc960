import type { Em } from '../orm.ts';

/** Draws ids for new rows, so that related rows are complete before they are written, without a read afterwards. */
export async function drawIds(em: Em, table: string, count: number): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `select nextval(pg_get_serial_sequence(?, 'id'))::int as id from generate_series(1, ?)`,
    [table, count],
  );
  return rows.map((row) => row.id);
}
