import { IntegrationError } from '../../lib/errors.ts';
import type { ImportedOrder, OrderPage, OrderWindow } from '../adapter.ts';
import { importEach } from '../import-each.ts';
import { type EbayContext, getOrder, noteWarnings, ORDERS, readEbay, WITH_TAXES } from './client.ts';
import { importOrder } from './mapping.ts';
import { refuse, unreadable } from './refusals.ts';
import { Order, OrderPageAnswer } from './schema.ts';

/** eBay's maximum. */
const PER_PAGE = 200;
/** eBay refuses an end in the future, by its own clock. The import's overlap is longer. */
const SETTLING_MS = 2 * 60_000;
const OPERATION = 'getOrders';

/** Where the page begins, and how many orders the window held when the page before it was read. */
interface PageToken {
  /** Fixed for all pages of a run. */
  until: string;
  offset: number;
  total: number;
}

/** One page of what eBay changed in the window, in eBay's order: it offers no other. */
export async function listOrders(context: EbayContext, window: OrderWindow): Promise<OrderPage> {
  const token = parseToken(window.page) ?? { until: untilOf(context, window), offset: 0, total: 0 };
  if (token.until < window.modifiedAfter.toISOString()) return { orders: [], unreadable: [], next: null };
  let { offset } = token;
  let answer = await readPage(context, window, token);
  // Orders changed in the meantime have left the window and moved the rest forward: what would be skipped lies before this page.
  if (answer.total < token.total) {
    offset = Math.max(0, offset - (token.total - answer.total));
    answer = await readPage(context, window, { ...token, offset });
  }
  const raws = answer.orders.flatMap((raw, index) => withId(context, raw, index));
  const read = importEach(
    raws,
    ({ id }) => id,
    ({ raw }) => importOrder(Order.parse(raw)),
  );
  const next = nextOffset(answer.next, offset);
  return { ...read, next: next === null ? null : `${token.until}/${next}/${answer.total}` };
}

export async function readOrder(context: EbayContext, externalId: string): Promise<ImportedOrder | null> {
  try {
    return importOrder(await getOrder(context, externalId));
  } catch (error) {
    if (error instanceof IntegrationError && error.code === 'order_not_found') return null;
    throw error;
  }
}

export async function verifyAccount(context: EbayContext): Promise<void> {
  await readEbay(context, { operation: OPERATION, path: ORDERS, query: { limit: '1' } }, OrderPageAnswer);
}

async function readPage(context: EbayContext, window: OrderWindow, { until, offset }: PageToken) {
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

/** From the address of the next page, which itself is not called: it would be given our token. */
function nextOffset(next: string, offset: number): number | null {
  if (next === '') return null;
  const found = /[?&]offset=(\d+)/.exec(next);
  if (found && Number(found[1]) > offset) return Number(found[1]);
  throw unreadable(OPERATION, { kind: 'retryable', code: 'answer-unreadable', status: 200 });
}

/** An order without an id can be kept nowhere. */
function withId(context: EbayContext, raw: unknown, index: number): { id: string; raw: unknown }[] {
  const id = Order.shape.orderId.safeParse((raw as { orderId?: unknown } | null)?.orderId);
  if (id.success) return [{ id: id.data, raw }];
  context.log.warn({ index }, 'order without an id skipped');
  return [];
}
