import { CarrierRow } from '../db/entities/index.ts';
import { carrierQueue, type JobRequest } from '../queue/jobs.ts';
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
  if (jobs.length === 0) return;
  const carriers = await deps.orm.em.fork().find(CarrierRow, {});
  const codes = new Map(carriers.map((row) => [row.id, row.code]));
  for (const [carrierId, own] of Map.groupBy(jobs, (one) => one.carrierId)) {
    await enqueue(
      deps,
      carrierQueue(codes.get(carrierId) ?? ''),
      own.map(({ job }) => job),
    );
  }
}
