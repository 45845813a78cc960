import type { z } from 'zod';
import { IntegrationError } from '../../lib/errors.ts';
import type { HttpResponse } from '../../lib/http.ts';
import { readAnswer, sendJson } from '../json-client.ts';
import { allPages } from '../pages.ts';
import { accessToken, forgetAccessToken } from './access-token.ts';
import { baseUrlOf, type ShopContext } from './account.ts';
import type { Operation } from './operations.ts';
import { Answer, refusalOf, refusals } from './refusals.ts';

/** The documents of `operations.ts` are checked against this version's own description. */
const API_VERSION = '2026-10';

/** The smallest plan's, as measured; the shop's own count, which comes with every answer, puts it right for the others. */
const POINTS = { capacity: 2000, perSecond: 100 };

/** An import may wait between two pages for as long as it takes to fill the bucket many times over. */
export const IMPORT_PATIENCE_MS = 10 * 60_000;

export interface Question<Data> {
  operation: Operation;
  variables: Record<string, unknown>;
  answer: z.ZodType<Data>;
  /** How long to wait for points; absent: not long. */
  patienceMs?: number | undefined;
}

/** Asks one authorised question. Throws refusals in the closed vocabulary. */
export async function ask<Data>(context: ShopContext, question: Question<Data>): Promise<Data> {
  const { operation } = question;
  const points = context.budget('points', POINTS);
  await points.take(operation.cost, question.patienceMs);
  const { http } = context;
  const wroteBefore = http.mayHaveWritten;
  const response = await sendAuthorised(context, question);

  const call = { operation: operation.name, effect: operation.effect };
  const { data, errors, extensions } = readAnswer(refusals, { call, response }, { answer: Answer, status: 200 });
  const cost = extensions?.cost;
  if (cost) await points.report(cost.throttleStatus.currentlyAvailable);
  if (Array.isArray(errors) && errors.length > 0) {
    const refusal = refusalOf(operation, { errors, data, cost });
    // Throttled before it began: nothing was written, whatever the status says.
    if (refusal.code === 'rate_limited') http.mayHaveWritten = wroteBefore;
    throw refusal;
  }
  const parsed = question.answer.safeParse(data);
  if (!parsed.success) throw refusals.unreadable(call, { status: response.status });
  return parsed.data;
}

/** A token that is refused before its time is asked for once more: what was refused so was not done. */
async function sendAuthorised<Data>(context: ShopContext, question: Question<Data>): Promise<HttpResponse> {
  const token = await accessToken(context);
  try {
    return await send(context, question, token);
  } catch (error) {
    const isRefused = error instanceof IntegrationError && error.code === 'auth_invalid';
    if (!isRefused || !(await forgetAccessToken(context))) throw error;
    return send(context, question, await accessToken(context));
  }
}

async function send<Data>(
  context: ShopContext,
  { operation, variables }: Question<Data>,
  token: string,
): Promise<HttpResponse> {
  return sendJson(context.http, refusals, {
    operation: operation.name,
    effect: operation.effect,
    method: 'POST',
    url: `${baseUrlOf(context.account)}/admin/api/${API_VERSION}/graphql.json`,
    headers: { 'x-shopify-access-token': token },
    body: { query: operation.document, variables },
  });
}

/** Reads every node of a list that comes in pages, not yet parsed; an owner that is gone has none. */
export function askAll(
  context: ShopContext,
  question: Omit<Question<unknown>, 'answer'> & {
    answer: z.ZodType<{ nodes: unknown[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } } | null>;
  },
  from: string | null = null,
): Promise<unknown[]> {
  const { name, effect } = question.operation;
  const stuck = () => refusals.unreadable({ operation: name, effect }, { status: 200 });
  return allPages(
    async (after) => {
      const page = await ask(context, { ...question, variables: { ...question.variables, after } });
      return { elements: page?.nodes ?? [], next: page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null };
    },
    { from, stuck },
  );
}
