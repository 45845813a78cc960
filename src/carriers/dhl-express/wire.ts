import { z } from 'zod';
import type { HttpRequest } from '../../lib/http.ts';
import type { CarrierContext } from '../adapter.ts';
import { PROVIDER, refusalOf } from './refusals.ts';
import { type Account, Refusal } from './schema.ts';

/** The default of the description, which asks not to change it. */
const INTERFACE_VERSION = '3.1.0';
/** DHL says no with these, and with words. */
const REFUSED = [400, 401, 403, 404, 422];

export interface Question extends Pick<HttpRequest, 'operation' | 'effect' | 'method' | 'timeoutMs'> {
  /** The good status of the description; 200 unless said otherwise. */
  promised?: 200 | 201;
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /** Tells a request apart in DHL's own log, 1 to 36 characters. It does not make a repeat harmless. */
  messageReference?: string;
}

export interface Refused {
  status: number;
  refusal: Refusal;
}

/** The answer as parsed, or what DHL refused with, for callers to whom a refusal means something. */
export async function ask<Schema extends z.ZodType>(
  { account, http }: CarrierContext<Account>,
  question: Question,
  schema: Schema,
): Promise<{ value: z.infer<Schema> } | Refused> {
  const { path, query, body, messageReference, promised = 200, ...rest } = question;
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const answer = await http.send({
    ...rest,
    url: `${account.baseUrl}${path}${search}`,
    headers: {
      authorization: `Basic ${Buffer.from(`${account.username}:${account.password}`, 'utf8').toString('base64')}`,
      accept: 'application/json',
      'x-version': INTERFACE_VERSION,
      ...(messageReference === undefined ? {} : { 'message-reference': messageReference }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    accept: REFUSED,
  });
  const text = answer.body.toString('utf8');
  if (REFUSED.includes(answer.status)) return { status: answer.status, refusal: readRefusal(text, answer.status) };
  if (answer.status !== promised) throw new Error(`${PROVIDER} answered ${answer.status}, not ${promised}`);
  return { value: schema.parse(text === '' ? undefined : JSON.parse(text)) };
}

/** The answer; a refusal is thrown. */
export async function call<Schema extends z.ZodType>(
  context: CarrierContext<Account>,
  question: Question,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const answer = await ask(context, question, schema);
  if ('refusal' in answer) throw refusalOf(answer.refusal, answer.status);
  return answer.value;
}

/** For a good answer that the description leaves without a body. */
export const Nothing = z.undefined();

/**
 * A no is only believed in DHL's own words: something in between may answer 400 or 404 too. How DHL words a refused login
 * was not found, so there the status is enough.
 */
function readRefusal(text: string, status: number): Refusal {
  const isLogin = status === 401 || status === 403;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    if (isLogin) return Refusal.parse({});
    throw new Error(`DHL answered ${status} without JSON`, { cause });
  }
  const refusal = Refusal.safeParse(json);
  const hasWords = refusal.success && `${refusal.data.detail}${refusal.data.title}${refusal.data.message}` !== '';
  if (refusal.success && (hasWords || isLogin)) return refusal.data;
  throw new Error(`DHL answered ${status} without a reason`);
}
