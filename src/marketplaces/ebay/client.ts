import type { z } from 'zod';
import type { HttpResponse } from '../../lib/http.ts';
import type { MarketplaceContext } from '../adapter.ts';
import { addressOf, readAnswer, sendJson } from '../json-client.ts';
import { type LookUp, readLookUp } from '../look-up.ts';
import type { Account } from './account.ts';
import { refusals } from './refusals.ts';
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

/** Sends one authorised call. Throws refusals in the closed vocabulary. */
export async function callEbay(context: EbayContext, call: EbayCall): Promise<HttpResponse> {
  const { operation, method, path, query, body, identity = 'user' } = call;
  return withEbayToken(context, identity, (token) =>
    sendJson(context.http, refusals, {
      operation,
      effect: method === 'GET' ? 'read' : 'write',
      method,
      url: addressOf(context.account.baseUrl, path, query),
      headers: { authorization: `Bearer ${token}` },
      body,
    }),
  );
}

/** Reads with one authorised call. */
export async function readEbay<Data>(
  context: EbayContext,
  call: Omit<EbayCall, 'method' | 'body'>,
  answer: z.ZodType<Data>,
): Promise<Data> {
  const response = await callEbay(context, { ...call, method: 'GET' });
  return readAnswer(refusals, { call: { operation: call.operation, effect: 'read' }, response }, { answer });
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

/** Logs the warnings of an answer, which is a good one in spite of them. */
export function noteWarnings(
  { log }: EbayContext,
  operation: string,
  warnings: { errorId: string; message: string }[],
): void {
  const codes = warnings.map(({ errorId }) => errorId);
  if (codes.length > 0) log.warn({ operation, codes }, 'eBay answered with warnings');
}
