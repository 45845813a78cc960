import { carrierQueue, EVENTS_QUEUE, marketplaceQueue, trackingQueue } from '../queue/jobs.ts';
import type { QueueSystem, RunningWorker, WorkOptions } from '../queue/queue-system.ts';
import type { Deps } from '../usecases/deps.ts';
import { listPartners } from '../usecases/list-partners.ts';
import { runJob } from './run-job.ts';

export interface WorkerPoolOptions {
  deps: Deps;
  queues: QueueSystem;
  concurrency: number;
  /** Only these queues; null: every one there is work for. */
  only: readonly string[] | null;
}

/** Of a partner's rate, polling may use at most a third. */
const TRACKING_SHARE = 1 / 3;
const REFRESH_MS = 5000;

/** Every queue a process may work on, with the partner's rate limit shared by all workers of the queue. */
export async function queueTable(deps: Deps): Promise<Map<string, { limiter?: { max: number; duration: number } }>> {
  const { carrierCodes, marketplaceCodes, hasEventEndpoints } = await listPartners(deps);
  const table = new Map<string, { limiter?: { max: number; duration: number } }>();
  for (const code of carrierCodes) {
    const rate = deps.carriers.get(code)?.rateLimit;
    const share = (part: number) =>
      rate ? { limiter: { max: Math.max(1, Math.round(rate.max * part)), duration: rate.durationMs } } : {};
    table.set(carrierQueue(code), share(1 - TRACKING_SHARE));
    table.set(trackingQueue(code), share(TRACKING_SHARE));
  }
  for (const code of marketplaceCodes) {
    const rate = deps.marketplaces.get(code)?.rateLimit;
    table.set(marketplaceQueue(code), rate ? { limiter: { max: rate.max, duration: rate.durationMs } } : {});
  }
  if (hasEventEndpoints) table.set(EVENTS_QUEUE, {});
  return table;
}

/** Workers for every partner that somebody has a contract or connection with, and for events that somebody wants; new ones are picked up while running. */
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

  /** Opens workers for queues that came since. */
  async refresh(): Promise<void> {
    this.#refreshing ??= this.#open().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #open(): Promise<void> {
    const { deps, queues, concurrency, only } = this.#options;
    for (const [name, { limiter }] of await queueTable(deps)) {
      if (this.#workers.has(name) || (only && !only.includes(name)) || this.#abort.signal.aborted) continue;
      const work: WorkOptions = { concurrency, ...(limiter ? { limiter } : {}) };
      const worker = queues.work(name, (job) => runJob(deps, job, this.#abort.signal), work);
      this.#workers.set(name, worker);
      worker.started.catch((err) => {
        deps.log.warn({ err, queue: name }, 'worker not started, the next refresh tries again');
        if (this.#workers.get(name) === worker) this.#workers.delete(name);
        worker.close(true).catch(() => undefined);
      });
      deps.log.info({ queue: name, concurrency }, 'working on queue');
    }
  }

  /** Lets jobs in flight finish; what is still running at the deadline is aborted and goes back to the queue. */
  async stop(deadlineMs: number): Promise<void> {
    clearInterval(this.#timer);
    await this.#refreshing?.catch(() => undefined);
    const timer = setTimeout(() => this.#abort.abort(), deadlineMs);
    await Promise.allSettled([...this.#workers.values()].map((worker) => worker.close()));
    clearTimeout(timer);
    this.#abort.abort();
    this.#workers.clear();
  }
}
