import { setTimeout as pause } from 'node:timers/promises';
import { IntegrationError } from './errors.ts';

/** A token bucket, as platforms describe their limits: it holds `capacity`, and `perSecond` flow back. */
export interface BudgetRule {
  capacity: number;
  perSecond: number;
}

/** The levels of the buckets, shared by all processes that call the partner. */
export interface BudgetStore {
  /** Takes `cost`, or takes nothing and returns how many milliseconds are missing. */
  take(key: string, rule: BudgetRule, cost: number): Promise<number>;
  /** Stores the level that the partner reported. */
  report(key: string, left: number): Promise<void>;
}

export interface Budget {
  /** Waits until `cost` is available. Throws `throttled` when that would take longer than `patienceMs`. */
  take(cost?: number, patienceMs?: number): Promise<void>;
  report(left: number): Promise<void>;
}

/** Milliseconds. An import may wait for minutes between two pages; a person who sends one order may not. */
const DEFAULT_PATIENCE_MS = 5_000;

/** Returns one bucket of one account. */
export function budgetOf(
  store: BudgetStore,
  options: { key: string; rule: BudgetRule; provider: string; signal: AbortSignal },
): Budget {
  const { key, rule, provider, signal } = options;
  return {
    async take(cost = 1, patienceMs = DEFAULT_PATIENCE_MS) {
      const deadline = Date.now() + patienceMs;
      for (;;) {
        const missingMs = await store.take(key, rule, cost);
        if (missingMs === 0) return;
        if (Date.now() + missingMs > deadline) {
          throw new IntegrationError(`${provider} allows no further calls at the moment`, {
            kind: 'retryable',
            provider,
            code: 'throttled',
            retryAfterMs: missingMs,
          });
        }
        await pause(missingMs, undefined, { signal }).catch((cause: unknown) => {
          throw new IntegrationError(`${provider} was not called: the work was stopped`, {
            kind: 'retryable',
            provider,
            code: 'stopped',
            cause,
          });
        });
      }
    },
    report: (left) => store.report(key, left),
  };
}

/** Keeps levels in memory, for one process. */
export function memoryBudgets(now: () => number = Date.now): BudgetStore {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    async take(key, { capacity, perSecond }, cost) {
      const bucket = buckets.get(key) ?? { tokens: capacity, at: now() };
      const tokens = Math.min(capacity, bucket.tokens + ((now() - bucket.at) / 1000) * perSecond);
      const isEnough = tokens >= Math.min(cost, capacity);
      buckets.set(key, { tokens: isEnough ? tokens - cost : tokens, at: now() });
      return isEnough ? 0 : Math.ceil(((Math.min(cost, capacity) - tokens) / perSecond) * 1000);
    },
    async report(key, left) {
      buckets.set(key, { tokens: left, at: now() });
    },
  };
}
