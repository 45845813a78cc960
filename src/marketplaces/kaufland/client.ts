import type { z } from 'zod';
import type { HttpResponse } from '../../lib/http.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { MarketplaceContext } from '../adapter.ts';
import { addressOf, readAnswer, sendJson } from '../json-client.ts';
import type { Account } from './account.ts';
import { refusals } from './refusals.ts';
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

/** Sends one signed call. Throws refusals in the closed vocabulary. */
async function callKaufland(context: KauflandContext, call: KauflandCall): Promise<HttpResponse> {
  const { operation, method, path, query } = call;
  const url = addressOf(context.account.baseUrl, path, query);
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  return sendJson(context.http, refusals, {
    operation,
    effect: method === 'GET' ? 'read' : 'write',
    method,
    url,
    headers: sign(context.account, { method, url, body: body ?? '', now: context.now() }),
    body,
  });
}

/** Reads with one signed call. */
async function readKaufland<Data>(
  context: KauflandContext,
  call: Omit<KauflandCall, 'method' | 'body'>,
  answer: z.ZodType<Data>,
): Promise<Data> {
  const response = await callKaufland(context, { ...call, method: 'GET' });
  return readAnswer(refusals, { call: { operation: call.operation, effect: 'read' }, response }, { answer });
}

export function getOrders(context: KauflandContext, query: Record<string, string>) {
  const { storefront } = context.account;
  const asked = { ...(storefront === undefined ? {} : { storefront }), ...query };
  return readKaufland(context, { operation: 'GetOrders', path: '/orders', query: asked }, OrderPageAnswer);
}

/** Reads one order, with its pick-up point if it goes to one. */
export async function getRawOrder(context: KauflandContext, id: string): Promise<unknown> {
  const path = `/orders/${encodeURIComponent(id)}`;
  const call = { operation: 'GetOrder', path, query: { embedded: 'delivery' } };
  return (await readKaufland(context, call, OrderAnswer)).data;
}

export async function getOrder(context: KauflandContext, id: string): Promise<Order> {
  const order = Order.safeParse(await getRawOrder(context, id));
  if (order.success) return order.data;
  throw refusals.unreadable({ operation: 'GetOrder', effect: 'read' }, { status: 200 });
}

/** Lists the names of Kaufland's carriers, which are the codes to send with. */
export async function getCarriers(context: KauflandContext): Promise<string[]> {
  const { data } = await readKaufland(context, { operation: 'GetCarriers', path: '/carriers' }, CarriersAnswer);
  const carriers = readEach(Carrier, data.carriers, warnOf(context.log, 'carriers'));
  return carriers.map(({ name }) => name);
}

/** Marks a unit as sent. Only an empty 204 says that it was done. */
export async function sendOrderUnit(
  context: KauflandContext,
  unitId: string,
  body: { tracking_numbers: string; carrier_code: string },
): Promise<void> {
  const operation = 'SendOrderUnit';
  const path = `/order-units/${unitId}/send`;
  const { status } = await callKaufland(context, { operation, method: 'PATCH', path, body });
  if (status !== 204) throw refusals.unreadable({ operation, effect: 'write' }, { status });
}
