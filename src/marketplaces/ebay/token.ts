import { IntegrationError } from '../../lib/errors.ts';
import type { AccessToken } from '../../lib/tokens.ts';
import { withToken } from '../../lib/with-token.ts';
import type { MarketplaceContext } from '../adapter.ts';
import { readToken, sendJson } from '../json-client.ts';
import type { Account } from './account.ts';
import { refusals } from './refusals.ts';

const SCOPES = 'https://api.ebay.com/oauth/api_scope';

/** `user` acts for the seller; `application` may only read data of no seller, such as the keys that eBay signs with. */
export type Identity = 'user' | 'application';

export function withEbayToken<Answer>(
  context: MarketplaceContext<Account>,
  identity: Identity,
  send: (token: string) => Promise<Answer>,
): Promise<Answer> {
  const isRefused = (error: unknown): boolean => error instanceof IntegrationError && error.code === 'auth_expired';
  return withToken(context, { name: identity, fetch: () => fetchToken(context, identity), isRefused }, send);
}

/** Asks for the scope that writes, so that a consent that only reads fails with the first call, not with the first shipment. */
async function fetchToken({ account, http }: MarketplaceContext<Account>, identity: Identity): Promise<AccessToken> {
  const form: Record<string, string> =
    identity === 'user'
      ? { grant_type: 'refresh_token', refresh_token: account.refreshToken, scope: `${SCOPES}/sell.fulfillment` }
      : { grant_type: 'client_credentials', scope: SCOPES };
  const call = { operation: identity === 'user' ? 'userToken' : 'applicationToken', effect: 'read' } as const;
  const response = await sendJson(http, refusals, {
    ...call,
    method: 'POST',
    url: account.tokenUrl,
    headers: {
      authorization: `Basic ${Buffer.from(`${account.clientId}:${account.clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(form).toString(),
  });
  return readToken(refusals, call, response);
}
