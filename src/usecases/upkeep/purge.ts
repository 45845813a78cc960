import { type Em, systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { RATES_FRESH_MS } from '../../engine/kept-rates.ts';

/** Rows per statement: a night with millions of them locks none for long, and leaves vacuum time to follow. */
const CHUNK_ROWS = 5000;
/** Polls and look-ups that went well are most of all exchanges, and nobody asks for one after a week. */
const GOOD_READ_MS = 7 * 86_400_000;
const DELIVERY_MS = 7 * 86_400_000;
/** A carrier's word on an address is worth asking for again after a season. */
const VERDICT_MS = 90 * 86_400_000;

/** Deletes what is older than the retention allows. Answers how many rows that were. */
export async function purge(deps: Deps): Promise<number> {
  const em = systemEm(deps.orm);
  const ago = (ms: number): Date => new Date(deps.now().getTime() - ms);
  const before = ago(deps.settings.retentionMs);
  const exchanges = { table: 'exchanges', by: 'started_at' } as const;
  const counts = [
    await inChunks(em, { ...exchanges, where: 'started_at < ?', values: [before], change: 'delete' }),
    await inChunks(em, {
      ...exchanges,
      where: `started_at < ? and effect = 'read' and error is null and status between 200 and 299`,
      values: [ago(GOOD_READ_MS)],
      change: 'delete',
    }),
    // That something was said, and how it ended, stays as evidence; the names and addresses in it do not.
    await inChunks(em, {
      ...exchanges,
      where: 'started_at < ? and bodies is not null',
      values: [ago(deps.settings.exchangeBodyMs)],
      change: 'bodies = null',
    }),
    // No marketplace repeats a delivery after a few days.
    await inChunks(em, {
      table: 'webhook_deliveries',
      by: 'id',
      where: 'received_at < ?',
      values: [ago(DELIVERY_MS)],
      change: 'delete',
    }),
    await inChunks(em, {
      table: 'live_rates',
      by: 'id',
      where: 'asked_at < ?',
      values: [ago(RATES_FRESH_MS)],
      change: 'delete',
    }),
    await inChunks(em, {
      table: 'address_verdicts',
      by: 'id',
      where: 'checked_at < ?',
      values: [ago(VERDICT_MS)],
      change: 'delete',
    }),
    await inChunks(em, {
      table: 'event_deliveries',
      by: 'id',
      where: 'started_at < ?',
      values: [before],
      change: 'delete',
    }),
    await inChunks(em, {
      table: 'events',
      by: 'id',
      // One without a number was never shown to anybody.
      where: 'occurred_at < ? and sequence is not null',
      values: [before],
      change: 'delete',
    }),
    await inChunks(em, {
      table: 'idempotency_keys',
      by: 'id',
      where: 'created_at < ?',
      values: [before],
      change: 'delete',
    }),
    // What was asked holds addresses; that it was asked, and its outcome, stay.
    await inChunks(em, {
      table: 'operations',
      by: 'id',
      where: `created_at < ? and input <> '{}'`,
      values: [before],
      change: `input = '{}'`,
    }),
  ];
  return counts.reduce((sum, count) => sum + count, 0);
}

interface Chunked {
  table: string;
  /** An indexed column that rises with age or id: each statement goes on where the one before ended. */
  by: 'id' | 'started_at';
  /** Must not hold any more for a row that was changed. */
  where: string;
  values: unknown[];
  /** `delete`, or what to set. */
  change: string;
}

/** Changes every matching row, a limited number per statement and transaction. */
async function inChunks(em: Em, { table, by, where, values, change }: Chunked): Promise<number> {
  const statement = change === 'delete' ? `delete from ${table}` : `update ${table} set ${change}`;
  let from = by === 'id' ? '0' : '-infinity';
  let count = 0;
  for (;;) {
    const [done] = await em.execute<{ rows: number; last: string | null }[]>(
      `with chunk as (select id, ${by} as at from ${table} where ${by} >= ? and ${where} order by ${by} limit ${CHUNK_ROWS}),
            done as (${statement} where id in (select id from chunk))
       select count(*)::int as rows, max(at)::text as last from chunk`,
      [from, ...values],
    );
    count += done?.rows ?? 0;
    if (!done?.last || done.rows < CHUNK_ROWS) return count;
    from = done.last;
  }
}
