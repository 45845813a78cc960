import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Orm } from '../orm.ts';

const MAX_TOGETHER = 50;
/** Labels of many parcels are large: together they must not become more than one message should be. */
const MAX_BYTES = 4 * 1024 * 1024;

interface Options<Item> {
  /** Statements of the kind that are under way at a time: more make each smaller, and help where the time goes into waiting for the disk. */
  lanes?: number;
  /** An estimate, where items may be large. */
  bytesOf?: (item: Item) => number;
  /** How long the first waits for company. */
  pauseMs?: number;
}

/**
 * For the jobs of a worker, which wait for a carrier a hundred times longer. Beside a slow carrier they come one by one: with the
 * pause a booking takes half of the CPU, of the worker and of PostgreSQL (`npm run bench -- create`).
 */
export const AMONG_JOBS = { pauseMs: 3 };

/** Only its own word says that nothing was written: after a connection that was lost, or that the server ended (57P), nobody knows. */
function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !error.code?.startsWith('57P');
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * One statement for what many ask at the same moment. Alone an item goes at once; what comes while others are under way goes together
 * with the next. Of fifty bookings at a time PostgreSQL does a third of the work for each, and the worker half
 * (`npm run bench -- create`).
 * `run` answers a result for each item, in their order, and does all of them or none: what PostgreSQL refuses is then asked again item
 * by item, so that nobody fails for a neighbour.
 */
export function batched<Item, Result>(
  run: (orm: Orm, items: readonly Item[]) => Promise<readonly Result[]>,
  { lanes = 1, bytesOf, pauseMs }: Options<Item> = {},
): (orm: Orm, item: Item) => Promise<Result> {
  const byOrm = new WeakMap<Orm, { waiting: Waiting<Item, Result>[]; busy: number }>();

  const send = async (orm: Orm, together: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(
        orm,
        together.map(({ item }) => item),
      );
      for (const [at, one] of together.entries()) one.resolve(results[at] as Result);
    } catch (error) {
      if (together.length > 1 && isRefused(error)) for (const one of together) await send(orm, [one]);
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
    const state = byOrm.get(orm) ?? { waiting: [], busy: 0 };
    byOrm.set(orm, state);
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    state.waiting.push({ item, resolve, reject });
    const drain = async (): Promise<void> => {
      state.busy += 1;
      if (pauseMs) await delay(pauseMs);
      while (state.waiting.length > 0) await send(orm, takeFrom(state.waiting));
      state.busy -= 1;
    };
    if (state.busy < lanes) void drain();
    return promise;
  };
}
