import { IntegrationError } from '../../lib/errors.ts';
import type { AccessToken } from '../../lib/tokens.ts';
import { withToken } from '../../lib/with-token.ts';
import type { MarketplaceContext } from '../adapter.ts';
import { readToken, sendJson } from '../json-client.ts';
import type { Account } from './account.ts';
import { loginRefusals } from './refusals.ts';

const TOKEN = 'lwa';

export function withAmazonToken<Answer>(
  context: MarketplaceContext<Account>,
  send: (token: string) => Promise<Answer>,
): Promise<Answer> {
  const isRefused = (error: unknown): boolean => error instanceof IntegrationError && error.code === 'auth_expired';
  return withToken(context, { name: TOKEN, fetch: () => fetchToken(context), isRefused }, send);
}

/** Logs in with Amazon. The secrets are sent as JSON, which does not encode them, so that the exchange log can drop them. */
async function fetchToken({ account, http }: MarketplaceContext<Account>): Promise<AccessToken> {
  const call = { operation: 'token', effect: 'read' } as const;
  const response = await sendJson(http, loginRefusals, {
    ...call,
    method: 'POST',
    url: account.tokenUrl,
    body: {
      grant_type: 'refresh_token',
      refresh_token: account.refreshToken,
      client_id: account.clientId,
      client_secret: account.clientSecret,
    },
  });
  return readToken(loginRefusals, call, response);
}
