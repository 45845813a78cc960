import { IntegrationError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/parse-json.ts';
import type { AccessToken } from '../../lib/tokens.ts';
import { withToken } from '../../lib/with-token.ts';
import type { MarketplaceContext } from '../adapter.ts';
import type { Account } from './account.ts';
import { translateRefusal, unreadable } from './refusals.ts';
import { Token } from './schema.ts';

const SCOPES = 'https://api.ebay.com/oauth/api_scope';

/** `user` acts for the seller; `application` may only read what belongs to nobody, such as the keys that eBay signs with. */
export type Identity = 'user' | 'application';

export function withEbayToken<Answer>(
  context: MarketplaceContext<Account>,
  identity: Identity,
  send: (token: string) => Promise<Answer>,
): Promise<Answer> {
  const isRefused = (error: unknown): boolean => error instanceof IntegrationError && error.code === 'auth_expired';
  return withToken(context, { name: identity, fetch: () => fetchToken(context, identity), isRefused }, send);
}

/** Asking for the scope that writes makes a consent that only reads fail with the first call, not with the first shipment. */
async function fetchToken({ account, http }: MarketplaceContext<Account>, identity: Identity): Promise<AccessToken> {
  const form: Record<string, string> =
    identity === 'user'
      ? { grant_type: 'refresh_token', refresh_token: account.refreshToken, scope: `${SCOPES}/sell.fulfillment` }
      : { grant_type: 'client_credentials', scope: SCOPES };
  const operation = identity === 'user' ? 'userToken' : 'applicationToken';
  const response = await http
    .send({
      operation,
      effect: 'read',
      method: 'POST',
      url: account.tokenUrl,
      headers: {
        authorization: `Basic ${Buffer.from(`${account.clientId}:${account.clientSecret}`).toString('base64')}`,
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'smista',
      },
      body: new URLSearchParams(form).toString(),
    })
    .catch((error: unknown) => {
      throw translateRefusal(error, { operation, effect: 'read' });
    });
  const token = Token.safeParse(parseJson(response.body.toString('utf8')));
  if (token.success) return { value: token.data.access_token, expiresInSeconds: token.data.expires_in };
  throw unreadable(operation, { kind: 'retryable', code: 'platform_unavailable', status: response.status });
}
