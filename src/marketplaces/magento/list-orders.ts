import { IntegrationError } from '../../lib/errors.ts';
import type { ImportedOrder, OrderPage, OrderWindow } from '../adapter.ts';
import { importEach, withIds } from '../import-each.ts';
import { isAbsence } from '../refusals.ts';
import type { ShopContext } from './account.ts';
import { findBrokenOrder, requireWorkingShop } from './broken-order.ts';
import { type Filter, getOrder, searchOrders } from './client.ts';
import { importOrder } from './mapping.ts';
import { mayBeOneOrder, refusals, refuse } from './refusals.ts';
import { Identified, Order, type SearchAnswer } from './schema.ts';

const PER_PAGE = 100;

/**
 * Reads one page of the window, lowest id first. The token is the last id, so an order that changes meanwhile, and
 * so leaves the window, moves no other one. A page that fails because of one order is read in halves up to that
 * order.
 */
export async function listOrders(context: ShopContext, window: OrderWindow): Promise<OrderPage> {
  const filters: Filter[] = [
    { field: 'updated_at', condition: 'gteq', value: utcSeconds(window.modifiedAfter) },
    { field: 'updated_at', condition: 'lteq', value: utcSeconds(window.modifiedBefore) },
  ];
  const raws: unknown[] = [];
  let after = parseToken(window.page);
  let size = PER_PAGE;
  for (;;) {
    const page = await readPage(context, { filters, after, size });
    if (page instanceof IntegrationError) {
      if (size > 1) size = Math.floor(size / 2);
      else return skipBroken(context, raws, { filters, after, failure: page });
      continue;
    }
    raws.push(...page.items);
    const last = page.items.findLast((raw) => Identified.safeParse(raw).success);
    const isLast = last === undefined || page.total_count <= page.items.length;
    if (!isLast) after = Identified.parse(last).entity_id;
    if (isLast || raws.length >= PER_PAGE) return { ...readEach(context, raws), next: isLast ? null : String(after) };
  }
}

/** Returns the page, or the failure that one of its orders may be to blame for. */
async function readPage(
  context: ShopContext,
  { filters, after, size }: { filters: Filter[]; after: number; size: number },
): Promise<SearchAnswer | IntegrationError> {
  const later: Filter[] = after === 0 ? [] : [{ field: 'entity_id', condition: 'gt', value: after }];
  try {
    return await searchOrders(context, { filters: [...filters, ...later], pageSize: size });
  } catch (error) {
    if (mayBeOneOrder(error)) return error;
    throw error;
  }
}

/** Returns the orders before the broken one, and names that one; the next page begins behind it. */
async function skipBroken(
  context: ShopContext,
  raws: unknown[],
  { filters, after, failure }: { filters: Filter[]; after: number; failure: IntegrationError },
): Promise<OrderPage> {
  const broken = await findBrokenOrder(context, { filters, after });
  if (broken === null) throw failure;
  const { orders, unreadable } = readEach(context, raws);
  const named = { externalId: String(broken), reason: failure.message };
  return { orders, unreadable: [...unreadable, named], next: String(broken) };
}

function readEach(context: ShopContext, raws: unknown[]): Pick<OrderPage, 'orders' | 'unreadable'> {
  const identified = withIds(context.log, raws, (raw) => Identified.safeParse(raw).data?.entity_id);
  return importEach(
    identified,
    ({ id }) => id,
    ({ raw }) => importOrder(Order.parse(raw), context.account),
  );
}

export async function readOrder(context: ShopContext, externalId: string): Promise<ImportedOrder | null> {
  if (!/^[1-9]\d*$/.test(externalId)) return null;
  try {
    return importOrder(await getOrder(context, externalId), context.account);
  } catch (error) {
    if (isAbsence(error)) return null;
    if (!mayBeOneOrder(error)) throw error;
    await requireWorkingShop(context);
    // The order is to blame, and no other one has to wait for it.
    const { provider } = refusals;
    throw new IntegrationError(error.message, { kind: 'retryable', provider, code: 'answer-unreadable' });
  }
}

function parseToken(token: string | null): number {
  if (token === null) return 0;
  if (/^[1-9]\d*$/.test(token)) return Number(token);
  throw refuse('validation', 'The page of orders asked for does not exist');
}

/** Magento compares with UTC. */
function utcSeconds(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ');
}
