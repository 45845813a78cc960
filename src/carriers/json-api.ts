import type { z } from 'zod';
import type { IntegrationError } from '../lib/errors.ts';
import type { Http, HttpRequest } from '../lib/http.ts';
import type { AccessToken } from '../lib/tokens.ts';
import { isUnauthorised, withToken } from '../lib/with-token.ts';
import type { CarrierContext } from './adapter.ts';
import { Token } from './fields.ts';

/** One call. A carrier may add what its addresses and headers depend on. */
export interface Question extends Pick<HttpRequest, 'operation' | 'effect' | 'method' | 'timeoutMs' | 'maxBytes'> {
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  /** The status of a good answer, as the description names it; default 200. `any`: every good one. */
  promised?: number | 'any';
}

/** A no in the carrier's own words. */
export interface Refused<Refusal> {
  status: number;
  refusal: Refusal;
}

/** A JSON interface: where it is, what it wants in front of a call, and how it says no. */
export interface JsonApiSpec<Account, Refusal, Asked extends Question> {
  provider: string;
  baseUrl(account: Account, question: Asked): string;
  headers(account: Account, question: Asked): Record<string, string>;
  /** Absent: the headers are the login. */
  login?: {
    /** Names the token of a call; see `PartnerContext.token`. */
    tokenOf(question: Asked): string;
    fetch(context: CarrierContext<Account>, name: string): Promise<AccessToken>;
    /** The header of a token; default `Bearer`. */
    authorization?(account: Account, token: string): string;
  };
  /** The statuses of a no. */
  refused: readonly number[];
  /** The carrier says no with any status, also with a good one. */
  refusesWithAnyStatus?: true;
  /** Reads a no in the carrier's own words. Returns null for anyone else's: a proxy answers 400 or 404 too. */
  readRefusal(text: string, status: number): Refusal | null;
  refusalOf(refused: Refused<Refusal>): IntegrationError;
}

/** Makes the calls of a JSON interface. */
export function jsonApi<Account, Refusal, Asked extends Question = Question>(
  api: JsonApiSpec<Account, Refusal, Asked>,
) {
  type Context = CarrierContext<Account>;
  const { provider, login, refused } = api;

  const post = ({ account, http }: Context, question: Asked, authorization: Record<string, string>) => {
    const { operation, effect, method, timeoutMs, maxBytes, path, query, body } = question;
    return http.send({
      ...{ operation, effect, method },
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(maxBytes === undefined ? {} : { maxBytes }),
      url: `${api.baseUrl(account, question)}${path}${query ? `?${new URLSearchParams(query)}` : ''}`,
      headers: {
        ...authorization,
        accept: 'application/json',
        ...api.headers(account, question),
        ...question.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      accept: refused,
    });
  };

  /** A token that was just fetched is refused too: the carrier says why. */
  const explainLogin = (error: unknown): never => {
    const refusal = isUnauthorised(error) ? api.readRefusal(error.body ?? '', 401) : null;
    throw refusal === null ? error : api.refusalOf({ status: 401, refusal });
  };

  const answerOf = (context: Context, question: Asked) => {
    if (!login) return post(context, question, {});
    const { tokenOf, fetch, authorization = (_account, token) => `Bearer ${token}` } = login;
    const name = tokenOf(question);
    return withToken(context, { name, fetch: () => fetch(context, name) }, (token) =>
      post(context, question, { authorization: authorization(context.account, token) }),
    ).catch(explainLogin);
  };

  /** Returns the text of a good answer, or the refusal. Throws when the answer is neither. */
  const send = async (
    context: Context,
    question: Asked,
  ): Promise<{ status: number; text: string } | Refused<Refusal>> => {
    const { promised = 200 } = question;
    const { status, body } = await answerOf(context, question);
    const text = body.toString('utf8');
    const isNo = refused.includes(status);
    const refusal = isNo || api.refusesWithAnyStatus ? api.readRefusal(text, status) : null;
    if (refusal !== null) return { status, refusal };
    if (isNo) throw new Error(`${provider} answered ${status} without a reason`);
    if (promised !== 'any' && status !== promised) throw new Error(`${provider} answered ${status}, not ${promised}`);
    return { status, text };
  };

  /** Returns the answer as parsed, or the refusal, for callers to whom a refusal means something. */
  const ask = async <Schema extends z.ZodType>(
    context: Context,
    question: Asked,
    schema: Schema,
  ): Promise<{ value: z.infer<Schema> } | Refused<Refusal>> => {
    const answer = await send(context, question);
    if ('refusal' in answer) return answer;
    return { value: schema.parse(answer.text === '' ? undefined : JSON.parse(answer.text)) };
  };

  /** Returns the answer as parsed; throws a refusal. */
  const call = async <Schema extends z.ZodType>(
    context: Context,
    question: Asked,
    schema: Schema,
  ): Promise<z.infer<Schema>> => {
    const answer = await ask(context, question, schema);
    if ('refusal' in answer) throw api.refusalOf(answer);
    return answer.value;
  };

  return { send, ask, call };
}

const LOGIN_REFUSED = [400, 401, 403];

/** Fetches a token with client credentials; `refused` makes the error of a refused login. */
export async function fetchToken(
  http: Http,
  request: { url: string; headers: Record<string, string>; form: Record<string, string> },
  refused: (text: string, status: number) => Error,
): Promise<AccessToken> {
  const { status, body } = await http.send({
    operation: 'token',
    effect: 'read',
    method: 'POST',
    url: request.url,
    headers: { ...request.headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(request.form).toString(),
    accept: LOGIN_REFUSED,
  });
  const text = body.toString('utf8');
  if (LOGIN_REFUSED.includes(status)) throw refused(text, status);
  const { access_token, expires_in } = Token.parse(JSON.parse(text));
  return { value: access_token, expiresInSeconds: expires_in };
}
