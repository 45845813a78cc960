import type { z } from 'zod';
import type { MarketplaceContext } from '../adapter.ts';
import { readAnswer, sendJson } from '../json-client.ts';
import { type LookUp, readLookUp } from '../look-up.ts';
import type { Account } from './account.ts';
import { authorize } from './auth.ts';
import { refusals } from './refusals.ts';
import { Identified, Note, Order, RawList, RestIndex } from './schema.ts';

export type ShopContext = MarketplaceContext<Account>;

export interface ShopCall {
  operation: string;
  method: keyof typeof SUCCESS;
  /** Below `/wp-json/`. */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
}

/** The one status that says yes to each method; anything else that looks like one may come from something in between. */
const SUCCESS = { GET: 200, POST: 201, PUT: 200, DELETE: 200 } as const;

export interface ShopAnswer<Data> {
  data: Data;
  headers: Record<string, string>;
}

/** Sends one authorised call and reads its answer. Throws refusals in the closed vocabulary. */
export async function callShop<Data>(
  context: ShopContext,
  request: ShopCall,
  answer: z.ZodType<Data>,
): Promise<ShopAnswer<Data>> {
  const { operation, method, path, query = {}, body } = request;
  const call = { operation, effect: method === 'GET' ? 'read' : 'write' } as const;
  const address = new URL(`${context.account.url.replace(/\/+$/, '')}/wp-json/${path}`);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  const { url, headers } = authorize(context.account, { method, url: address.href, now: context.now() });
  const response = await sendJson(context.http, refusals, {
    ...call,
    method,
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const status = call.effect === 'write' ? SUCCESS[method] : undefined;
  return { data: readAnswer(refusals, { call, response }, { answer, status }), headers: response.headers };
}

export async function readNamespaces(context: ShopContext): Promise<string[]> {
  const { data } = await callShop(context, { operation: 'index', method: 'GET', path: '' }, RestIndex);
  return data.namespaces;
}

export function listRawOrders(context: ShopContext, query: Record<string, string>): Promise<ShopAnswer<unknown[]>> {
  return callShop(context, { operation: 'orders.list', method: 'GET', path: 'wc/v3/orders', query }, RawList);
}

/** Reads a list that decides whether something is written, such as the fulfilments of an order. */
export async function lookUp<Schema extends z.ZodType>(
  context: ShopContext,
  { schema, ...call }: Pick<ShopCall, 'operation' | 'path' | 'query'> & { schema: Schema },
): Promise<LookUp<z.infer<Schema>>> {
  const { data: raws } = await callShop(context, { ...call, method: 'GET' }, RawList);
  return readLookUp(context.log, call.operation, { schema, raws });
}

/** Resolves to null in a shop without orders. */
export async function findNewestOrderId(context: ShopContext): Promise<number | null> {
  const query = { status: 'any', orderby: 'id', order: 'desc', per_page: '1' };
  const { data } = await listRawOrders(context, query);
  return Identified.safeParse(data[0]).data?.id ?? null;
}

export async function readOrder(context: ShopContext, id: string): Promise<Order> {
  const call: ShopCall = { operation: 'orders.get', method: 'GET', path: `wc/v3/orders/${encodeURIComponent(id)}` };
  return (await callShop(context, call, Order)).data;
}

/** Completes an order and returns the status that it has afterwards. */
export async function completeOrder(context: ShopContext, id: number): Promise<string> {
  const body = { status: 'completed' };
  const call: ShopCall = { operation: 'orders.update', method: 'PUT', path: `wc/v3/orders/${id}`, body };
  return (
    await callShop(
      context,
      call,
      Order.refine((order) => order.id === id),
    )
  ).data.status;
}

export async function createNote(context: ShopContext, orderId: number, note: string): Promise<Note> {
  const body = { note, customer_note: true };
  const call: ShopCall = { operation: 'notes.create', method: 'POST', path: `wc/v3/orders/${orderId}/notes`, body };
  return (await callShop(context, call, Note)).data;
}
