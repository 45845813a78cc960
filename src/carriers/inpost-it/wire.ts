import { parseJson } from '../../lib/parse-json.ts';
import { jsonApi, type Question, type Refused as RefusedWith } from '../json-api.ts';
import { PROVIDER, refusalOf } from './refusals.ts';
import { type Account, Refusal } from './schema.ts';

interface Asked extends Question {
  /** Another host than that of shipments. */
  host?: string;
  /** Asked without the token. */
  isPublic?: true;
}

export type Refused = RefusedWith<Refusal>;

/**
 * Returns the headers of a login. `keys` asks for the errors of single fields as keys: they are stable, sentences are
 * not.
 */
export function headersOf({ token }: Account): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'accept-language': 'keys' };
}

export const { send, ask, call } = jsonApi<Account, Refusal, Asked>({
  provider: PROVIDER,
  baseUrl: (account, { host }) => host ?? account.baseUrl,
  headers: (account, { isPublic }) => (isPublic ? {} : headersOf(account)),
  refused: [400, 401, 403, 404, 409, 422],
  readRefusal,
  refusalOf,
});

/** Returns true when ShipX does not know the thing; any other 404 is of a wrong address, and proves nothing. */
export function isUnknownThing({ status, refusal }: Refused): boolean {
  return status === 404 && refusal.error === 'resource_not_found';
}

/** A no has ShipX's own key; a refused login needs none. */
function readRefusal(body: string, status: number): Refusal | null {
  const { data } = Refusal.safeParse(parseJson(body) ?? {});
  if (data && data.error !== '') return data;
  return status === 401 || status === 403 ? Refusal.parse({}) : null;
}
