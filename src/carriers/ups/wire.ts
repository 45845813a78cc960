import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { HttpRequest, HttpResponse } from '../../lib/http.ts';
import type { AccessToken } from '../../lib/tokens.ts';
import { isUnauthorised, withToken } from '../../lib/with-token.ts';
import type { CarrierContext } from '../adapter.ts';
import { PROVIDER, type Refused, readRefusal, refusalOf } from './refusals.ts';
import { type Account, Token } from './schema.ts';

type Context = CarrierContext<Account>;

const TOKEN = 'oauth';
/** UPS says no with these, and with words. 401 is left to `withToken`. */
const REFUSED = [400, 403, 404, 422];
const LOGIN_REFUSED = [400, 401, 403];

interface Question extends Pick<HttpRequest, 'operation' | 'effect' | 'method' | 'timeoutMs'> {
  /** Below `/api`. */
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The answer as parsed, or what UPS refused with, for callers to whom a refusal means something. */
export async function ask<Schema extends z.ZodType>(
  context: Context,
  question: Question,
  schema: Schema,
): Promise<{ value: z.infer<Schema> } | Refused> {
  const login = { name: TOKEN, fetch: () => fetchToken(context) };
  const answer = await withToken(context, login, (token) => send(context, question, token)).catch(explainLogin);
  const text = answer.body.toString('utf8');
  if (answer.status === 200) return { value: schema.parse(JSON.parse(text)) };
  // Of the good statuses UPS's descriptions name 200 only.
  if (!REFUSED.includes(answer.status))
    throw new Error(`${PROVIDER} answered ${answer.status}, which it does not promise`);
  const errors = readRefusal(text);
  // Something in between may answer 400 or 404 too: a no is only believed in UPS's own words.
  if (!errors) throw new Error(`${PROVIDER} answered ${answer.status} without a reason`);
  return { status: answer.status, errors };
}

/** The answer; a refusal is thrown. */
export async function call<Schema extends z.ZodType>(
  context: Context,
  question: Question,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const answer = await ask(context, question, schema);
  if ('errors' in answer) throw refusalOf(answer);
  return answer.value;
}

/** A token that was just fetched is refused too: UPS says why. */
function explainLogin(error: unknown): never {
  const errors = isUnauthorised(error) ? readRefusal(error.body ?? '') : null;
  throw errors ? refusalOf({ errors, status: 401 }) : error;
}

async function fetchToken({ account, http }: Context): Promise<AccessToken> {
  const answer = await http.send({
    operation: 'token',
    effect: 'read',
    method: 'POST',
    url: `${account.baseUrl}/security/v1/oauth/token`,
    headers: {
      authorization: `Basic ${Buffer.from(`${account.clientId}:${account.clientSecret}`, 'utf8').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
    accept: LOGIN_REFUSED,
  });
  const text = answer.body.toString('utf8');
  if (LOGIN_REFUSED.includes(answer.status)) throw loginRefusal(text, answer.status);
  const { access_token, expires_in } = Token.parse(JSON.parse(text));
  return { value: access_token, expiresInSeconds: expires_in };
}

/** A refused login needs no words; any other refusal does. */
function loginRefusal(text: string, status: number): Error {
  const errors = readRefusal(text);
  if (!errors && status === 400) return new Error(`${PROVIDER} answered 400 without a reason`);
  return refusalOf({ errors: errors ?? [], status: 401 });
}

function send({ account, http }: Context, question: Question, token: string): Promise<HttpResponse> {
  const { path, query, headers, body, ...rest } = question;
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return http.send({
    ...rest,
    url: `${account.baseUrl}/api${path}${search}`,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      // Compulsory for tracking, echoed everywhere; it does not make a repeat harmless.
      transid: randomUUID().replaceAll('-', ''),
      transactionsrc: 'smista',
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    accept: REFUSED,
  });
}
