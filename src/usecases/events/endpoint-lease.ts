import { EventEndpoint } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';

/** Limit per company, because the same workers serve all endpoints. */
const MAX_RUNS = 2;
/** Endpoints whose last delivery was not accepted may use this many of the runs, so a hanging one delays only others like it. */
const MAX_DOUBTFUL_RUNS = 1;
/** A run without a heartbeat for longer than its longest attempt has lost its worker. */
const LEASE_SPARE_MS = 30_000;

/** Returns the end of a lease that begins now. */
export function leaseEnd(deps: Pick<Deps, 'now' | 'settings'>): Date {
  return new Date(deps.now().getTime() + deps.settings.eventTimeoutMs + LEASE_SPARE_MS);
}

/** Lists endpoints with undelivered events that may run now. Within a company the one that waits longest comes first. */
export async function dueEndpoints(
  em: Em,
  { now, limit }: { now: Date; limit: number },
): Promise<{ id: number; fence: number }[]> {
  return em.execute<{ id: number; fence: number }[]>(
    `with runs as (
       select company_id, count(*) as total, count(*) filter (where not is_reliable) as doubtful
         from event_endpoints where running_until > ? group by company_id),
     due as (
       select e.id, e.attempt as fence, e.company_id, e.last_run_at, e.is_reliable,
              row_number() over (partition by e.company_id, e.is_reliable order by e.last_run_at nulls first, e.id) as place
         from event_endpoints e left join event_counters c on c.company_id = e.company_id
        where e.disabled_at is null
          and (e.delivered_sequence < c.last_sequence or e.replay_from is not null)
          and (e.next_try_at is null or e.next_try_at <= ?) and (e.running_until is null or e.running_until <= ?)),
     allowed as (
       select due.id, due.fence, coalesce(runs.total, 0) as running,
              row_number() over (partition by due.company_id order by due.last_run_at nulls first, due.id) as place
         from due left join runs on runs.company_id = due.company_id
        where due.is_reliable or due.place + coalesce(runs.doubtful, 0) <= ?)
     select id, fence from allowed where running + place <= ? order by place, id limit ?`,
    [now, now, now, MAX_DOUBTFUL_RUNS, MAX_RUNS, limit],
  );
}

/** Claims the endpoint for a run; null when it is disabled, in backoff or claimed, or its company has enough runs. */
export async function claim(deps: Deps, em: Em, endpointId: number): Promise<EventEndpoint | null> {
  const now = deps.now();
  return em.transactional(async (tx) => {
    // Two claims of a company must not both count the runs before either of them.
    await tx.execute(
      `select id from event_endpoints where company_id = (select company_id from event_endpoints where id = ?)
        order by id for no key update`,
      [endpointId],
    );
    const taken = await tx.execute<{ id: number }[]>(
      `update event_endpoints e set attempt = attempt + 1, running_until = ?, last_run_at = ?
        where id = ? and disabled_at is null and (next_try_at is null or next_try_at <= ?)
          and (running_until is null or running_until <= ?)
          and (select count(*) < ? and (e.is_reliable or count(*) filter (where not r.is_reliable) < ?)
                 from event_endpoints r where r.company_id = e.company_id and r.running_until > ?) returning id`,
      [leaseEnd(deps), now, endpointId, now, now, MAX_RUNS, MAX_DOUBTFUL_RUNS, now],
    );
    // Unmanaged: a commit would write the changed copy, also of a run that was overtaken.
    return taken.length === 0 ? null : tx.findOne(EventEndpoint, endpointId, { disableIdentityMap: true });
  });
}

/** Releases the endpoint, if this run still has its lease. A run that was overtaken keeps the lease until it ends. */
export async function release(em: Em, { id, companyId, runningUntil, isReliable }: EventEndpoint): Promise<void> {
  await em.nativeUpdate(EventEndpoint, { id, companyId, runningUntil }, { runningUntil: null, isReliable });
}
