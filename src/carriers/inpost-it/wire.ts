import type { z } from 'zod';
import type { HttpRequest } from '../../lib/http.ts';
import type { CarrierContext } from '../adapter.ts';
import { refusalOf } from './refusals.ts';
import { type Account, Refusal } from './schema.ts';

/** ShipX says no with these, and with words. */
const REFUSED = [400, 401, 403, 404, 409, 422];

interface Question extends Pick<HttpRequest, 'operation' | 'effect' | 'method'> {
  path: string;
  /** The status that ShipX names for a yes, where it names one; any other good one proves nothing. */
  yes?: number;
  query?: Record<string, string>;
  body?: unknown;
  /** Another host than that of shipments. */
  host?: string;
  /** Asked without the token. */
  isPublic?: true;
}

export interface Refused {
  status: number;
  refusal: Refusal;
}

/** `keys` asks for the errors of single fields as keys: they are stable, sentences are not. */
export function headersOf({ token }: Account): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'accept-language': 'keys' };
}

/** The answer as parsed, or what InPost refused with, for callers to whom a refusal means something. */
export async function ask<Schema extends z.ZodType>(
  { account, http }: CarrierContext<Account>,
  question: Question,
  schema: Schema,
): Promise<{ value: z.infer<Schema> } | Refused> {
  const answer = await send({ account, http }, question);
  if ('refusal' in answer) return answer;
  if (question.yes !== undefined && answer.status !== question.yes) throw new Error(`${answer.status} is no answer`);
  return { value: schema.parse(JSON.parse(answer.text)) };
}

/** The status of a good answer to a write that answers with nothing else, or what InPost refused with. */
export async function askForStatus(
  context: CarrierContext<Account>,
  question: Question,
): Promise<{ status: number } | Refused> {
  return send(context, question);
}

async function send(
  { account, http }: Pick<CarrierContext<Account>, 'account' | 'http'>,
  question: Question,
): Promise<{ status: number; text: string } | Refused> {
  const { path, query, body, host = account.baseUrl, isPublic = false, operation, effect, method } = question;
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const answer = await http.send({
    ...{ operation, effect, method },
    url: `${host}${path}${search}`,
    headers: {
      ...(isPublic ? {} : headersOf(account)),
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    accept: REFUSED,
  });
  const text = answer.body.toString('utf8');
  if (REFUSED.includes(answer.status)) return { status: answer.status, refusal: readRefusal(text, answer.status) };
  return { status: answer.status, text };
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

/** ShipX does not know the thing; any other 404 is of an address that is not ShipX's, and proves nothing. */
export function isUnknownThing({ status, refusal }: Refused): boolean {
  return status === 404 && refusal.error === 'resource_not_found';
}

/** A no is only believed with ShipX's own key: something in between may answer 400 or 404 too. A refused login needs none. */
function readRefusal(text: string, status: number): Refusal {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = {};
  }
  const refusal = Refusal.safeParse(json);
  if (refusal.success && refusal.data.error !== '') return refusal.data;
  if (status === 401 || status === 403) return Refusal.parse({});
  throw new Error(`${status} without a reason of ShipX`);
}
