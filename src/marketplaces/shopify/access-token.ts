import { z } from 'zod';
import { IntegrationError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { baseUrlOf, type ShopContext } from './account.ts';
import { loginWords, PROVIDER, translateRefusal } from './refusals.ts';

const TOKEN = 'admin';
const Granted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

/** The app's own token, or one that its client id and secret bring, kept until it expires (24 hours). */
export async function accessToken(context: ShopContext): Promise<string> {
  return context.account.accessToken ?? context.token(TOKEN, () => logIn(context));
}

/** Whether another one can be asked for. */
export async function forgetAccessToken(context: ShopContext): Promise<boolean> {
  if (context.account.accessToken !== undefined) return false;
  await context.forgetToken(TOKEN);
  return true;
}

/** The client credentials grant: only for an app and a shop of the same organisation. */
async function logIn(context: ShopContext): Promise<{ value: string; expiresInSeconds: number }> {
  const { clientId, clientSecret } = context.account;
  const response = await context.http
    .send({
      operation: 'token',
      effect: 'read',
      method: 'POST',
      url: `${baseUrlOf(context.account)}/admin/oauth/access_token`,
      headers: { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'smista' },
      body: JSON.stringify({ client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }),
    })
    .catch((error: unknown) => {
      throw refusalOfLogin(error);
    });
  const granted = Granted.safeParse(parseJson(response.body.toString('utf8')));
  if (granted.success) return { value: granted.data.access_token, expiresInSeconds: granted.data.expires_in };
  throw new IntegrationError(`${PROVIDER} answered token with something that could not be read`, {
    kind: 'retryable',
    provider: PROVIDER,
    code: 'platform_unavailable',
    status: response.status,
  });
}

function refusalOfLogin(error: unknown): unknown {
  const isRefusal = error instanceof IntegrationError && error.kind === 'permanent' && (error.status ?? 0) >= 400;
  const words = isRefusal ? loginWords(error.body ?? '') : null;
  if (!isRefusal || words === null) return translateRefusal(error, 'token');
  return new IntegrationError(`${PROVIDER} refused token: ${words}`, {
    kind: 'permanent',
    provider: PROVIDER,
    code: 'auth_invalid',
    status: error.status,
    cause: error,
  });
}
