import type { BudgetRule } from '../../lib/budgets.ts';
import type { ImportedOrder, OrderPage, OrderWindow } from '../adapter.ts';
import { importEach, type RawOrder, withIds } from '../import-each.ts';
import { pageByOffset } from '../pages.ts';
import { acceptOrder } from './accept-order.ts';
import { findOrder, type MiraklContext, readOrders } from './client.ts';
import { importOrder } from './mapping.ts';
import { refuse } from './refusals.ts';
import { Order } from './schema.ts';

const PER_PAGE = 100;
const Identified = Order.pick({ order_id: true });
const IMPORT_PATIENCE_MS = 10 * 60_000;

/** Where the page begins, and how many orders the window held when the page before it was read. */
interface PageToken {
  offset: number;
  total: number;
}

/** Reads one page of the orders that Mirakl changed in the window, oldest order first: it sorts by creation only. */
export async function listOrders(context: MiraklContext, window: OrderWindow): Promise<OrderPage> {
  // How often a shop may ask for its orders; the pages of one list are one question.
  if (window.page === null) await context.budget('OR11', frequencyOf(context)).take(1, IMPORT_PATIENCE_MS);
  const token = parseToken(window.page);
  const { page: answer, offset } = await pageByOffset(token, async (at) => {
    const page = await readPage(context, window, at);
    return { page, total: page.total_count };
  });
  const raws = withIds(context.log, answer.orders, (raw) => Identified.safeParse(raw).data?.order_id);
  const acceptances = await acceptEach(context, raws);
  const read = importEach(
    raws,
    ({ id }) => id,
    ({ id, raw }) => {
      const accepted = acceptances.get(id) ?? '';
      if (accepted instanceof Error) throw accepted;
      return importOrder(Order.parse(raw), accepted);
    },
  );
  const end = offset + answer.orders.length;
  const isLast = answer.orders.length === 0 || end >= answer.total_count;
  return { ...read, next: isLast ? null : `${end}/${answer.total_count}` };
}

export async function readOrder(context: MiraklContext, externalId: string): Promise<ImportedOrder | null> {
  const order = await findOrder(context, externalId);
  return order && importOrder(order, await acceptOrder(context, order));
}

export async function verifyAccount(context: MiraklContext): Promise<void> {
  await readOrders(context, { max: '1' });
}

/** "Maximum usage" of OR11 in the official description (read 2026-11-21). */
function frequencyOf({ account }: MiraklContext): BudgetRule {
  return { capacity: 1, perSecond: 1 / (account.externalPartner ? 15 * 60 : 60) };
}

function readPage(context: MiraklContext, window: OrderWindow, offset: number) {
  return readOrders(context, {
    start_update_date: window.modifiedAfter.toISOString(),
    end_update_date: window.modifiedBefore.toISOString(),
    sort: 'dateCreated',
    order: 'asc',
    max: String(PER_PAGE),
    offset: String(offset),
  });
}

/** Accepts the orders that wait for it. One that fails for now is read again on its own, and accepted then. */
async function acceptEach(context: MiraklContext, raws: readonly RawOrder[]): Promise<Map<string, string | Error>> {
  const acceptances = new Map<string, string | Error>();
  for (const { id, raw } of raws) {
    const order = Order.safeParse(raw).data;
    if (!order) continue;
    acceptances.set(id, await acceptOrder(context, order).catch((error: Error) => error));
  }
  return acceptances;
}

function parseToken(token: string | null): PageToken {
  if (token === null) return { offset: 0, total: 0 };
  const [, offset, total] = /^(\d+)\/(\d+)$/.exec(token) ?? [];
  if (offset === undefined) throw refuse('validation', 'The page of orders asked for does not exist');
  return { offset: Number(offset), total: Number(total) };
}
