import type { AccessToken } from '../../lib/tokens.ts';
import { readToken, sendJson } from '../json-client.ts';
import { baseUrlOf, type ShopContext } from './account.ts';
import { LOGIN, refusals } from './refusals.ts';

const TOKEN = 'admin';

/** Returns the app's own token, or one for its client id and secret, kept until it expires (24 hours). */
export async function accessToken(context: ShopContext): Promise<string> {
  return context.account.accessToken ?? context.token(TOKEN, () => logIn(context));
}

/** Forgets a refused token. False: the app has no other. */
export async function forgetAccessToken(context: ShopContext): Promise<boolean> {
  if (context.account.accessToken !== undefined) return false;
  await context.forgetToken(TOKEN);
  return true;
}

/** Logs in by the client credentials grant, which an app has only for shops of its own organisation. */
async function logIn(context: ShopContext): Promise<AccessToken> {
  const { clientId, clientSecret } = context.account;
  const call = { operation: LOGIN, effect: 'read' } as const;
  const response = await sendJson(context.http, refusals, {
    ...call,
    method: 'POST',
    url: `${baseUrlOf(context.account)}/admin/oauth/access_token`,
    body: { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' },
  });
  return readToken(refusals, call, response);
}
