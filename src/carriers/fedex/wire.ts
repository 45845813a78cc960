import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { IntegrationError } from '../../lib/errors.ts';
import type { HttpRequest, HttpResponse } from '../../lib/http.ts';
import type { AccessToken } from '../../lib/tokens.ts';
import { isUnauthorised, withToken } from '../../lib/with-token.ts';
import type { CarrierContext } from '../adapter.ts';
import { PROVIDER, readRefusal, refusalOf } from './refusals.ts';
import { type Account, type FedexError, Token } from './schema.ts';

type Context = CarrierContext<Account>;

/** FedEx says no with these, and with words. 401 is left to `withToken`. */
const REFUSED = [400, 403, 404, 422];
const LOGIN_REFUSED = [400, 401, 403];
/** For asking for tokens too often, an address is locked out for so long. */
const LOCKED_OUT_MS = 600_000;

/** FedEx keeps two projects apart: the Track API has keys of its own, and tokens of the one are refused by the other. */
type Project = 'shipping' | 'tracking';

interface Question extends Pick<HttpRequest, 'operation' | 'effect' | 'method' | 'timeoutMs'> {
  path: string;
  body: unknown;
}

interface Refused {
  status: number;
  errors: FedexError[];
}

/** The answer as parsed, or what FedEx refused with, for callers to whom a refusal means something. */
export async function ask<Schema extends z.ZodType>(
  context: Context,
  question: Question,
  schema: Schema,
): Promise<{ value: z.infer<Schema> } | Refused> {
  const project: Project = question.path.startsWith('/track/') ? 'tracking' : 'shipping';
  const login = { name: project, fetch: () => fetchToken(context, project) };
  const answer = await withToken(context, login, (token) => send(context, question, token)).catch(explainLogin);
  const text = answer.body.toString('utf8');
  const errors = readRefusal(text);
  if (errors) return { status: answer.status, errors };
  // Something in between may answer 400 or 404 too: a no is only believed in FedEx's own words.
  if (REFUSED.includes(answer.status)) throw new Error(`${PROVIDER} answered ${answer.status} without a reason`);
  // Of the good statuses FedEx's descriptions name 200 only.
  if (answer.status !== 200) throw new Error(`${PROVIDER} answered ${answer.status}, which it does not promise`);
  return { value: schema.parse(JSON.parse(text)) };
}

/** The answer; a refusal is thrown. */
export async function call<Schema extends z.ZodType>(
  context: Context,
  question: Question,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const answer = await ask(context, question, schema);
  if ('errors' in answer) throw refusalOf(answer.errors, answer.status);
  return answer.value;
}

/** A token that was just fetched is refused too: FedEx says why. */
function explainLogin(error: unknown): never {
  const errors = isUnauthorised(error) ? readRefusal(error.body ?? '') : null;
  throw errors ? refusalOf(errors, 401) : error;
}

async function fetchToken({ account, http }: Context, project: Project): Promise<AccessToken> {
  const [id, secret] =
    project === 'tracking' ? [account.trackApiKey, account.trackSecretKey] : [account.apiKey, account.secretKey];
  const answer = await http.send({
    operation: 'token',
    effect: 'read',
    method: 'POST',
    url: `${account.baseUrl}/oauth/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-encoding': 'identity' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    }).toString(),
    accept: LOGIN_REFUSED,
  });
  const text = answer.body.toString('utf8');
  if (LOGIN_REFUSED.includes(answer.status)) throw loginRefusal(text, answer.status);
  const { access_token, expires_in } = Token.parse(JSON.parse(text));
  return { value: access_token, expiresInSeconds: expires_in };
}

/** 403 is no opinion on the keys. A refused login needs no words; any other refusal does. */
function loginRefusal(text: string, status: number): Error {
  const errors = readRefusal(text);
  if (status === 403) {
    return new IntegrationError(`${PROVIDER} gives this machine no token: too many were asked for`, {
      kind: 'retryable',
      provider: PROVIDER,
      code: 'throttled',
      status,
      retryAfterMs: LOCKED_OUT_MS,
    });
  }
  if (!errors && status === 400) return new Error(`${PROVIDER} answered 400 without a reason`);
  return refusalOf(errors ?? [], 401);
}

function send({ account, http }: Context, question: Question, token: string): Promise<HttpResponse> {
  const { path, body, ...rest } = question;
  return http.send({
    ...rest,
    url: `${account.baseUrl}${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      // The words of errors and events, which would otherwise depend on the account.
      'x-locale': 'en_US',
      // Echoed; it does not make a repeat harmless.
      'x-customer-transaction-id': randomUUID(),
    },
    body: JSON.stringify(body),
    accept: REFUSED,
  });
}
