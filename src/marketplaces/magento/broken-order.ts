import type { ShopContext } from './account.ts';
import { type Filter, searchOrders } from './client.ts';
import { mayBeOneOrder } from './refusals.ts';

/** `entity_id` is an unsigned integer of 32 bits. */
const HIGHEST_ID = 2 ** 32 - 1;

/**
 * Throws for a shop that cannot even answer a search that finds nothing: then the shop is broken, and no order of
 * it.
 */
export async function requireWorkingShop(context: ShopContext): Promise<void> {
  await searchOrders(context, { filters: [{ field: 'entity_id', condition: 'eq', value: 0 }], pageSize: 1 });
}

/**
 * Finds the first order after `after` that makes every page fail, which no page names. It reads longer and longer
 * ranges of ids until one fails, then halves of that. Null when all of them can be read by now.
 */
export async function findBrokenOrder(
  context: ShopContext,
  { filters, after }: { filters: readonly Filter[]; after: number },
): Promise<number | null> {
  await requireWorkingShop(context);
  const isReadable = async (from: number, to: number): Promise<boolean> => {
    const range: Filter[] = [
      { field: 'entity_id', condition: 'gt', value: from },
      { field: 'entity_id', condition: 'lteq', value: to },
    ];
    try {
      await searchOrders(context, { filters: [...filters, ...range], pageSize: 1 });
      return true;
    } catch (error) {
      if (mayBeOneOrder(error)) return false;
      throw error;
    }
  };
  let readable = after;
  let step = 1;
  while (await isReadable(readable, readable + step)) {
    readable += step;
    if (readable >= HIGHEST_ID) return null;
    step *= 2;
  }
  let broken = readable + step;
  while (broken - readable > 1) {
    const middle = Math.floor((readable + broken) / 2);
    if (await isReadable(readable, middle)) readable = middle;
    else broken = middle;
  }
  return broken;
}
