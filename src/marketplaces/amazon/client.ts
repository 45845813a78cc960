import type { z } from 'zod';
import type { BudgetRule } from '../../lib/budgets.ts';
import { IntegrationError } from '../../lib/errors.ts';
import type { Effect, HttpRequest, HttpResponse } from '../../lib/http.ts';
import type { MarketplaceContext } from '../adapter.ts';
import { addressOf, readAnswer, sendJson } from '../json-client.ts';
import type { Account } from './account.ts';
import { refusals } from './refusals.ts';
import { type Order, OrderAnswer } from './schema.ts';
import { withAmazonToken } from './token.ts';

export const ORDERS = '/orders/2026-01-01/orders';

export type AmazonContext = MarketplaceContext<Account>;

interface Operation {
  method: HttpRequest['method'];
  effect: Effect;
  rule: BudgetRule;
}

/** With the default usage plans of the two official descriptions, read 2026-11-21; some sellers are granted more. */
const OPERATIONS = {
  searchOrders: { method: 'GET', effect: 'read', rule: { capacity: 20, perSecond: 0.0056 } },
  getOrder: { method: 'GET', effect: 'read', rule: { capacity: 30, perSecond: 0.5 } },
  confirmShipment: { method: 'POST', effect: 'write', rule: { capacity: 10, perSecond: 2 } },
} as const satisfies Record<string, Operation>;

export interface AmazonCall {
  operation: keyof typeof OPERATIONS;
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /** How long the call may wait for its turn; absent: as long as a person does. */
  patienceMs?: number;
}

/** Sends one authorised call inside its usage plan. Throws refusals in the closed vocabulary. */
export async function callAmazon(context: AmazonContext, call: AmazonCall): Promise<HttpResponse> {
  return withAmazonToken(context, (token) => send(context, call, token));
}

/** Reads with one authorised call. */
export async function readAmazon<Data>(
  context: AmazonContext,
  call: AmazonCall,
  answer: z.ZodType<Data>,
): Promise<Data> {
  const response = await callAmazon(context, call);
  return readAnswer(refusals, { call: { operation: call.operation, effect: 'read' }, response }, { answer });
}

/** Reads one order with the named datasets. */
export async function getOrder(
  context: AmazonContext,
  id: string,
  { includedData, ...waiting }: { includedData: string } & Pick<AmazonCall, 'patienceMs'>,
): Promise<Order> {
  const path = `${ORDERS}/${encodeURIComponent(id)}`;
  const call: AmazonCall = { operation: 'getOrder', path, query: { includedData }, ...waiting };
  return (await readAmazon(context, call, OrderAnswer)).order;
}

async function send(context: AmazonContext, call: AmazonCall, token: string): Promise<HttpResponse> {
  const { operation, path, query, body, patienceMs } = call;
  const { method, effect, rule } = OPERATIONS[operation];
  const budget = context.budget(operation, rule);
  await budget.take(1, patienceMs);
  try {
    const response = await sendJson(context.http, refusals, {
      operation,
      effect,
      method,
      url: addressOf(context.account.baseUrl, path, query),
      headers: { 'x-amz-access-token': token },
      body,
      pauseMs: Math.ceil(1000 / rule.perSecond),
    });
    // Amazon's support asks for this id.
    context.log.debug({ operation, requestId: response.headers['x-amzn-requestid'] }, 'Amazon answered');
    return response;
  } catch (error) {
    if (error instanceof IntegrationError && error.status === 429) await budget.report(0);
    throw error;
  }
}
