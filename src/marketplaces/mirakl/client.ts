import type { z } from 'zod';
import type { HttpResponse } from '../../lib/http.ts';
import type { MarketplaceContext } from '../adapter.ts';
import { addressOf, readAnswer, sendJson } from '../json-client.ts';
import type { Account } from './account.ts';
import { refusals } from './refusals.ts';
import { Order, OrderPageAnswer } from './schema.ts';

export type MiraklContext = MarketplaceContext<Account>;

export interface MiraklCall {
  /** Mirakl's code for it. Everything but a GET writes. */
  operation: string;
  method: 'GET' | 'PUT' | 'POST';
  /** Below `/api/`. */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
}

/** Sends one authorised call. Throws refusals in the closed vocabulary. */
async function callMirakl({ account, http }: MiraklContext, call: MiraklCall): Promise<HttpResponse> {
  const { operation, method, path, query, body } = call;
  const shop = account.shopId === undefined ? {} : { shop_id: account.shopId };
  return sendJson(http, refusals, {
    operation,
    effect: method === 'GET' ? 'read' : 'write',
    method,
    url: addressOf(account.baseUrl, `/api/${path}`, { ...query, ...shop }),
    // Without a scheme word.
    headers: { authorization: account.apiKey },
    body,
  });
}

/** Reads with one authorised call. */
export async function readMirakl<Data>(
  context: MiraklContext,
  call: Omit<MiraklCall, 'method' | 'body'>,
  answer: z.ZodType<Data>,
): Promise<Data> {
  const response = await callMirakl(context, { ...call, method: 'GET' });
  return readAnswer(refusals, { call: { operation: call.operation, effect: 'read' }, response }, { answer });
}

/** Writes where the whole answer is a status. */
export async function putMirakl(context: MiraklContext, call: Omit<MiraklCall, 'method' | 'query'>): Promise<void> {
  const { status } = await callMirakl(context, { ...call, method: 'PUT' });
  if (status !== 204) throw refusals.unreadable({ operation: call.operation, effect: 'write' }, { status });
}

/** Writes, and reads what was created or changed; one status says that it was. */
export async function postMirakl<Data>(
  context: MiraklContext,
  call: Omit<MiraklCall, 'method' | 'query'>,
  yes: { answer: z.ZodType<Data>; status: number },
): Promise<Data> {
  const response = await callMirakl(context, { ...call, method: 'POST' });
  return readAnswer(refusals, { call: { operation: call.operation, effect: 'write' }, response }, yes);
}

/** Lists orders (OR11). Prices come with their taxes, whatever the operator's own setting. */
export function readOrders(context: MiraklContext, query: Record<string, string>) {
  const call = { operation: 'OR11', path: 'orders', query: { ...query, order_tax_mode: 'TAX_INCLUDED' } };
  return readMirakl(context, call, OrderPageAnswer);
}

/** Resolves to null when the shop has no order of that id. */
export async function findOrder(context: MiraklContext, id: string): Promise<Order | null> {
  const { orders } = await readOrders(context, { order_ids: id });
  const raw = orders.find((order) => (order as { order_id?: unknown } | null)?.order_id === id);
  if (raw === undefined) return null;
  const parsed = Order.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw refusals.unreadable({ operation: 'OR11', effect: 'read' }, { status: 200 });
}
