import type { ImportedOrder, OrderPage } from './adapter.ts';

/** Reads each order on its own: one that cannot be read is named, and stops none of the others. */
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
