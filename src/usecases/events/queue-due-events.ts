import { systemEm } from '../../db/orm.ts';
import { companiesWithNewEvents, numberEvents } from '../../db/queries/number-events.ts';
import type { Deps } from '../../engine/deps.ts';
import { deliverJobId, EVENTS_QUEUE } from '../../queue/jobs.ts';
import { dueEndpoints } from './endpoint-lease.ts';

const MAX_PER_TICK = 1000;

/**
 * Numbers new events and enqueues a delivery for each endpoint that may run. Any number of schedulers may call it: the
 * job's id is the endpoint's fencing number. Returns the number of deliveries that are due.
 */
export async function queueDueEvents(deps: Deps): Promise<number> {
  const em = systemEm(deps.orm);
  for (const companyId of await companiesWithNewEvents(em)) await numberEvents(em, companyId);
  const due = await dueEndpoints(deps, em, { now: deps.now(), limit: MAX_PER_TICK });
  if (due.length === 0) return 0;
  const jobs = due.map(({ id, fence }) => ({
    name: 'deliver' as const,
    id: deliverJobId(id, fence),
    payload: { endpointId: id },
  }));
  await deps.queues
    .revive(EVENTS_QUEUE, jobs)
    .catch((err) =>
      deps.log.warn({ err, jobs: jobs.length }, 'enqueue of event deliveries failed; the next tick will retry'),
    );
  return due.length;
}
