import { carrierQueue, type JobRequest } from '../queue/jobs.ts';
import { carrierCode } from './call-contract.ts';
import type { Deps } from './deps.ts';

/** Adds work whose rows are committed. While the queue is away the rows stay, and the sweep adds them later. */
export async function enqueue(
  deps: Pick<Deps, 'queues' | 'log'>,
  queue: string,
  jobs: readonly JobRequest[],
): Promise<void> {
  await deps.queues
    .add(queue, jobs)
    .catch((err) =>
      deps.log.warn({ err, queue, job: jobs[0]?.id, jobs: jobs.length }, 'not queued now, the sweep will'),
    );
}

/** The same for work of several carriers. */
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
