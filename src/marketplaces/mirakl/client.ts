import type { z } from 'zod';
import type { HttpResponse } from '../../lib/http.ts';
import { parseJson } from '../../lib/parse-json.ts';
import type { MarketplaceContext } from '../adapter.ts';
import type { Account } from './account.ts';
import { translateRefusal, unreadable } from './refusals.ts';
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

/** One authorised call. Throws in the closed vocabulary where Mirakl said what is wrong. */
async function callMirakl({ account, http }: MiraklContext, call: MiraklCall): Promise<HttpResponse> {
  const { operation, method, path, query = {}, body } = call;
  const url = new URL(`${account.baseUrl.replace(/\/+$/, '')}/api/${path}`);
  const shop = account.shopId === undefined ? {} : { shop_id: account.shopId };
  url.search = new URLSearchParams({ ...query, ...shop }).toString();
  try {
    return await http.send({
      operation,
      effect: method === 'GET' ? 'read' : 'write',
      method,
      url: url.href,
      headers: {
        // Without a scheme word.
        authorization: account.apiKey,
        accept: 'application/json',
        'user-agent': 'smista',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    throw translateRefusal(error, { operation, effect: method === 'GET' ? 'read' : 'write' });
  }
}

/** The answer to a read; what cannot be read may be better the next time. */
export async function readMirakl<Data>(
  context: MiraklContext,
  call: Omit<MiraklCall, 'method' | 'body'>,
  answer: z.ZodType<Data>,
): Promise<Data> {
  const response = await callMirakl(context, { ...call, method: 'GET' });
  const json = parseJson(response.body.toString('utf8'));
  const parsed = answer.safeParse(json);
  if (parsed.success) return parsed.data;
  const code = json === undefined ? 'platform_unavailable' : 'answer-unreadable';
  throw unreadable(call.operation, { kind: 'retryable', code, status: response.status });
}

/** A write whose whole answer is its status. */
export async function putMirakl(context: MiraklContext, call: Omit<MiraklCall, 'method' | 'query'>): Promise<void> {
  const { status } = await callMirakl(context, { ...call, method: 'PUT' });
  if (status !== 204) throw unreadable(call.operation, { kind: 'unknown-outcome', code: 'answer-unreadable', status });
}

/** A write that answers with what it created or changed, and with the one status that says so. */
export async function postMirakl<Data>(
  context: MiraklContext,
  call: Omit<MiraklCall, 'method' | 'query'>,
  yes: { answer: z.ZodType<Data>; status: number },
): Promise<Data> {
  const { status, body } = await callMirakl(context, { ...call, method: 'POST' });
  const parsed = yes.answer.safeParse(parseJson(body.toString('utf8')));
  if (status === yes.status && parsed.success) return parsed.data;
  throw unreadable(call.operation, { kind: 'unknown-outcome', code: 'answer-unreadable', status });
}

/** OR11. Prices come with their taxes, whatever the operator's own setting. */
export function readOrders(context: MiraklContext, query: Record<string, string>) {
  const call = { operation: 'OR11', path: 'orders', query: { ...query, order_tax_mode: 'TAX_INCLUDED' } };
  return readMirakl(context, call, OrderPageAnswer);
}

/** Null when the shop has no order of that id. */
export async function findOrder(context: MiraklContext, id: string): Promise<Order | null> {
  const { orders } = await readOrders(context, { order_ids: id });
  const raw = orders.find((order) => (order as { order_id?: unknown } | null)?.order_id === id);
  if (raw === undefined) return null;
  const parsed = Order.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw unreadable('OR11', { kind: 'retryable', code: 'answer-unreadable', status: 200 });
}
