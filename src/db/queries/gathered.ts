import pg from 'pg';
import type { Orm } from '../orm.ts';

const MAX_TOGETHER = 50;

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
export function gathered<Item, Result>(
  run: (orm: Orm, items: readonly Item[]) => Promise<readonly Result[]>,
): (orm: Orm, item: Item) => Promise<Result> {
  const byOrm = new WeakMap<Orm, { waiting: Waiting<Item, Result>[]; isBusy: boolean }>();

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

  return (orm, item) => {
    const state = byOrm.get(orm) ?? { waiting: [], isBusy: false };
    byOrm.set(orm, state);
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    state.waiting.push({ item, resolve, reject });
    const drain = async (): Promise<void> => {
      state.isBusy = true;
      while (state.waiting.length > 0) await send(orm, state.waiting.splice(0, MAX_TOGETHER));
      state.isBusy = false;
    };
    if (!state.isBusy) void drain();
    return promise;
  };
}
