import { randomUUID } from 'node:crypto';
import { fetchToken, jsonApi } from '../json-api.ts';
import { PROVIDER, readRefusal, refusalOf } from './refusals.ts';
import type { Account, UpsError } from './schema.ts';

export const { ask, call } = jsonApi<Account, readonly UpsError[]>({
  provider: PROVIDER,
  baseUrl: (account) => `${account.baseUrl}/api`,
  headers: () => ({
    // Compulsory for tracking, echoed everywhere; it does not make a repeat harmless.
    transid: randomUUID().replaceAll('-', ''),
    transactionsrc: 'smista',
  }),
  login: {
    tokenOf: () => 'oauth',
    fetch: ({ http, account: { baseUrl, clientId, clientSecret } }) => {
      const basic = Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64');
      const url = `${baseUrl}/security/v1/oauth/token`;
      const form = { grant_type: 'client_credentials' };
      return fetchToken(http, { url, headers: { authorization: `Basic ${basic}` }, form }, loginRefusal);
    },
  },
  // 401 is left to the login.
  refused: [400, 403, 404, 422],
  readRefusal,
  refusalOf,
});

/** A refused login needs no words; any other refusal does. */
function loginRefusal(text: string, status: number): Error {
  const refusal = readRefusal(text);
  if (!refusal && status === 400) return new Error(`${PROVIDER} answered 400 without a reason`);
  return refusalOf({ refusal: refusal ?? [], status: 401 });
}
