import { IntegrationError } from '../../lib/errors.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { ImportedOrder, OrderPage, OrderWindow } from '../adapter.ts';
import { importEach } from '../import-each.ts';
import type { ShopContext } from './account.ts';
import { ask, askAll, IMPORT_PATIENCE_MS } from './client.ts';
import { importOrder } from './mapping.ts';
import { LIST_FULFILLMENT_ORDERS, LIST_ORDERS, READ_LINES, READ_ORDER } from './operations.ts';
import { PROVIDER, refuse } from './refusals.ts';
import {
  ChangedFulfillmentOrder,
  FulfillmentOrderList,
  MoreLines,
  numberOf,
  OneOrder,
  OrderList,
  RawOrder,
} from './schema.ts';

/** An order with all its lines, not yet read, and what else is known of it. */
interface Whole {
  raw: RawOrder;
  fulfillmentChangedAt?: Date;
}

const patienceMs = IMPORT_PATIENCE_MS;

/**
 * Lists the orders of the window, oldest change first, and then those whose fulfilment alone changed. The shop
 * often leaves an order's own time alone when it is put on hold or released (estuary/connectors issue 4338, read
 * 2026-11-21).
 */
export async function listOrders(context: ShopContext, window: OrderWindow): Promise<OrderPage> {
  const [, list, after] = /^(orders|fulfillments):(.*)$/s.exec(window.page ?? 'orders:') ?? [];
  const search = `updated_at:>='${window.modifiedAfter.toISOString()}' updated_at:<='${window.modifiedBefore.toISOString()}'`;
  const variables = { search, after: after || null };
  if (list === 'orders') return pageOfOrders(context, variables);
  if (list === 'fulfillments') return pageOfFulfillments(context, variables, window.modifiedAfter);
  throw refuse('validation', 'The page of orders asked for does not exist');
}

type Variables = { search: string; after: string | null };

async function pageOfOrders(context: ShopContext, variables: Variables): Promise<OrderPage> {
  const { orders } = await ask(context, { operation: LIST_ORDERS, variables, answer: OrderList, patienceMs });
  const whole: Whole[] = [];
  const raws = readEach(RawOrder, orders.nodes, warnOf(context.log, 'orders'));
  for (const raw of raws) whole.push({ raw: await withAllLines(context, raw) });
  const { hasNextPage, endCursor } = orders.pageInfo;
  return { ...importOrders(context, whole), next: hasNextPage ? `orders:${endCursor}` : 'fulfillments:' };
}

/** Those that changed after the window began were in the list of orders, or will be in the next window's. */
async function pageOfFulfillments(context: ShopContext, variables: Variables, since: Date): Promise<OrderPage> {
  const { fulfillmentOrders } = await ask(context, {
    operation: LIST_FULFILLMENT_ORDERS,
    variables,
    answer: FulfillmentOrderList,
    patienceMs,
  });
  // Oldest first, so that the last change of an order stays.
  const changes = new Map(
    readEach(ChangedFulfillmentOrder, fulfillmentOrders.nodes, warnOf(context.log, 'fulfilment orders'))
      .filter(({ order }) => order.updatedAt < since)
      .map(({ order, updatedAt }) => [order.id, updatedAt]),
  );
  const whole: Whole[] = [];
  for (const [id, fulfillmentChangedAt] of changes) {
    const raw = await readRaw(context, id);
    if (raw) whole.push({ raw, fulfillmentChangedAt });
  }
  const { hasNextPage, endCursor } = fulfillmentOrders.pageInfo;
  return { ...importOrders(context, whole), next: hasNextPage ? `fulfillments:${endCursor}` : null };
}

function importOrders({ account }: ShopContext, orders: readonly Whole[]): Pick<OrderPage, 'orders' | 'unreadable'> {
  const { cashOnDeliveryNames } = account;
  return importEach(
    orders,
    ({ raw }) => numberOf(raw.id),
    (order) => importOrder({ ...order, cashOnDeliveryNames }),
  );
}

/**
 * Reads one order. Null as well for one older than 60 days where the app may not read all orders: the shop does not
 * tell them apart.
 */
export async function readOrder(context: ShopContext, externalId: string): Promise<ImportedOrder | null> {
  if (!/^\d+$/.test(externalId)) return null;
  const raw = await readRaw(context, `gid://shopify/Order/${externalId}`);
  if (!raw) return null;
  const { orders, unreadable } = importOrders(context, [{ raw }]);
  if (orders[0]) return orders[0];
  throw new IntegrationError(`${PROVIDER} answered with an order that could not be read: ${unreadable[0]?.reason}`, {
    kind: 'retryable',
    provider: PROVIDER,
    code: 'answer-unreadable',
  });
}

async function readRaw(context: ShopContext, id: string): Promise<RawOrder | null> {
  const { order } = await ask(context, { operation: READ_ORDER, variables: { id }, answer: OneOrder, patienceMs });
  return order && withAllLines(context, order);
}

/** An order comes with its first lines, since the shop charges for all that might come. */
async function withAllLines(context: ShopContext, raw: RawOrder): Promise<RawOrder> {
  const { nodes, pageInfo } = raw.lineItems;
  if (!pageInfo.hasNextPage) return raw;
  const question = { operation: READ_LINES, variables: { id: raw.id }, answer: MoreLines, patienceMs };
  const more = await askAll(context, question, pageInfo.endCursor);
  return { ...raw, lineItems: { ...raw.lineItems, nodes: [...nodes, ...more] } };
}
