import pg from 'pg';
import type { Orm } from '../orm.ts';

const MAX_TOGETHER = 50;
/** Labels of many parcels are large: together they must not become more than one message should be. */
const MAX_BYTES = 4 * 1024 * 1024;

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * One statement for what many ask at the same moment. Alone an item goes at once; what comes while others are under way goes together
 * with the next. Of fifty bookings at a time PostgreSQL does a third of the work for each, and the worker half
 * (`npm run bench -- create`).
 * `lanes` statements of the kind are under way at a time: more than one make each of them smaller, and help where the time goes into
 * waiting for the disk.
 * `bytesOf` estimates how large an item is, where it may be large.
 * `run` answers a result for each item, in their order, and does all of them or none: what PostgreSQL refuses is then asked again item
 * by item, so that nobody fails for a neighbour.
 */
export function gathered<Item, Result>(
  run: (orm: Orm, items: readonly Item[]) => Promise<readonly Result[]>,
  { lanes = 1, bytesOf }: { lanes?: number; bytesOf?: (item: Item) => number } = {},
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
      // Only its own word says that nothing was written: after a lost connection nobody knows.
      if (together.length > 1 && error instanceof pg.DatabaseError) for (const one of together) await send(orm, [one]);
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
      while (state.waiting.length > 0) await send(orm, takeFrom(state.waiting));
      state.busy -= 1;
    };
    if (state.busy < lanes) void drain();
    return promise;
  };
}
