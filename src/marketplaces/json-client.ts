import { z } from 'zod';
import { type Http, type HttpRequest, type HttpResponse, MAX_BYTES } from '../lib/http.ts';
import { parseJson } from '../lib/parse-json.ts';
import type { AccessToken } from '../lib/tokens.ts';
import type { Call, Refusals } from './refusals.ts';

export interface JsonRequest extends Call {
  method: HttpRequest['method'];
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON; a text is sent as it is, with a content type of its own. */
  body?: unknown;
}

/** Returns an address below the base of an account, which may end with slashes. */
export function addressOf(base: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(`${base.replace(/\/+$/, '')}${path}`);
  url.search = new URLSearchParams(query).toString();
  return url.href;
}

/** Sends one request. Throws refusals in the closed vocabulary of marketplace errors. */
export async function sendJson(http: Http, refusals: Refusals, request: JsonRequest): Promise<HttpResponse> {
  const { operation, effect, method, url, headers, body } = request;
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  try {
    return await http.send({
      operation,
      effect,
      method,
      url,
      headers: { accept: 'application/json', 'user-agent': 'smista', ...json, ...headers },
      maxBytes: MAX_BYTES,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  } catch (error) {
    throw refusals.translate(error, request);
  }
}

export interface Expected<Data> {
  answer: z.ZodType<Data>;
  /** The one status that says yes. Something in between may answer with another good one. Absent: any good status. */
  status?: number | undefined;
  /** Absent: the whole body is JSON. */
  parse?: (text: string) => unknown;
}

/** Reads the body of an answer. An unreadable read may be better the next time; an unreadable write has an unknown outcome. */
export function readAnswer<Data>(
  refusals: Refusals,
  { call, response }: { call: Call; response: HttpResponse },
  { answer, status, parse = parseJson }: Expected<Data>,
): Data {
  const body = response.body.toString('utf8');
  const json = parse(body);
  const parsed = answer.safeParse(json);
  if (parsed.success && (status === undefined || status === response.status)) return parsed.data;
  throw refusals.unreadable(call, { status: response.status, isJson: json !== undefined, body });
}

/** RFC 6749, section 5.1. */
const Token = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

/** Reads the answer of a login; any other body is a page of something in between. */
export function readToken(refusals: Refusals, call: Call, response: HttpResponse): AccessToken {
  const token = Token.safeParse(parseJson(response.body.toString('utf8'))).data;
  if (token) return { value: token.access_token, expiresInSeconds: token.expires_in };
  throw refusals.unreadable(call, { status: response.status, isJson: false });
}
