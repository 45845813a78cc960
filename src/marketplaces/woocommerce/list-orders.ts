import { IntegrationError } from '../../lib/errors.ts';
import type { ImportedOrder, OrderPage, OrderWindow } from '../contract.ts';
import { importEach } from '../import-each.ts';
import { listRawOrders, readOrder as readShopOrder, type ShopContext } from './client.ts';
import { importOrder } from './mapping.ts';
import { refuse } from './refusal.ts';
import { Order } from './schema.ts';

const PER_PAGE = 100;

/** The page to read, and how many orders the window held when the page before it was read. */
interface PageToken {
  page: number;
  total: number | null;
}

/** One page of the window, oldest id first; all statuses unless the account names some. */
export async function listOrders(context: ShopContext, window: OrderWindow): Promise<OrderPage> {
  const token = parseToken(window.page);
  let { page } = token;
  let answer = await readPage(context, window, page);
  let total = totalOf(answer.headers);
  // Orders changed in the meantime have left the window and moved the rest forward: the page before holds what would be skipped.
  if (page > 1 && total !== null && token.total !== null && total < token.total) {
    page -= Math.min(page - 1, Math.ceil((token.total - total) / PER_PAGE));
    answer = await readPage(context, window, page);
    total = totalOf(answer.headers);
  }
  const raws = answer.data.flatMap((raw, index) => withId(context, raw, index));
  const read = importEach(
    raws,
    (order) => String(order.id),
    (order) => importOrder(order, window.modifiedBefore),
  );
  return { ...read, next: hasNext(answer, page) ? `${page + 1}/${total ?? ''}` : null };
}

function readPage(context: ShopContext, window: OrderWindow, page: number) {
  return listRawOrders(context, {
    status: (context.account.statuses ?? ['any']).join(','),
    modified_after: utcSeconds(window.modifiedAfter),
    modified_before: utcSeconds(window.modifiedBefore),
    // Without it the shop reads both dates in its own time zone.
    dates_are_gmt: 'true',
    orderby: 'id',
    order: 'asc',
    per_page: String(PER_PAGE),
    page: String(page),
  });
}

export async function readOrder(context: ShopContext, externalId: string): Promise<ImportedOrder | null> {
  try {
    return importOrder(await readShopOrder(context, externalId), context.now());
  } catch (error) {
    if (error instanceof IntegrationError && error.code === 'order_not_found') return null;
    throw error;
  }
}

/** An order without an id can be kept nowhere; every other one is kept, with sentences about what is wrong. */
function withId(context: ShopContext, raw: unknown, index: number): Order[] {
  const order = Order.safeParse(raw);
  if (order.success) return [order.data];
  context.log.warn({ index }, 'order without an id skipped');
  return [];
}

function parseToken(token: string | null): PageToken {
  if (token === null) return { page: 1, total: null };
  const [, page, total] = /^([1-9]\d*)\/(\d*)$/.exec(token) ?? [];
  if (page === undefined) throw refuse('validation', 'The page of orders asked for does not exist');
  return { page: Number(page), total: total ? Number(total) : null };
}

function hasNext(answer: { data: unknown[]; headers: Record<string, string> }, page: number): boolean {
  const { link } = answer.headers;
  if (link !== undefined) return /rel="?next"?/.test(link);
  const pages = answer.headers['x-wp-totalpages'];
  return pages === undefined ? answer.data.length === PER_PAGE : Number(pages) > page;
}

function totalOf(headers: Record<string, string>): number | null {
  const total = headers['x-wp-total'];
  return total !== undefined && /^\d+$/.test(total) ? Number(total) : null;
}

function utcSeconds(at: Date): string {
  return at.toISOString().slice(0, 19);
}
