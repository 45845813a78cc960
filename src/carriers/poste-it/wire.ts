import { z } from 'zod';
import { IntegrationError } from '../../lib/errors.ts';
import type { HttpRequest, HttpResponse } from '../../lib/http.ts';
import type { AccessToken } from '../../lib/tokens.ts';
import { withToken } from '../../lib/with-token.ts';
import type { CarrierContext } from '../adapter.ts';
import { PROVIDER } from './codes.ts';
import { type Account, Session } from './schema.ts';

type Context = CarrierContext<Account>;

const TOKEN = 'session';
const PARCEL = '/postalandlogistics/parcel';

export interface Question extends Pick<HttpRequest, 'operation' | 'effect' | 'method' | 'timeoutMs'> {
  query?: Record<string, string>;
  body?: unknown;
}

/** The answer of the parcel service of that name, as parsed. Its own refusals are inside, since Poste sends them with status 200. */
export async function ask<Schema extends z.ZodType>(
  context: Context,
  question: Question,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const login = { name: TOKEN, fetch: () => openSession(context) };
  const answer = await withToken(context, login, (token) => send(context, question, token)).catch((error: unknown) => {
    throw explained(error);
  });
  // Poste answers with 200, whatever it says: another good status is the answer of something in between.
  if (answer.status !== 200) throw new Error(`${answer.status} is no answer`);
  return schema.parse(JSON.parse(answer.body.toString('utf8')));
}

function send({ account, http }: Context, { query, body, ...rest }: Question, token: string): Promise<HttpResponse> {
  return http.send({
    ...rest,
    url: `${account.baseUrl}${PARCEL}/${rest.operation}${query ? `?${new URLSearchParams(query)}` : ''}`,
    headers: {
      POSTE_clientID: account.clientId,
      authorization: `${account.tokenPrefix} ${token}`.trimStart(),
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
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
    // With which status it refuses a login was not found: the words count.
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

/** Whatever stands in front of Poste refuses with a status, and perhaps with words, which are kept. */
function explained(error: unknown): unknown {
  if (!(error instanceof IntegrationError) || error.kind !== 'permanent' || error.body === undefined) return error;
  const said = GatewayWords.safeParse(jsonOf(error.body));
  if (!said.success) return error;
  const { provider, kind, code, status, body } = error;
  const words = 'message' in said.data ? said.data.message : said.data.error_description;
  return new IntegrationError(`${error.message}: ${words}`, { provider, kind, code, status, body, cause: error });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
