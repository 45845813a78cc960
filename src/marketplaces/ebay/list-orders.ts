import type { ImportedOrder, OrderPage, OrderWindow } from '../adapter.ts';
import { importEach, withIds } from '../import-each.ts';
import { pageByOffset } from '../pages.ts';
import { nullIfAbsent } from '../refusals.ts';
import { type EbayContext, getOrder, noteWarnings, ORDERS, readEbay, WITH_TAXES } from './client.ts';
import { importOrder } from './mapping.ts';
import { refusals, refuse } from './refusals.ts';
import { Order, OrderPageAnswer } from './schema.ts';

/** eBay's maximum. */
const PER_PAGE = 200;
/** eBay refuses an end in the future, by its own clock. The import's overlap is longer. */
const SETTLING_MS = 2 * 60_000;
const OPERATION = 'getOrders';
const Identified = Order.pick({ orderId: true });

/** Where the page begins, and how many orders the window held when the page before it was read. */
interface PageToken {
  /** Fixed for all pages of a run. */
  until: string;
  offset: number;
  total: number;
}

/** Reads one page of the orders that eBay changed in the window, in eBay's order: it offers no other. */
export async function listOrders(context: EbayContext, window: OrderWindow): Promise<OrderPage> {
  const token = parseToken(window.page) ?? { until: untilOf(context, window), offset: 0, total: 0 };
  if (token.until < window.modifiedAfter.toISOString()) return { orders: [], unreadable: [], next: null };
  const { page: answer, offset } = await pageByOffset(token, async (at) => {
    const page = await readPage(context, window, { until: token.until, offset: at });
    return { page, total: page.total };
  });
  const raws = withIds(context.log, answer.orders, (raw) => Identified.safeParse(raw).data?.orderId);
  const read = importEach(
    raws,
    ({ id }) => id,
    ({ raw }) => importOrder(Order.parse(raw)),
  );
  const next = nextOffset(answer.next, offset);
  return { ...read, next: next === null ? null : `${token.until}/${next}/${answer.total}` };
}

export function readOrder(context: EbayContext, externalId: string): Promise<ImportedOrder | null> {
  return nullIfAbsent(getOrder(context, externalId).then(importOrder));
}

export async function verifyAccount(context: EbayContext): Promise<void> {
  await readEbay(context, { operation: OPERATION, path: ORDERS, query: { limit: '1' } }, OrderPageAnswer);
}

async function readPage(context: EbayContext, window: OrderWindow, { until, offset }: Omit<PageToken, 'total'>) {
  const query = {
    ...WITH_TAXES,
    filter: `lastmodifieddate:[${window.modifiedAfter.toISOString()}..${until}]`,
    limit: String(PER_PAGE),
    offset: String(offset),
  };
  const answer = await readEbay(context, { operation: OPERATION, path: ORDERS, query }, OrderPageAnswer);
  noteWarnings(context, OPERATION, answer.warnings);
  return answer;
}

function untilOf(context: EbayContext, { modifiedBefore }: OrderWindow): string {
  return new Date(Math.min(modifiedBefore.getTime(), context.now().getTime() - SETTLING_MS)).toISOString();
}

function parseToken(token: string | null): PageToken | null {
  if (token === null) return null;
  const [, until, offset, total] = /^([^/]+)\/(\d+)\/(\d+)$/.exec(token) ?? [];
  if (until === undefined) throw refuse('validation', 'The page of orders asked for does not exist');
  return { until, offset: Number(offset), total: Number(total) };
}

/** Reads the offset from the next page's address, which is not called itself: it would be given our token. */
function nextOffset(next: string, offset: number): number | null {
  if (next === '') return null;
  const found = /[?&]offset=(\d+)/.exec(next);
  if (found && Number(found[1]) > offset) return Number(found[1]);
  throw refusals.unreadable({ operation: OPERATION, effect: 'read' }, { status: 200 });
}
