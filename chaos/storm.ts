import { setTimeout as delay } from 'node:timers/promises';
import { CALL_LIMIT_MS, type Cluster } from './cluster.ts';
import type { Random } from './random.ts';
import type { Role } from './role.ts';

/** Blows to processes and engines, each with its share. */
const WEIGHTS = {
  'kill a worker': 26,
  'kill an api': 14,
  'kill a scheduler': 8,
  'freeze a worker past its lock': 10,
  'freeze an api': 4,
  'freeze a scheduler': 3,
  'crash PostgreSQL': 4,
  'restart PostgreSQL': 3,
  'crash Redis': 2,
  'flush Redis': 2,
  'drop the queue': 2,
  'partners refuse connections': 6,
} as const;
const SHORTEST_FREEZE_MS = CALL_LIMIT_MS * 1.1;
/** Past every lease that the product gives. */
const LONGEST_FREEZE_MS = 40_000;
export type StormFault = keyof typeof WEIGHTS;

export interface StormOptions {
  cluster: Cluster;
  random: Random;
  pauseMs: { min: number; max: number };
  /** Only those whose name contains this. */
  only: string;
  log(line: string): void;
}

/** Hurts one thing after the other, at moments and in an order that the seed decides. */
export class Storm {
  readonly counts = new Map<StormFault, number>();
  readonly failures: string[] = [];
  readonly #options: StormOptions;
  readonly #abort = new AbortController();
  readonly #lasting = new Set<Promise<unknown>>();
  #running: Promise<void> | undefined;

  constructor(options: StormOptions) {
    this.#options = options;
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  start(): void {
    this.#running = this.#blow();
  }

  /** Ends it: what is frozen wakes up, what was killed is coming back. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
    await Promise.allSettled([...this.#lasting]);
  }

  async #blow(): Promise<void> {
    const { random, cluster, pauseMs, only, log } = this.#options;
    const { signal } = this.#abort;
    const weights = possible(cluster, only);
    while (!signal.aborted) {
      await delay(random.int(pauseMs.min, pauseMs.max), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const fault = random.weighted(weights);
      const draw = random.next();
      this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
      log(`storm: ${fault}`);
      await this.#strike(fault, draw).catch((error) => this.failures.push(`${fault}: ${(error as Error).message}`));
    }
  }

  async #strike(fault: StormFault, draw: number): Promise<void> {
    const { cluster } = this.#options;
    switch (fault) {
      case 'kill a worker':
        return one(cluster.workers, draw).kill();
      case 'kill an api':
        return one(cluster.apis, draw).kill();
      case 'kill a scheduler':
        return one(cluster.schedulers, draw).kill();
      case 'freeze a worker past its lock':
        return this.#freeze(cluster.workers, draw);
      case 'freeze an api':
        return this.#freeze(cluster.apis, draw);
      case 'freeze a scheduler':
        return this.#freeze(cluster.schedulers, draw);
      case 'crash PostgreSQL':
        return cluster.restartPostgres('immediate');
      case 'restart PostgreSQL':
        return cluster.restartPostgres('fast');
      case 'crash Redis':
        return cluster.redis?.crash();
      case 'flush Redis':
        return cluster.redis?.flush();
      case 'drop the queue':
        return cluster.dropQueue?.();
      case 'partners refuse connections': {
        const body = JSON.stringify({ partner: 'gls-it', fault: 'refuse', delayMs: 500 + Math.floor(draw * 1000) });
        await fetch(`${cluster.sandboxUrl}/_control/faults`, { method: 'POST', body });
      }
    }
  }

  /** Long enough for everybody else to take it for lost; the storm goes on meanwhile. */
  #freeze(roles: readonly Role[], draw: number): void {
    const ms = SHORTEST_FREEZE_MS + draw * draw * (LONGEST_FREEZE_MS - SHORTEST_FREEZE_MS);
    const frozen = one(roles, draw).freeze(ms, this.#abort.signal);
    this.#lasting.add(frozen);
    frozen.finally(() => this.#lasting.delete(frozen)).catch(() => undefined);
  }
}

/** Only what there is. */
function possible(cluster: Cluster, only: string): Partial<Record<StormFault, number>> {
  const absent: StormFault[] = cluster.redis ? ['drop the queue'] : ['crash Redis', 'flush Redis'];
  return Object.fromEntries(
    Object.entries(WEIGHTS).filter(([name]) => name.includes(only) && !absent.includes(name as StormFault)),
  );
}

function one(roles: readonly Role[], draw: number): Role {
  const up = roles.filter((role) => role.isUp);
  const role = (up.length > 0 ? up : roles)[Math.floor(draw * (up.length || roles.length))];
  if (!role) throw new Error('There is no such process');
  return role;
}
