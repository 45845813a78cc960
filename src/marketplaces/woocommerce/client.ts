import type { z } from 'zod';
import { IntegrationError } from '../../lib/errors.ts';
import type { HttpRequest, HttpResponse } from '../../lib/http.ts';
import { parseJson } from '../../lib/parse-json.ts';
import type { MarketplaceContext } from '../adapter.ts';
import { type LookUp, readLookUp } from '../look-up.ts';
import type { Account } from './account.ts';
import { authorize } from './auth.ts';
import { PROVIDER, translateRefusal } from './refusal.ts';
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

/** One authorised call. Throws in the closed vocabulary of marketplace errors where the platform said what is wrong. */
export async function callShop<Data>(
  context: ShopContext,
  call: ShopCall,
  answer: z.ZodType<Data>,
): Promise<ShopAnswer<Data>> {
  const effect = call.method === 'GET' ? 'read' : 'write';
  const address = new URL(`${context.account.url.replace(/\/+$/, '')}/wp-json/${call.path}`);
  for (const [name, value] of Object.entries(call.query ?? {})) address.searchParams.set(name, value);
  const { url, headers } = authorize(context.account, { method: call.method, url: address.href, now: context.now() });
  const request: HttpRequest = {
    operation: call.operation,
    effect,
    method: call.method,
    url,
    headers: { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'smista', ...headers },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  };
  const response = await send(context, request);
  const json = parseJson(response.body.toString('utf8'));
  const parsed = answer.safeParse(json);
  const isYes = effect === 'read' || response.status === SUCCESS[call.method];
  if (parsed.success && isYes) return { data: parsed.data, headers: response.headers };
  const isPage = json === undefined && effect === 'read';
  throw new IntegrationError(`${PROVIDER} answered ${call.operation} with something that could not be read`, {
    kind: effect === 'write' ? 'unknown-outcome' : 'retryable',
    provider: PROVIDER,
    code: isPage ? 'platform_unavailable' : 'answer-unreadable',
    status: response.status,
  });
}

async function send(context: ShopContext, request: HttpRequest): Promise<HttpResponse> {
  try {
    return await context.http.send(request);
  } catch (error) {
    throw translateRefusal(error, request);
  }
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

/** Null in a shop without orders. */
export async function findNewestOrderId(context: ShopContext): Promise<number | null> {
  const query = { status: 'any', orderby: 'id', order: 'desc', per_page: '1' };
  const { data } = await listRawOrders(context, query);
  return Identified.safeParse(data[0]).data?.id ?? null;
}

export async function readOrder(context: ShopContext, id: string): Promise<Order> {
  const call: ShopCall = { operation: 'orders.get', method: 'GET', path: `wc/v3/orders/${encodeURIComponent(id)}` };
  return (await callShop(context, call, Order)).data;
}

/** The status that the order has afterwards. */
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
