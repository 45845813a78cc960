import type { Queue } from 'bullmq';
import { postgresBackend, type QueueOptions, redisBackend, type WorkOptions } from './backends.ts';
import { isPolling, type JobRequest } from './jobs.ts';
import { Turns } from './turns.ts';

const FAILED_JOBS_KEPT_SECONDS = 30 * 24 * 3600;
const POLLING_ATTEMPTS = 3;
const POLLING_FAILURES_KEPT = 200;
const ADD_TIMEOUT_MS = 5000;
/** Jobs per statement. Adding thousands at once would block the event loop for a tenth of a second. */
const ADDED_AT_ONCE = 200;

export interface ReceivedJob {
  id: string;
  name: string;
  data: unknown;
  /** True on the last attempt. */
  isLastTry: boolean;
}

/** `retried`: the job runs again later. */
export type JobOutcome = 'completed' | 'retried' | 'failed';

/** A running worker. `close` waits for the jobs in flight. */
export interface RunningWorker {
  /** Rejects when the queue could not be reached. Close this worker and open another one later. */
  started: Promise<void>;
  close(force?: boolean): Promise<void>;
}

/** The queue, on Redis or in PostgreSQL. Its callers cannot tell which. */
export interface QueueSystem {
  readonly backend: 'redis' | 'postgres';
  /**
   * Adds jobs in one round trip. Throws when the queue cannot be reached: the rows stay, and the sweep adds them later.
   */
  add(queueName: string, jobs: readonly JobRequest[]): Promise<void>;
  /**
   * Adds jobs as `add` does, for work that the rows show as open. A job that failed on our side (the database was away)
   * stays under its id and would block the new one. So that job is retried instead, at most every `reviveAfterMs`.
   */
  revive(queueName: string, jobs: readonly JobRequest[]): Promise<void>;
  work(queueName: string, run: (job: ReceivedJob) => Promise<void>, options: WorkOptions): RunningWorker;
  /** For Bull Board. */
  queue(queueName: string): Queue;
  openQueues(): Queue[];
  ping(): Promise<void>;
  close(): Promise<void>;
}

export function createQueueSystem(options: QueueOptions): QueueSystem {
  const backend = options.redisUrl ? redisBackend(options, options.redisUrl) : postgresBackend(options);
  const queues = new Map<string, Queue>();
  const queueOf = (name: string): Queue => {
    let queue = queues.get(name);
    if (!queue) {
      queue = backend.makeQueue(name);
      queue.on('error', (err: Error) => options.log.warn({ err, queue: name }, 'queue connection failed'));
      queues.set(name, queue);
      const made = queue;
      // A queue that was opened while Redis was away never recovers. The next use opens another one.
      made.waitUntilReady().catch(() => {
        if (queues.get(name) === made) queues.delete(name);
        made.close().catch(() => undefined);
      });
    }
    return queue;
  };
  const jobOptions = {
    attempts: options.retryAttempts,
    backoff: { type: 'partner' },
    removeOnComplete: true,
    removeOnFail: { age: FAILED_JOBS_KEPT_SECONDS },
    stackTraceLimit: 5,
  };
  // The next tick asks again anyway: an outage must not fill the failed set.
  const pollingOptions = {
    ...jobOptions,
    attempts: Math.min(POLLING_ATTEMPTS, options.retryAttempts),
    removeOnFail: { count: POLLING_FAILURES_KEPT },
  };

  const turns = new Turns({
    async readHead(queueName) {
      const [next] = await queueOf(queueName).getPrioritized(0, 0);
      return next?.opts.priority ?? null;
    },
    shareOf: options.shareOf ?? (async () => 1),
  });
  const inTime = <Value>(queueName: string, asking: Promise<Value>): Promise<Value> =>
    withTimeout(asking, ADD_TIMEOUT_MS, `The queue ${queueName} does not answer`);
  const addInTurn = async (queueName: string, jobs: readonly JobRequest[], isAgain: boolean): Promise<void> => {
    const priorities = await inTime(queueName, turns.take(queueName, jobs, { isAgain }));
    const entries = jobs.map((job, at) => {
      const { name, id, payload, delayMs } = job;
      const priority = priorities[at] ?? null;
      return {
        name,
        data: 'companyId' in job ? { ...payload, companyId: job.companyId } : payload,
        opts: {
          ...(isPolling(name) ? pollingOptions : jobOptions),
          jobId: id,
          ...(delayMs ? { delay: delayMs } : {}),
          ...(priority === null ? {} : { priority }),
        },
      };
    });
    const queue = queueOf(queueName);
    const [first, ...others] = entries;
    // In PostgreSQL, `addBulk` creates two tables and drops them: ten milliseconds, however few jobs it adds.
    if (first && others.length === 0)
      return void (await inTime(queueName, queue.add(first.name, first.data, first.opts)));
    for (let at = 0; at < entries.length; at += ADDED_AT_ONCE) {
      await inTime(queueName, queue.addBulk(entries.slice(at, at + ADDED_AT_ONCE)));
    }
  };

  return {
    backend: options.redisUrl ? 'redis' : 'postgres',
    queue: queueOf,
    openQueues: () => [...queues.values()],
    ping: () => backend.ping(),
    add: (queueName, jobs) => addInTurn(queueName, jobs, false),
    async revive(queueName, jobs) {
      await addInTurn(queueName, jobs, true);
      const queue = queueOf(queueName);
      for (const { id } of jobs) {
        const job = await queue.getJob(id);
        if (!job?.finishedOn || Date.now() - job.finishedOn < options.reviveAfterMs) continue;
        if (await job.isFailed()) await job.retry('failed', { resetAttemptsMade: true });
      }
    },
    work(queueName, run, workOptions) {
      const worker = backend.makeWorker(
        queueName,
        (job) =>
          run({
            id: job.id ?? '',
            name: job.name,
            data: job.data,
            isLastTry: job.attemptsMade + 1 >= (job.opts.attempts ?? 1),
          }),
        workOptions,
      );
      worker.on('error', (err: Error) => options.log.warn({ err, queue: queueName }, 'worker connection failed'));
      // A worker that was opened while its database was away never recovers and cannot pause. It is closed at once.
      const started = worker.waitUntilReady().then(
        () => undefined,
        (err) => {
          worker.close(true).catch(() => undefined);
          throw err;
        },
      );
      return { started, close: (force) => worker.close(force) };
    },
    async close() {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
      await backend.close();
    },
  };
}

async function withTimeout<Value>(promise: Promise<Value>, ms: number, message: string): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(message)), ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
