import { EventEndpoint } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import type { PostResult } from '../../lib/guarded-post.ts';

/** Limit per company, because the same workers serve all endpoints. */
const MAX_RUNS = 2;
/** Doubtful endpoints may use this many of the runs, so a hanging one delays only others like it. */
const MAX_DOUBTFUL_RUNS = 1;
/** An endpoint that took this long to answer is doubtful for some time, also when it accepted. */
const SLOW_MS = 2000;
/** Multiple of the time that a slow delivery took, for which its endpoint is doubtful. It thus hangs 1 % of the time as a reliable one. */
const DOUBT_FACTOR = 100;
/** Serializes the claims of doubtful endpoints, which all count the same runs. */
const DOUBTFUL_LOCK = 361_036;
/** A doubtful endpoint did not accept its last delivery, or was slow lately. */
const IS_DOUBTFUL = '(not e.is_reliable or coalesce(e.doubted_until > ?, false))';
/** A run without a heartbeat for longer than its longest attempt has lost its worker. */
const LEASE_SPARE_MS = 30_000;

/** Returns the end of a lease that begins now. */
export function leaseEnd(deps: Pick<Deps, 'now' | 'settings'>): Date {
  return new Date(deps.now().getTime() + deps.settings.eventTimeoutMs + LEASE_SPARE_MS);
}

/** Notes in the claimed copy what a delivery says about its endpoint; `release` writes it. */
export function judge(endpoint: EventEndpoint, { error, durationMs }: PostResult, now: Date): void {
  endpoint.isReliable = error === null;
  if (error === 'timed-out' || durationMs >= SLOW_MS) {
    endpoint.doubtedUntil = new Date(now.getTime() + durationMs * DOUBT_FACTOR);
  }
}

/**
 * Lists endpoints with undelivered events that may run now. Within a company the one that waits longest comes first. Doubtful ones of
 * all companies share a part of the runs: first comes the company whose last doubtful run is the longest ago.
 */
export async function dueEndpoints(
  { settings }: Pick<Deps, 'settings'>,
  em: Em,
  { now, limit }: { now: Date; limit: number },
): Promise<{ id: number; fence: number }[]> {
  return em.execute<{ id: number; fence: number }[]>(
    `with endpoint as (
       select e.*, ${IS_DOUBTFUL} as is_doubtful, coalesce(e.running_until > ?, false) as is_running from event_endpoints e),
     runs as (
       select company_id, count(*) filter (where is_running) as total,
              count(*) filter (where is_running and is_doubtful) as doubtful,
              max(last_run_at) filter (where is_doubtful) as doubtful_at
         from endpoint group by company_id),
     due as (
       select e.id, e.attempt as fence, e.company_id, e.last_run_at, e.is_doubtful,
              row_number() over (partition by e.company_id, e.is_doubtful order by e.last_run_at nulls first, e.id) as place
         from endpoint e left join event_counters c on c.company_id = e.company_id
        where e.disabled_at is null and not e.is_running
          and (e.delivered_sequence < c.last_sequence or e.replay_from is not null)
          and (e.next_try_at is null or e.next_try_at <= ?)),
     allowed as (
       select due.id, due.fence, due.is_doubtful, runs.total as running,
              row_number() over (partition by due.company_id order by due.last_run_at nulls first, due.id) as place,
              row_number() over (partition by due.is_doubtful order by runs.doubtful_at nulls first, due.id) as turn
         from due join runs on runs.company_id = due.company_id
        where not due.is_doubtful or due.place + runs.doubtful <= ?)
     select id, fence from allowed
      where running + place <= ? and (not is_doubtful or turn + (select sum(doubtful) from runs) <= ?)
      order by place, is_doubtful, id limit ?`,
    [now, now, now, MAX_DOUBTFUL_RUNS, MAX_RUNS, settings.doubtfulRuns, limit],
  );
}

/** Claims the endpoint for a run; null when it is disabled, in backoff or claimed, or when there are enough runs. */
export async function claim(deps: Deps, em: Em, endpointId: number): Promise<EventEndpoint | null> {
  const now = deps.now();
  return em.transactional(async (tx) => {
    // Two claims of a company must not both count the runs before either of them.
    await tx.execute(
      `select id from event_endpoints where company_id = (select company_id from event_endpoints where id = ?)
        order by id for no key update`,
      [endpointId],
    );
    await tx.execute(`select pg_advisory_xact_lock(?) from event_endpoints e where e.id = ? and ${IS_DOUBTFUL}`, [
      DOUBTFUL_LOCK,
      endpointId,
      now,
    ]);
    const taken = await tx.execute<{ id: number }[]>(
      `with running as (select e.company_id, ${IS_DOUBTFUL} as is_doubtful from event_endpoints e where e.running_until > ?)
       update event_endpoints e set attempt = attempt + 1, running_until = ?, last_run_at = ?
        where id = ? and disabled_at is null and (next_try_at is null or next_try_at <= ?)
          and (running_until is null or running_until <= ?)
          and (select count(*) < ? from running r where r.company_id = e.company_id)
          and (not ${IS_DOUBTFUL}
               or (select count(*) < ? and count(*) filter (where r.company_id = e.company_id) < ? from running r where r.is_doubtful))
       returning id`,
      [
        now,
        now,
        leaseEnd(deps),
        now,
        endpointId,
        now,
        now,
        MAX_RUNS,
        now,
        deps.settings.doubtfulRuns,
        MAX_DOUBTFUL_RUNS,
      ],
    );
    // Unmanaged: a commit would write the changed copy, also of a run that was overtaken.
    return taken.length === 0 ? null : tx.findOne(EventEndpoint, endpointId, { disableIdentityMap: true });
  });
}

/** Releases the endpoint, if this run still has its lease. A run that was overtaken keeps the lease until it ends. */
export async function release(
  em: Em,
  { id, companyId, runningUntil, isReliable, doubtedUntil }: EventEndpoint,
): Promise<void> {
  const judged = { isReliable, doubtedUntil };
  await em.nativeUpdate(EventEndpoint, { id, companyId, runningUntil }, { runningUntil: null, ...judged });
}
