import { createHmac, randomBytes } from 'node:crypto';
import type { Account } from './account.ts';

export interface UnsignedRequest {
  method: string;
  url: string;
  now: Date;
}

export interface AuthorizedRequest {
  url: string;
  headers: Record<string, string>;
}

/**
 * Authorises by Basic over HTTPS, or by the keys in the address when the account says so. Plain HTTP gets a
 * signature, and never the secret.
 */
export function authorize(account: Account, request: UnsignedRequest): AuthorizedRequest {
  const url = new URL(request.url);
  if (url.protocol === 'http:') return { url: sign(account, request), headers: {} };
  if (account.queryAuth) {
    url.searchParams.set('consumer_key', account.consumerKey);
    url.searchParams.set('consumer_secret', account.consumerSecret);
    return { url: url.href, headers: {} };
  }
  const keys = Buffer.from(`${account.consumerKey}:${account.consumerSecret}`).toString('base64');
  return { url: request.url, headers: { authorization: `Basic ${keys}` } };
}

/** One-legged OAuth 1.0a: there is no token, so the signing key ends with a bare `&`. */
function sign(account: Account, { method, url, now }: UnsignedRequest): string {
  const signed = new URL(url);
  const oauth = {
    oauth_consumer_key: account.consumerKey,
    oauth_nonce: randomBytes(16).toString('hex'),
    oauth_signature_method: 'HMAC-SHA256',
    oauth_timestamp: String(Math.floor(now.getTime() / 1000)),
    oauth_version: '1.0',
  };
  for (const [name, value] of Object.entries(oauth)) signed.searchParams.set(name, value);
  const parameters = [...signed.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const base = [method, encode(signed.origin + signed.pathname), encode(parameters)].join('&');
  const signature = createHmac('sha256', `${encode(account.consumerSecret)}&`)
    .update(base)
    .digest('base64');
  signed.searchParams.set('oauth_signature', signature);
  return signed.href;
}

/** RFC 3986, which is stricter than `encodeURIComponent`. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
