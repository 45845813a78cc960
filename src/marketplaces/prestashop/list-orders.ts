import type { ImportedOrder, OrderPage, OrderWindow } from '../adapter.ts';
import { importEach } from '../import-each.ts';
import { listByIds, listRows, type ShopContext } from './client.ts';
import { readFollowUps } from './follow-ups.ts';
import { importOrder } from './mapping.ts';
import { refuse } from './refusals.ts';
import { Order } from './schema.ts';
import { wallWindow } from './shop-time.ts';

const PER_PAGE = 50;

/**
 * Reads one page of the window, oldest id first. The token is the last id, so an order that changes meanwhile, and
 * so leaves the window, moves no other one. The last page is the empty one: a row left out says nothing about the
 * end.
 */
export async function listOrders(context: ShopContext, window: OrderWindow): Promise<OrderPage> {
  const { account } = context;
  if (window.page !== null && !/^[1-9]\d*$/.test(window.page)) {
    throw refuse('validation', 'The page of orders asked for does not exist');
  }
  const query = {
    date: '1',
    'filter[date_upd]': wallWindow(window, account.timeZone),
    ...(window.page === null ? {} : { 'filter[id]': `>[${window.page}]` }),
    sort: '[id_ASC]',
    limit: `0,${PER_PAGE}`,
  };
  const orders = await listRows(context, { resource: 'orders', query }, Order);
  if (orders.length === 0) return { orders: [], unreadable: [], next: null };
  const followUps = await readFollowUps(context, orders);
  const read = importEach(
    orders,
    ({ id }) => id,
    (order) => importOrder(order, { account, followUps, unknownDate: window.modifiedBefore }),
  );
  return { ...read, next: orders.at(-1)?.id ?? null };
}

export async function readOrder(context: ShopContext, externalId: string): Promise<ImportedOrder | null> {
  const order = await findOrder(context, externalId);
  if (!order) return null;
  const followUps = await readFollowUps(context, [order]);
  return importOrder(order, { account: context.account, followUps, unknownDate: context.now() });
}

/**
 * Finds one order by a list. A single read answers 404 without a word, like any web server, and leaves out every
 * field that is 0.
 */
export async function findOrder(context: ShopContext, id: string): Promise<Order | undefined> {
  const [order] = await listByIds(context, { resource: 'orders', field: 'id', ids: [id] }, Order);
  return order;
}
