import { createHmac } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { sameSecret } from '../../secrets.ts';
import { sendError } from './answers.ts';

interface Key {
  secret: string;
  canWrite: boolean;
}

/** The keys that every pretend shop knows. */
const KEYS: ReadonlyMap<string, Key> = new Map([
  ['ck_sandbox', { secret: 'cs_sandbox', canWrite: true }],
  ['ck_sandbox_readonly', { secret: 'cs_sandbox_readonly', canWrite: false }],
]);

const HASHES: Readonly<Record<string, string>> = { 'HMAC-SHA1': 'sha1', 'HMAC-SHA256': 'sha256' };

/** Basic or keys in the address over HTTPS; a one-legged OAuth 1.0a signature over plain HTTP, where Basic is not read. */
export const requireKey: RequestHandler = (request, response, next) => {
  const key = isHttps(request) ? readKeys(request) : readSignature(request);
  if (typeof key === 'string') return refuse(response, 'woocommerce_rest_authentication_error', key);
  if (key === null) return refuse(response, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.');
  if (request.method !== 'GET' && !key.canWrite) {
    // Recorded from WooCommerce 11.0.1, 2026-11-22: the code of a wrong key, which only the words tell apart.
    const words = 'The API key provided does not have write permissions.';
    return refuse(response, 'woocommerce_rest_authentication_error', words);
  }
  next();
};

function refuse(response: Response, code: string, message: string): void {
  sendError(response, 401, { code, message });
}

/** The sandbox itself speaks plain HTTP; a proxy in front of it may speak HTTPS. */
function isHttps(request: Request): boolean {
  return request.headers['x-forwarded-proto'] === 'https';
}

/** Null without credentials, a sentence when they are wrong. */
function readKeys(request: Request): Key | string | null {
  const [scheme = '', encoded = ''] = (request.headers.authorization ?? '').split(' ');
  const basic = scheme === 'Basic' ? Buffer.from(encoded, 'base64').toString('utf8').split(':') : [];
  const id = basic[0] ?? request.query.consumer_key;
  const secret = basic[1] ?? request.query.consumer_secret;
  if (typeof id !== 'string' || typeof secret !== 'string') return null;
  const key = KEYS.get(id);
  if (!key) return 'Consumer key is invalid.';
  return sameSecret(secret, key.secret) ? key : 'Consumer secret is invalid.';
}

/** No nonce is remembered: a request that a fault books twice arrives twice with the same one. */
function readSignature(request: Request): Key | string | null {
  const url = new URL(request.originalUrl, `http://${request.headers.host}`);
  const parameters = [...url.searchParams, ...headerParameters(request)];
  const value = (name: string): string | undefined => parameters.find(([each]) => each === name)?.[1];
  const signature = value('oauth_signature');
  if (signature === undefined) return null;
  const key = KEYS.get(value('oauth_consumer_key') ?? '');
  if (!key) return 'Consumer key is invalid.';
  const hash = HASHES[value('oauth_signature_method') ?? ''];
  if (hash === undefined) return 'Invalid signature - signature method is invalid.';
  if (!value('oauth_timestamp') || !value('oauth_nonce'))
    return 'Missing OAuth parameters: oauth_timestamp, oauth_nonce';

  const signed = parameters
    .filter(([name]) => name !== 'oauth_signature' && name !== 'realm')
    .map(([name, text]) => [percent(name), percent(text)].join('='))
    .sort();
  const base = [request.method, `${url.origin}${url.pathname}`, signed.join('&')].map(percent).join('&');
  const expected = createHmac(hash, `${key.secret}&`).update(base).digest('base64');
  return sameSecret(signature, expected) ? key : 'Invalid signature - provided signature does not match.';
}

function headerParameters(request: Request): [string, string][] {
  const header = request.headers.authorization ?? '';
  if (!header.startsWith('OAuth ')) return [];
  return [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', text = '']) => [name, decodeURIComponent(text)]);
}

function percent(text: string): string {
  return Buffer.from(text, 'utf8').reduce((encoded, byte) => {
    const character = String.fromCharCode(byte);
    const isPlain = /[A-Za-z0-9._~-]/.test(character);
    return encoded + (isPlain ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`);
  }, '');
}
