import type { Deps } from '../engine/deps.ts';
import { Semaphore } from '../lib/semaphore.ts';
import type { WorkOptions } from '../queue/backends.ts';
import { carrierQueue, EVENTS_QUEUE, marketplaceQueue, trackingQueue } from '../queue/jobs.ts';
import type { JobOutcome, QueueSystem, ReceivedJob, RunningWorker } from '../queue/queue-system.ts';
import { RetryLater, willRetry } from '../queue/retry.ts';
import { listPartners } from '../usecases/partners/list-partners.ts';
import { runJob } from './run-job.ts';

export interface WorkerPoolOptions {
  deps: Deps;
  queues: QueueSystem;
  /** Concurrent calls to a partner, per queue. */
  concurrency: number;
  /** Limits the pool to these queues; null: every queue that has work. */
  only: readonly string[] | null;
  /** Is told how each job ended, and after how many seconds. */
  observe?: (job: { queue: string; outcome: JobOutcome }, seconds: number) => void;
}

/** Polls may use at most this share of a partner's rate. */
const TRACKING_SHARE = 1 / 3;
/**
 * Bookings beyond the permits, as a share of them. A booking spends most of its time inside its call, so more are prepared and written
 * meanwhile. Beside a carrier of 200 ms, a worker makes a tenth more labels (`npm run bench -- create`). Other jobs
 * hold their permit from start to end.
 */
const BOOKINGS_AHEAD = 0.3;
const REFRESH_MS = 5000;
/** Milliseconds that aborted jobs get to return. */
const ABORTED_MS = 1000;

interface QueuePlan extends Pick<WorkOptions, 'limiter'> {
  /** Jobs beyond the concurrent calls, as a share of them. */
  ahead?: number;
}

/** Lists every queue that a process may work on. All workers of a queue share the partner's rate limit. */
export async function queueTable(deps: Deps): Promise<Map<string, QueuePlan>> {
  const { carrierCodes, marketplaceCodes, hasEventEndpoints } = await listPartners(deps);
  const table = new Map<string, QueuePlan>();
  for (const code of carrierCodes) {
    const carrier = deps.carriers.get(code);
    // A process without the adapter leaves its jobs to one that has it: refusing them would reject shipments.
    if (!carrier) continue;
    const rate = carrier.rateLimit;
    const share = (part: number) =>
      rate ? { limiter: { max: Math.max(1, Math.round(rate.max * part)), duration: rate.durationMs } } : {};
    table.set(carrierQueue(code), { ...share(1 - TRACKING_SHARE), ahead: BOOKINGS_AHEAD });
    table.set(trackingQueue(code), share(TRACKING_SHARE));
  }
  for (const code of marketplaceCodes) {
    const marketplace = deps.marketplaces.get(code);
    if (!marketplace) continue;
    const rate = marketplace.rateLimit;
    table.set(marketplaceQueue(code), rate ? { limiter: { max: rate.max, duration: rate.durationMs } } : {});
  }
  if (hasEventEndpoints) table.set(EVENTS_QUEUE, {});
  return table;
}

/**
 * Opens workers for every partner with a contract or connection, and for events that have an endpoint. Picks up new
 * ones while it runs.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #workers = new Map<string, RunningWorker>();
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #refreshing: Promise<void> | undefined;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    await this.refresh();
    this.#timer = setInterval(() => {
      this.refresh().catch((err) => this.#options.deps.log.warn({ err }, 'partners not read'));
    }, REFRESH_MS);
  }

  /** Opens workers for queues that appeared since the last look. */
  async refresh(): Promise<void> {
    this.#refreshing ??= this.#open().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #open(): Promise<void> {
    const { deps, queues, concurrency, only } = this.#options;
    const opened: string[] = [];
    for (const [name, { ahead = 0, ...limited }] of await queueTable(deps)) {
      if (this.#workers.has(name) || (only && !only.includes(name)) || this.#abort.signal.aborted) continue;
      const semaphore = new Semaphore(concurrency);
      const work = { ...limited, concurrency: concurrency + Math.ceil(concurrency * ahead) };
      const worker = queues.work(name, (job) => this.#observed(name, job, semaphore), work);
      this.#workers.set(name, worker);
      worker.started.catch((err) => {
        deps.log.warn({ err, queue: name }, 'worker not started; the next refresh retries');
        if (this.#workers.get(name) === worker) this.#workers.delete(name);
        worker.close(true).catch(() => undefined);
      });
      opened.push(name);
    }
    if (opened.length === 0) return;
    deps.log.info({ queues: opened.length, concurrency }, 'workers started');
    deps.log.debug({ queues: opened }, 'queues');
  }

  async #observed(queue: string, job: ReceivedJob, semaphore: Semaphore): Promise<void> {
    const startedAt = performance.now();
    const end = (outcome: JobOutcome) =>
      this.#options.observe?.({ queue, outcome }, (performance.now() - startedAt) / 1000);
    try {
      await this.#run(job, semaphore);
      end('completed');
    } catch (error) {
      end(willRetry(job, error) ? 'retried' : 'failed');
      throw error;
    }
  }

  async #run(job: ReceivedJob, semaphore: Semaphore): Promise<void> {
    const endTurn = await semaphore.acquire();
    try {
      const { signal } = this.#abort;
      if (signal.aborted) throw new RetryLater('The worker was stopped before it began');
      await runJob(this.#options.deps, job, { signal, endTurn });
    } finally {
      endTurn();
    }
  }

  /**
   * Waits for jobs in flight. At the deadline it aborts the rest, and they go back to the queue. It abandons a worker
   * that does not end soon after; other workers take its jobs when their locks expire.
   */
  async stop(deadlineMs: number): Promise<void> {
    clearInterval(this.#timer);
    const abortTimer = setTimeout(() => this.#abort.abort(), deadlineMs);
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const lateTimer = setTimeout(resolve, deadlineMs + ABORTED_MS);
    await Promise.race([this.#close(), late]);
    clearTimeout(abortTimer);
    clearTimeout(lateTimer);
    this.#abort.abort();
    for (const queue of this.#workers.keys()) this.#options.deps.log.error({ queue }, 'worker did not stop in time');
    this.#workers.clear();
  }

  async #close(): Promise<void> {
    await this.#refreshing?.catch(() => undefined);
    const closing = [...this.#workers].map(async ([queue, worker]) => {
      await worker.close().catch(() => undefined);
      this.#workers.delete(queue);
    });
    await Promise.all(closing);
  }
}
