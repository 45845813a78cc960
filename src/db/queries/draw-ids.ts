import type { Runner } from './prepared.ts';

/** Draws ids for new rows, so that related rows are complete before they are written, without a read afterwards. */
export async function drawIds(tx: Runner, table: string, count: number): Promise<number[]> {
  const rows = await tx.execute<{ id: number }[]>(
    `select nextval(pg_get_serial_sequence(?, 'id'))::int as id from generate_series(1, ?)`,
    [table, count],
  );
  return rows.map((row) => row.id);
}
