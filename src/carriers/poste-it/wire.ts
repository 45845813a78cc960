import { z } from 'zod';
import { IntegrationError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/parse-json.ts';
import type { AccessToken } from '../../lib/tokens.ts';
import type { CarrierContext } from '../adapter.ts';
import { jsonApi, type Question } from '../json-api.ts';
import { PROVIDER } from './codes.ts';
import { type Account, Session } from './schema.ts';

type Context = CarrierContext<Account>;

const PARCEL = '/postalandlogistics/parcel';

/** Poste answers with 200 to whatever reaches it: its refusals are inside, and adapters read them there. */
const api = jsonApi<Account, never>({
  provider: PROVIDER,
  baseUrl: (account) => `${account.baseUrl}${PARCEL}`,
  headers: ({ clientId }) => ({ POSTE_clientID: clientId }),
  login: {
    tokenOf: () => 'session',
    fetch: openSession,
    authorization: ({ tokenPrefix }, token) => `${tokenPrefix} ${token}`.trimStart(),
  },
  refused: [],
  readRefusal: () => null,
  refusalOf: (refused) => refused.refusal,
});

/** Returns the answer of the parcel service of that name, as parsed. */
export async function ask<Schema extends z.ZodType>(
  context: Context,
  question: Omit<Question, 'path'>,
  schema: Schema,
): Promise<z.infer<Schema>> {
  return api.call(context, { ...question, path: `/${question.operation}` }, schema).catch((error: unknown) => {
    throw explained(error);
  });
}

async function openSession({ account, http }: Context): Promise<AccessToken> {
  const { clientId, secretId, scope } = account;
  const { body } = await http.send({
    operation: 'sessions',
    effect: 'read',
    method: 'POST',
    url: `${account.baseUrl}/user/sessions`,
    headers: { POSTE_clientID: clientId, accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, secretId, scope, grantType: 'client_credentials' }),
    // The status of a refused login was not found: the words count.
    accept: [400, 401, 403],
  });
  const session = Session.parse(JSON.parse(body.toString('utf8')));
  if ('access_token' in session) return { value: session.access_token, expiresInSeconds: session.expires_in };
  const said = [session.error, session.error_description].filter((part) => part !== '').join(': ');
  throw new IntegrationError(`${PROVIDER} refused the login: ${said} (correct clientId, secretId and scope)`, {
    kind: 'permanent',
    provider: PROVIDER,
    code: 'credentials-refused',
  });
}

const GatewayWords = z.object({ error_description: z.string() }).or(z.object({ message: z.string() }));

/** A gateway in front of Poste refuses with a status, and perhaps with words, which are kept. */
function explained(error: unknown): unknown {
  if (!(error instanceof IntegrationError) || error.kind !== 'permanent' || error.body === undefined) return error;
  const said = GatewayWords.safeParse(parseJson(error.body));
  if (!said.success) return error;
  const { provider, kind, code, status, body } = error;
  const words = 'message' in said.data ? said.data.message : said.data.error_description;
  return new IntegrationError(`${error.message}: ${words}`, { provider, kind, code, status, body, cause: error });
}
