import { systemEm } from '../../db/orm.ts';
import { companiesWithNewEvents, numberEvents } from '../../db/queries/number-events.ts';
import type { Deps } from '../../engine/deps.ts';
import { deliverJobId, EVENTS_QUEUE } from '../../queue/jobs.ts';

const MAX_PER_TICK = 1000;

/**
 * Numbers what is new and queues a delivery for every endpoint that has something to be told, and that nobody is telling. Any
 * number of schedulers may call it: the job's id is the endpoint's fencing number. Answers how many deliveries are due.
 */
export async function queueDueEvents(deps: Deps): Promise<number> {
  const em = systemEm(deps.orm);
  for (const companyId of await companiesWithNewEvents(em)) await numberEvents(em, companyId);
  const due = await em.execute<{ id: number; fence: number }[]>(
    `select e.id, e.attempt as fence from event_endpoints e left join event_counters c on c.company_id = e.company_id
      where e.disabled_at is null
        and (e.delivered_sequence < c.last_sequence or e.replay_from is not null)
        and (e.next_try_at is null or e.next_try_at <= ?) and (e.running_until is null or e.running_until <= ?)
      order by e.id limit ?`,
    [deps.now(), deps.now(), MAX_PER_TICK],
  );
  if (due.length === 0) return 0;
  const jobs = due.map(({ id, fence }) => ({
    name: 'deliver' as const,
    id: deliverJobId(id, fence),
    payload: { endpointId: id },
  }));
  await deps.queues
    .revive(EVENTS_QUEUE, jobs)
    .catch((err) => deps.log.warn({ err, jobs: jobs.length }, 'events not queued, the next tick tries again'));
  return due.length;
}
