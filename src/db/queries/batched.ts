import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Problem } from '../../lib/errors.ts';
import { seeingCompanies, seeingEveryCompany, visibleCompanies } from '../../lib/visible-companies.ts';
import type { Orm } from '../orm.ts';

const MAX_TOGETHER = 50;
/** Milliseconds. An item that comes alone, as that of a single waiting person, waits for no others. */
const RUSH_MS = 30;
/** Labels of many parcels are large: a batch must not exceed one reasonable message. */
const MAX_BYTES = 4 * 1024 * 1024;

interface Options<Item> {
  /** Returns what the items of a batch have in common, such as their company; absent: any items share a batch. */
  keyOf?: (item: Item) => string | number;
  /** True: it writes nothing, so after any error each item is tried alone. */
  isRead?: boolean;
  /**
   * Concurrent statements of this kind. More lanes make each batch smaller, and help where the disk is the bottleneck.
   */
  lanes?: number;
  /** Estimates an item's size, where items may be large. */
  bytesOf?: (item: Item) => number;
  /** Milliseconds that the first item waits for other items to batch with, if there was another one just before. */
  pauseMs?: number;
}

/**
 * For the jobs of a worker, which wait for a carrier a hundred times longer. Beside a slow carrier they come one by
 * one. With the pause, a booking takes half of the CPU of the worker and of PostgreSQL (`npm run bench -- create`).
 */
export const AMONG_JOBS = { pauseMs: 3 };

/**
 * Only the server's own error, or one of ours before the commit, proves that nothing was written. After a lost connection,
 * or one that the server ended (57P), the outcome is unknown.
 */
function isRefused(error: unknown): boolean {
  if (error instanceof Problem) return true;
  return error instanceof pg.DatabaseError && !error.code?.startsWith('57P');
}

interface Waiting<Item, Result> {
  item: Item;
  /** The companies that its caller sees; null: all. */
  visible: readonly number[] | null;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** The items that may share a batch. */
interface Line<Item, Result> {
  waiting: Waiting<Item, Result>[];
  busy: number;
  lastAt: number;
}

/**
 * Batches items that arrive together into one statement. A single item runs at once; items that arrive meanwhile share
 * the next statement. With fifty concurrent bookings, PostgreSQL does a third of the work for each, and the worker half
 * (`npm run bench -- create`). `run` returns a result per item, in their order, and does all of them or none. When
 * PostgreSQL refuses a batch, it runs item by item, so one bad item cannot fail the batch.
 */
export function batched<Item, Result>(
  run: (orm: Orm, items: readonly Item[]) => Promise<readonly Result[]>,
  { lanes = 1, bytesOf, pauseMs, keyOf, isRead = false }: Options<Item> = {},
): (orm: Orm, item: Item) => Promise<Result> {
  const byOrm = new WeakMap<Orm, Map<string | number, Line<Item, Result>>>();

  const send = async (orm: Orm, together: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await seeing(together, () =>
        run(
          orm,
          together.map(({ item }) => item),
        ),
      );
      for (const [at, one] of together.entries()) one.resolve(results[at] as Result);
    } catch (error) {
      if (together.length > 1 && (isRead || isRefused(error))) for (const one of together) await send(orm, [one]);
      else for (const one of together) one.reject(error);
    }
  };

  /** Those that came first, at least one. */
  const takeFrom = (waiting: Waiting<Item, Result>[]): Waiting<Item, Result>[] => {
    let bytes = 0;
    const tooMany = waiting.findIndex(({ item }, at) => {
      bytes += bytesOf?.(item) ?? 0;
      return at > 0 && (at === MAX_TOGETHER || bytes > MAX_BYTES);
    });
    return waiting.splice(0, tooMany === -1 ? waiting.length : tooMany);
  };

  return (orm, item) => {
    const states = byOrm.get(orm) ?? new Map<string | number, Line<Item, Result>>();
    byOrm.set(orm, states);
    const key = keyOf?.(item) ?? '';
    const state = states.get(key) ?? { waiting: [], busy: 0, lastAt: Number.NEGATIVE_INFINITY };
    states.set(key, state);
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    state.waiting.push({ item, visible: visibleCompanies(), resolve, reject });
    const isRush = performance.now() - state.lastAt < RUSH_MS;
    state.lastAt = performance.now();
    const drain = async (): Promise<void> => {
      state.busy += 1;
      if (pauseMs && isRush) await delay(pauseMs);
      while (state.waiting.length > 0) await send(orm, takeFrom(state.waiting));
      state.busy -= 1;
      if (keyOf && state.busy === 0) states.delete(key);
    };
    if (state.busy < lanes) void drain();
    return promise;
  };
}

/** Runs a batch so that it sees the companies of all its callers. */
function seeing<Result>(together: readonly Pick<Waiting<unknown, unknown>, 'visible'>[], work: () => Result): Result {
  const companyIds: number[] = [];
  for (const { visible } of together) {
    if (visible === null) return seeingEveryCompany(work);
    companyIds.push(...visible);
  }
  return seeingCompanies(companyIds, work);
}
