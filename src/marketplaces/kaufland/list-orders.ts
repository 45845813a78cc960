import type { ImportedOrder, OrderPage, OrderWindow } from '../adapter.ts';
import { importEach } from '../import-each.ts';
import { nullIfAbsent } from '../refusals.ts';
import { getOrder, getOrders, getRawOrder, type KauflandContext } from './client.ts';
import { importOrder } from './mapping.ts';
import { refuse } from './refusals.ts';
import { ListedOrder, Order } from './schema.ts';

/** Kaufland's maximum. */
const PER_PAGE = 100;
const SECOND_MS = 1000;

/** Reads one page of the orders whose units changed in the window, in Kaufland's order: it offers no other. */
export async function listOrders(context: KauflandContext, window: OrderWindow): Promise<OrderPage> {
  const offset = offsetOf(window.page);
  const { data, pagination } = await getOrders(context, {
    ts_units_updated_from_iso: fromOf(window),
    limit: String(PER_PAGE),
    offset: String(offset),
  });
  const ids = data.flatMap((raw, index) => idWithin(context, window, { raw, index }));
  const raws: { id: string; raw: unknown }[] = [];
  for (const id of ids) raws.push({ id, raw: await nullIfAbsent(getRawOrder(context, id)) });
  const read = importEach(
    raws,
    ({ id }) => id,
    ({ raw }) => importOrder(Order.parse(raw)),
  );
  const end = offset + data.length;
  const hasMore = pagination.total === null ? data.length === PER_PAGE : data.length > 0 && end < pagination.total;
  return { ...read, next: hasMore ? String(end) : null };
}

export function readOrder(context: KauflandContext, externalId: string): Promise<ImportedOrder | null> {
  return nullIfAbsent(getOrder(context, externalId).then(importOrder));
}

export async function verifyAccount(context: KauflandContext): Promise<void> {
  await getOrders(context, { limit: '1' });
}

/** Kaufland counts in seconds and says "after": one second earlier leaves none out. */
function fromOf({ modifiedAfter }: OrderWindow): string {
  return `${new Date(modifiedAfter.getTime() - SECOND_MS).toISOString().slice(0, 19)}Z`;
}

function offsetOf(page: string | null): number {
  if (page === null) return 0;
  if (!/^\d+$/.test(page)) throw refuse('validation', 'The page of orders asked for does not exist');
  return Number(page);
}

/** An order without an id can be kept nowhere; Kaufland cannot be asked for the window's end. */
function idWithin(
  context: KauflandContext,
  { modifiedBefore }: OrderWindow,
  { raw, index }: { raw: unknown; index: number },
): string[] {
  const listed = ListedOrder.safeParse(raw);
  if (!listed.success) {
    context.log.warn({ index }, 'order without an id skipped');
    return [];
  }
  const { id_order, ts_units_updated_iso: updated } = listed.data;
  return updated !== null && updated > modifiedBefore ? [] : [id_order];
}
