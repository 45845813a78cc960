import type { Em } from '../../db/orm.ts';

/** Number of unanswered polls in a row that count as an outage of the carrier. */
const FAILURES = 5;
const FIRST_PAUSE_SECONDS = 60;
const LONGEST_PAUSE_SECONDS = 900;

/**
 * Tells whether a carrier may be polled now. During an outage, one worker at a time may probe the carrier after each pause; the others
 * get the time of the next probe.
 */
export async function askLeave(em: Em, carrierId: number): Promise<{ until: Date } | null> {
  const [outage] = await em.execute<{ id: number; until: string }[]>(
    `select id, next_probe_at as until from carrier_outages where carrier_id = ? and since is not null`,
    [carrierId],
  );
  if (!outage) return null;
  const probing = await em.execute<{ id: number }[]>(
    `update carrier_outages set next_probe_at = now() + make_interval(secs => ?)
      where id = ? and next_probe_at <= now() returning id`,
    [FIRST_PAUSE_SECONDS, outage.id],
  );
  if (probing.length > 0) return null;
  return { until: new Date(outage.until) };
}

/** Records an unanswered poll. Returns how long to pause, null while it is no outage. */
export async function noteSilence(em: Em, carrierId: number, error: string): Promise<{ until: Date } | null> {
  const [row] = await em.execute<{ since: string | null; until: string }[]>(
    `insert into carrier_outages as o (carrier_id, failures, last_error, next_probe_at) values (?, 1, ?, now())
     on conflict (carrier_id) do update
       set failures = o.failures + 1, last_error = excluded.last_error,
           since = coalesce(o.since, case when o.failures + 1 >= ? then now() end),
           next_probe_at = now() + make_interval(secs => least(? * 2 ^ least(greatest(o.failures + 1 - ?, 0), 10), ?))
     returning since, next_probe_at as until`,
    [carrierId, error, FAILURES, FIRST_PAUSE_SECONDS, FAILURES, LONGEST_PAUSE_SECONDS],
  );
  return row?.since ? { until: new Date(row.until) } : null;
}

/** Ends an outage, because the carrier answered. */
export async function noteAnswer(em: Em, carrierId: number): Promise<void> {
  await em.execute('delete from carrier_outages where carrier_id = ?', [carrierId]);
}
