import type { Log } from '../lib/log.ts';
import type { ImportedOrder, OrderPage } from './adapter.ts';

/** An order of a list, with its id and not yet read. */
export interface RawOrder {
  id: string;
  raw: unknown;
}

/** Pairs each order of a list with its id. An order without one can be kept nowhere, so it is logged and skipped. */
export function withIds(
  log: Log,
  raws: readonly unknown[],
  idOf: (raw: unknown) => string | number | undefined,
): RawOrder[] {
  return raws.flatMap((raw, index) => {
    const id = idOf(raw);
    if (id === undefined) log.warn({ index }, 'order without an id skipped');
    return id === undefined ? [] : [{ id: String(id), raw }];
  });
}

/** Reads each order on its own, so that an unreadable one is named and stops none of the others. */
export function importEach<Raw>(
  raws: readonly Raw[],
  idOf: (raw: Raw) => string,
  read: (raw: Raw) => ImportedOrder,
): Pick<OrderPage, 'orders' | 'unreadable'> {
  const page: Pick<OrderPage, 'orders' | 'unreadable'> = { orders: [], unreadable: [] };
  for (const raw of raws) {
    try {
      page.orders.push(read(raw));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      page.unreadable.push({ externalId: idOf(raw), reason });
    }
  }
  return page;
}
