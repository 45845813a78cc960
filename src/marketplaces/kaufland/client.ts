import type { z } from 'zod';
import type { HttpResponse } from '../../lib/http.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { MarketplaceContext } from '../adapter.ts';
import type { Account } from './account.ts';
import { translateRefusal, unreadable } from './refusals.ts';
import { Carrier, CarriersAnswer, Order, OrderAnswer, OrderPageAnswer } from './schema.ts';
import { sign } from './sign.ts';

export type KauflandContext = MarketplaceContext<Account>;

interface KauflandCall {
  /** Kaufland's name for it. A PATCH writes. */
  operation: string;
  method: 'GET' | 'PATCH';
  path: string;
  query?: Record<string, string>;
  body?: unknown;
}

/** One signed call. Throws in the closed vocabulary where Kaufland said what is wrong. */
async function callKaufland(context: KauflandContext, call: KauflandCall): Promise<HttpResponse> {
  const { operation, method, path, query = {} } = call;
  const address = new URL(`${context.account.baseUrl.replace(/\/+$/, '')}${path}`);
  address.search = new URLSearchParams(query).toString();
  const url = address.href;
  const body = call.body === undefined ? '' : JSON.stringify(call.body);
  try {
    return await context.http.send({
      operation,
      effect: method === 'GET' ? 'read' : 'write',
      method,
      url,
      headers: {
        ...sign(context.account, { method, url, body, now: context.now() }),
        accept: 'application/json',
        'user-agent': 'smista',
        ...(body === '' ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === '' ? {} : { body }),
    });
  } catch (error) {
    throw translateRefusal(error, { operation, effect: method === 'GET' ? 'read' : 'write' });
  }
}

/** The answer to a read; what cannot be read may be better the next time. */
async function readKaufland<Data>(
  context: KauflandContext,
  call: Omit<KauflandCall, 'method' | 'body'>,
  answer: z.ZodType<Data>,
): Promise<Data> {
  const response = await callKaufland(context, { ...call, method: 'GET' });
  const json = parseJson(response.body.toString('utf8'));
  const parsed = answer.safeParse(json);
  if (parsed.success) return parsed.data;
  const code = json === undefined ? 'platform_unavailable' : 'answer-unreadable';
  throw unreadable(call.operation, { kind: 'retryable', code, status: response.status });
}

export function getOrders(context: KauflandContext, query: Record<string, string>) {
  const { storefront } = context.account;
  const asked = { ...(storefront === undefined ? {} : { storefront }), ...query };
  return readKaufland(context, { operation: 'GetOrders', path: '/orders', query: asked }, OrderPageAnswer);
}

/** With its pick-up point, if it goes to one. */
export async function getRawOrder(context: KauflandContext, id: string): Promise<unknown> {
  const path = `/orders/${encodeURIComponent(id)}`;
  const call = { operation: 'GetOrder', path, query: { embedded: 'delivery' } };
  return (await readKaufland(context, call, OrderAnswer)).data;
}

export async function getOrder(context: KauflandContext, id: string): Promise<Order> {
  const order = Order.safeParse(await getRawOrder(context, id));
  if (order.success) return order.data;
  throw unreadable('GetOrder', { kind: 'retryable', code: 'answer-unreadable', status: 200 });
}

/** Their names, which are the codes to send with. */
export async function getCarriers(context: KauflandContext): Promise<string[]> {
  const { data } = await readKaufland(context, { operation: 'GetCarriers', path: '/carriers' }, CarriersAnswer);
  const carriers = readEach(Carrier, data.carriers, warnOf(context.log, 'carriers'));
  return carriers.map(({ name }) => name);
}

/** Only an empty 204 says that it was done. */
export async function sendOrderUnit(
  context: KauflandContext,
  unitId: string,
  body: { tracking_numbers: string; carrier_code: string },
): Promise<void> {
  const operation = 'SendOrderUnit';
  const path = `/order-units/${unitId}/send`;
  const { status } = await callKaufland(context, { operation, method: 'PATCH', path, body });
  if (status !== 204) throw unreadable(operation, { kind: 'unknown-outcome', code: 'answer-unreadable', status });
}
