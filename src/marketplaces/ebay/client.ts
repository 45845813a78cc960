import type { z } from 'zod';
import type { HttpResponse } from '../../lib/http.ts';
import { parseJson } from '../../lib/parse-json.ts';
import type { MarketplaceContext } from '../adapter.ts';
import { type LookUp, readLookUp } from '../look-up.ts';
import type { Account } from './account.ts';
import { translateRefusal, unreadable } from './refusals.ts';
import { Fulfillment, FulfillmentsAnswer, Order } from './schema.ts';
import { type Identity, withEbayToken } from './token.ts';

export const ORDERS = '/sell/fulfillment/v1/order';
/** Totals are then what the buyer paid, and the taxes in them are listed. */
export const WITH_TAXES = { fieldGroups: 'TAX_BREAKDOWN' } as const;

export type EbayContext = MarketplaceContext<Account>;

export interface EbayCall {
  /** eBay's name for it. A POST writes. */
  operation: string;
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /** Absent: the seller. */
  identity?: Identity;
}

/** One authorised call. Throws in the closed vocabulary where eBay said what is wrong. */
export async function callEbay(context: EbayContext, call: EbayCall): Promise<HttpResponse> {
  const { operation, method, path, query = {}, body, identity = 'user' } = call;
  const url = new URL(`${context.account.baseUrl.replace(/\/+$/, '')}${path}`);
  url.search = new URLSearchParams(query).toString();
  return withEbayToken(context, identity, (token) =>
    context.http
      .send({
        operation,
        effect: method === 'GET' ? 'read' : 'write',
        method,
        url: url.href,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          'user-agent': 'smista',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      .catch((error: unknown) => {
        throw translateRefusal(error, { operation, effect: method === 'GET' ? 'read' : 'write' });
      }),
  );
}

/** The answer to a read; what cannot be read may be better the next time. */
export async function readEbay<Data>(
  context: EbayContext,
  call: Omit<EbayCall, 'method' | 'body'>,
  answer: z.ZodType<Data>,
): Promise<Data> {
  const response = await callEbay(context, { ...call, method: 'GET' });
  const json = parseJson(response.body.toString('utf8'));
  const parsed = answer.safeParse(json);
  if (parsed.success) return parsed.data;
  const code = json === undefined ? 'platform_unavailable' : 'answer-unreadable';
  throw unreadable(call.operation, { kind: 'retryable', code, status: response.status });
}

export function getOrder(context: EbayContext, id: string): Promise<Order> {
  const path = `${ORDERS}/${encodeURIComponent(id)}`;
  return readEbay(context, { operation: 'getOrder', path, query: WITH_TAXES }, Order);
}

export async function getFulfillments(context: EbayContext, orderId: string): Promise<LookUp<Fulfillment>> {
  const operation = 'getShippingFulfillments';
  const path = `${ORDERS}/${encodeURIComponent(orderId)}/shipping_fulfillment`;
  const { fulfillments, warnings } = await readEbay(context, { operation, path }, FulfillmentsAnswer);
  noteWarnings(context, operation, warnings);
  return readLookUp(context.log, 'fulfilments', { schema: Fulfillment, raws: fulfillments });
}

/** An answer with warnings is one that was given all the same. */
export function noteWarnings(
  { log }: EbayContext,
  operation: string,
  warnings: { errorId: string; message: string }[],
): void {
  if (warnings.length > 0) log.warn({ operation, warnings }, 'eBay answered with warnings');
}
