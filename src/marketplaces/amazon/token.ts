import { IntegrationError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/parse-json.ts';
import type { AccessToken } from '../../lib/tokens.ts';
import { withToken } from '../../lib/with-token.ts';
import type { MarketplaceContext } from '../adapter.ts';
import type { Account } from './account.ts';
import { PROVIDER, translateLogin } from './refusals.ts';
import { Token } from './schema.ts';

const TOKEN = 'lwa';
const LOGIN_PAUSE_MS = 60_000;

export function withAmazonToken<Answer>(
  context: MarketplaceContext<Account>,
  send: (token: string) => Promise<Answer>,
): Promise<Answer> {
  const isRefused = (error: unknown): boolean => error instanceof IntegrationError && error.code === 'auth_expired';
  return withToken(context, { name: TOKEN, fetch: () => fetchToken(context), isRefused }, send);
}

/** Login with Amazon; sent as JSON, so that secrets are not encoded and can be struck out of the exchange log. */
async function fetchToken({ account, http }: MarketplaceContext<Account>): Promise<AccessToken> {
  const operation = 'token';
  const body = JSON.stringify({
    grant_type: 'refresh_token',
    refresh_token: account.refreshToken,
    client_id: account.clientId,
    client_secret: account.clientSecret,
  });
  try {
    const response = await http.send({
      operation,
      effect: 'read',
      method: 'POST',
      url: account.tokenUrl,
      headers: { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'smista' },
      body,
    });
    const token = Token.safeParse(parseJson(response.body.toString('utf8')));
    if (token.success) return { value: token.data.access_token, expiresInSeconds: token.data.expires_in };
  } catch (error) {
    throw translateLogin(error, { operation, pauseMs: LOGIN_PAUSE_MS });
  }
  throw new IntegrationError(`${PROVIDER} gave something that is no access token`, {
    kind: 'retryable',
    provider: PROVIDER,
    code: 'platform_unavailable',
  });
}
