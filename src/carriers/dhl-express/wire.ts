import { z } from 'zod';
import { parseJson } from '../../lib/parse-json.ts';
import { jsonApi, type Question } from '../json-api.ts';
import { PROVIDER, refusalOf } from './refusals.ts';
import { type Account, Refusal } from './schema.ts';

/** The default of the description, which asks not to change it. */
const INTERFACE_VERSION = '3.1.0';

interface Asked extends Question {
  /** Tells a request apart in DHL's own log, 1 to 36 characters. It does not make a repeat harmless. */
  messageReference?: string;
}

export const { ask, call } = jsonApi<Account, Refusal, Asked>({
  provider: PROVIDER,
  baseUrl: (account) => account.baseUrl,
  headers: ({ username, password }, { messageReference }) => ({
    authorization: `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`,
    'x-version': INTERFACE_VERSION,
    ...(messageReference === undefined ? {} : { 'message-reference': messageReference }),
  }),
  refused: [400, 401, 403, 404, 422],
  readRefusal,
  refusalOf,
});

/** For a good answer that the description leaves without a body. */
export const Nothing = z.undefined();

/** How DHL words a refused login was not found, so there the status is enough. */
function readRefusal(body: string, status: number): Refusal | null {
  const { data } = Refusal.safeParse(parseJson(body));
  if (data && `${data.detail}${data.title}${data.message}` !== '') return data;
  return status === 401 || status === 403 ? (data ?? Refusal.parse({})) : null;
}
