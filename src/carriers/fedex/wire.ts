import { randomUUID } from 'node:crypto';
import { IntegrationError } from '../../lib/errors.ts';
import { fetchToken, jsonApi } from '../json-api.ts';
import { PROVIDER, readRefusal, refusalOf } from './refusals.ts';
import type { Account, FedexError } from './schema.ts';

/** FedEx locks an address out for this long when it asks for tokens too often. */
const LOCKED_OUT_MS = 600_000;
/** The Track API is another project at FedEx, with keys of its own; tokens of one project are refused by the other. */
const TRACKING = 'tracking';
const ENCODING = { 'accept-encoding': 'identity' };

export const { ask, call } = jsonApi<Account, readonly FedexError[]>({
  provider: PROVIDER,
  baseUrl: (account) => account.baseUrl,
  headers: () => ({
    ...ENCODING,
    // The words of errors and events, which would otherwise depend on the account.
    'x-locale': 'en_US',
    // Echoed; it does not make a repeat harmless.
    'x-customer-transaction-id': randomUUID(),
  }),
  login: {
    tokenOf: ({ path }) => (path.startsWith('/track/') ? TRACKING : 'shipping'),
    fetch: ({ account, http }, project) => {
      const { apiKey, secretKey, trackApiKey, trackSecretKey } = account;
      const [id, secret] = project === TRACKING ? [trackApiKey, trackSecretKey] : [apiKey, secretKey];
      const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
      return fetchToken(http, { url: `${account.baseUrl}/oauth/token`, headers: ENCODING, form }, loginRefusal);
    },
  },
  // 401 is left to the login.
  refused: [400, 403, 404, 422],
  refusesWithAnyStatus: true,
  readRefusal,
  refusalOf,
});

/** A 403 is no opinion on the keys. A refused login needs no words; any other refusal does. */
function loginRefusal(text: string, status: number): Error {
  const refusal = readRefusal(text);
  if (status === 403) {
    return new IntegrationError(`${PROVIDER} gives this machine no token: too many were asked for`, {
      kind: 'retryable',
      provider: PROVIDER,
      code: 'throttled',
      status,
      retryAfterMs: LOCKED_OUT_MS,
    });
  }
  if (!refusal && status === 400) return new Error(`${PROVIDER} answered 400 without a reason`);
  return refusalOf({ refusal: refusal ?? [], status: 401 });
}
