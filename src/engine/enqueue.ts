import { carrierQueue, type JobRequest } from '../queue/jobs.ts';
import { carrierCode } from './call-contract.ts';
import type { Deps } from './deps.ts';

/** Enqueues jobs whose rows are committed. During an outage of the queue the rows stay, and the sweep enqueues them later. */
export async function enqueue(
  deps: Pick<Deps, 'queues' | 'log'>,
  queue: string,
  jobs: readonly JobRequest[],
): Promise<void> {
  await deps.queues
    .add(queue, jobs)
    .catch((err) =>
      deps.log.warn({ err, queue, job: jobs[0]?.id, jobs: jobs.length }, 'enqueue failed; the sweep will retry'),
    );
}

/** Enqueues jobs of several carriers like `enqueue`. */
export async function enqueueByCarrier(
  deps: Pick<Deps, 'orm' | 'queues' | 'log'>,
  jobs: readonly { carrierId: number; job: JobRequest }[],
): Promise<void> {
  for (const [carrierId, own] of Map.groupBy(jobs, (one) => one.carrierId)) {
    await enqueue(
      deps,
      carrierQueue(await carrierCode(deps.orm, carrierId)),
      own.map(({ job }) => job),
    );
  }
}
