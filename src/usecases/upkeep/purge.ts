import { type Em, systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { RATES_FRESH_MS } from '../../engine/kept-rates.ts';

/** Rows per statement, so that millions of rows cause no long locks and vacuum can keep up. */
const CHUNK_ROWS = 5000;
/** Retention of successful polls and look-ups, which are most of the exchanges and useless after a week. */
const GOOD_READ_MS = 7 * 86_400_000;
/** Retention of polls without news, which are the most by far, and whose texts were never stored. */
const QUIET_READ_MS = 86_400_000;
const DELIVERY_MS = 7 * 86_400_000;
/** Retention of address verdicts, because address lists change over months. */
const VERDICT_MS = 90 * 86_400_000;

/** Deletes rows whose retention is over. Returns how many. */
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
    await inChunks(em, {
      ...exchanges,
      where: `started_at < ? and effect = 'read' and error is null and status between 200 and 299 and bodies is null`,
      values: [ago(QUIET_READ_MS)],
      change: 'delete',
    }),
    // The exchange and its outcome stay as evidence; its texts, with names and addresses, are deleted.
    await inChunks(em, {
      ...exchanges,
      where: 'started_at < ? and bodies is not null',
      values: [ago(deps.settings.exchangeBodyMs)],
      change: 'bodies = null',
    }),
    // Marketplaces repeat a delivery for a few days only.
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
      // A client has never seen an event without a number.
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
    // The input holds addresses and is deleted; the operation and its outcome stay.
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
  /** An indexed column in order of time or id: each statement continues after the previous one. */
  by: 'id' | 'started_at';
  /** Condition of the rows; a changed row must not match it again. */
  where: string;
  values: unknown[];
  /** `delete`, or the `set` clause. */
  change: string;
}

/** Changes all matching rows, a limited number per statement and transaction. */
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
