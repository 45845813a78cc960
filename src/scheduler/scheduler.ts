import cron, { type Logger, type ScheduledTask } from 'node-cron';
import type { Deps } from '../engine/deps.ts';
import type { Log } from '../lib/log.ts';
import type { Election } from './election.ts';
import { type Cron, SCHEDULE } from './schedule.ts';

export interface SchedulerOptions {
  deps: Deps;
  election: Election;
  schedule?: readonly Cron[];
}

/** Fires the schedule in the elected leader. Any number of processes may run. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #running = new Set<Promise<unknown>>();
  #tasks: ScheduledTask[] = [];

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    await this.#options.election.start();
    const logger = cronLogger(this.#options.deps.log);
    this.#tasks = (this.#options.schedule ?? SCHEDULE).map((entry) =>
      cron.schedule(entry.expression, () => this.#track(this.#fire(entry)), {
        name: entry.name,
        noOverlap: true,
        timezone: 'UTC',
        logger,
      }),
    );
  }

  async stop(): Promise<void> {
    for (const task of this.#tasks) await task.destroy();
    await Promise.allSettled([...this.#running]);
    await this.#options.election.stop();
  }

  async #fire(entry: Cron): Promise<void> {
    const { deps, election } = this.#options;
    try {
      if (!(await election.isLeader())) return;
      const started = performance.now();
      const found = await entry.run(deps);
      deps.log.debug({ tick: entry.name, found, ms: Math.round(performance.now() - started) }, 'tick');
    } catch (err) {
      deps.log.error({ err, tick: entry.name }, 'tick failed');
    }
  }

  #track(promise: Promise<unknown>): Promise<unknown> {
    this.#running.add(promise);
    promise.finally(() => this.#running.delete(promise)).catch(() => undefined);
    return promise;
  }
}

/** Sends node-cron's own messages to our log. By default it prints them in colours beside our JSON lines. */
function cronLogger(log: Log): Logger {
  return {
    info: (reason) => log.debug({ reason }, 'cron'),
    warn: (reason) => log.warn({ reason }, 'cron'),
    error: (reason, err) => log.error({ reason: String(reason), err }, 'cron'),
    debug: (reason) => log.debug({ reason: String(reason) }, 'cron'),
  };
}
