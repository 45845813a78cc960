import { createHmac, randomBytes } from 'node:crypto';
import type { Account } from './account.ts';

interface UnsignedRequest {
  method: string;
  /** Without the query. */
  url: string;
  query: Readonly<Record<string, string>>;
  now: Date;
}

/** Returns the `Authorization` header: the bare token, or a signature when the account has all four credentials. */
export function authorize(account: Account, request: UnsignedRequest): string {
  const { accessToken, accessTokenSecret, consumerKey, consumerSecret } = account;
  if (!accessTokenSecret || !consumerKey || !consumerSecret) return `Bearer ${accessToken}`;
  const oauth = {
    oauth_consumer_key: consumerKey,
    oauth_nonce: randomBytes(16).toString('hex'),
    oauth_signature_method: 'HMAC-SHA256',
    oauth_timestamp: String(Math.floor(request.now.getTime() / 1000)),
    oauth_token: accessToken,
    oauth_version: '1.0',
  };
  const key = `${encode(consumerSecret)}&${encode(accessTokenSecret)}`;
  const oauth_signature = createHmac('sha256', key).update(signedText(request, oauth)).digest('base64');
  const parts = Object.entries({ ...oauth, oauth_signature });
  return `OAuth ${parts.map(([name, value]) => `${name}="${encode(value)}"`).join(', ')}`;
}

/** RFC 5849, section 3.4.1. */
function signedText({ method, url, query }: UnsignedRequest, oauth: Record<string, string>): string {
  const { origin, pathname } = new URL(url);
  const parameters = Object.entries({ ...query, ...oauth })
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  return [method, encode(origin + pathname), encode(parameters)].join('&');
}

/** Encodes by RFC 3986, which is stricter than `encodeURIComponent`. */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
