import { readEach, warnOf } from '../../lib/read-each.ts';
import type { ImportedOrder, OrderPage, OrderWindow } from '../adapter.ts';
import { importEach } from '../import-each.ts';
import { nullIfAbsent } from '../refusals.ts';
import { listRawOrders, readOrder as readShopOrder, type ShopContext } from './client.ts';
import { importOrder } from './mapping.ts';
import { type Refunds, readRefunds } from './refunds.ts';
import { refuse } from './refusals.ts';
import { Order } from './schema.ts';

const PER_PAGE = 100;

/**
 * `any` leaves out the trash (recorded from WooCommerce 11.0.1, 2026-11-22), where a deleted order stays for a month. They are two
 * lists, because a list that names both statuses is read differently by the shop's two kinds of order storage.
 */
const LISTS = ['any', 'trash'] as const;
type List = (typeof LISTS)[number];

/** The page to read, and how many orders its list held when the page before it was read. */
interface PageToken {
  list: List;
  page: number;
  total: number | null;
}

/** Reads one page of the window, oldest id first: every status but the trash, then the trash. */
export async function listOrders(context: ShopContext, window: OrderWindow): Promise<OrderPage> {
  const token = parseToken(window.page);
  const { list } = token;
  let { page } = token;
  let answer = await readPage(context, window, { list, page });
  let total = totalOf(answer.headers);
  // Orders changed in the meantime have left the window and moved the rest forward: the page before holds what would be skipped.
  if (page > 1 && total !== null && token.total !== null && total < token.total) {
    page -= Math.min(page - 1, Math.ceil((token.total - total) / PER_PAGE));
    answer = await readPage(context, window, { list, page });
    total = totalOf(answer.headers);
  }
  const orders = readEach(Order, answer.data, warnOf(context.log, 'orders'));
  const refunds = new Map<number, Refunds>();
  for (const order of orders) refunds.set(order.id, await readRefunds(context, order));
  const read = importEach(
    orders,
    (order) => String(order.id),
    (order) =>
      importOrder(order, {
        account: context.account,
        refunds: refunds.get(order.id),
        unknownDate: window.modifiedBefore,
      }),
  );
  const following = LISTS[LISTS.indexOf(list) + 1];
  if (hasNext(answer, page)) return { ...read, next: `${list}/${page + 1}/${total ?? ''}` };
  return { ...read, next: following ? `${following}/1/` : null };
}

function readPage(context: ShopContext, window: OrderWindow, { list, page }: { list: List; page: number }) {
  return listRawOrders(context, {
    status: list,
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

/**
 * Finds absent orders by one list for all. Only an order that it lacks, because of the trash or for good, costs a
 * question of its own.
 */
export async function findAbsent(
  context: ShopContext,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, 'cancelled' | 'gone'>> {
  const include = externalIds.join(',');
  const { data } = await listRawOrders(context, { status: 'any', include, per_page: String(PER_PAGE) });
  const states = new Map(
    readEach(Order, data, warnOf(context.log, 'orders')).map((order) => [
      String(order.id),
      importOrder(order, { account: context.account, refunds: undefined, unknownDate: context.now() }).state,
    ]),
  );
  const absent = new Map<string, 'cancelled' | 'gone'>();
  for (const id of externalIds) {
    const state = states.get(id);
    if (state === 'cancelled') absent.set(id, 'cancelled');
    if (state !== undefined) continue;
    const order = await readOrder(context, id);
    if (order === null) absent.set(id, 'gone');
    else if (order.state === 'cancelled') absent.set(id, 'cancelled');
  }
  return absent;
}

/** Reads one order. Null for one that was deleted for good; one in the trash is cancelled. */
export async function readOrder(context: ShopContext, externalId: string): Promise<ImportedOrder | null> {
  const order = await nullIfAbsent(readShopOrder(context, externalId));
  if (order === null) return null;
  const refunds = await readRefunds(context, order);
  return importOrder(order, { account: context.account, refunds, unknownDate: context.now() });
}

function parseToken(token: string | null): PageToken {
  if (token === null) return { list: 'any', page: 1, total: null };
  const [, list, page, total] = /^(any|trash)\/([1-9]\d*)\/(\d*)$/.exec(token) ?? [];
  if (page === undefined) throw refuse('validation', 'The page of orders asked for does not exist');
  return { list: list === 'trash' ? 'trash' : 'any', page: Number(page), total: total ? Number(total) : null };
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
