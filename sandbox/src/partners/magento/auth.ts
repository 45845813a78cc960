import { createHmac } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { sameSecret } from '../../secrets.ts';
import { sendError } from './answers.ts';

const CONSUMER = { key: 'sandbox-consumer', secret: 'sandbox-consumer-secret' };
const TOKEN_SECRET = 'sandbox-token-secret';
const SIGNED = ['oauth_consumer_key', 'oauth_token', 'oauth_nonce', 'oauth_timestamp', 'oauth_signature_method'];

/** Requires an integration whose access token starts with `sandbox`; one with `readonly` in it may only read. */
export function requireResource(resource: string): RequestHandler {
  const isWrite = resource === 'Magento_Sales::ship';
  return (request, response, next) => {
    const login = request.headers.authorization?.startsWith('OAuth ') ? readSignature(request) : readBearer(request);
    if ('refusal' in login) return void sendError(response, 401, { message: login.refusal });
    const { token } = login;
    if (token.startsWith('sandbox') && !(isWrite && token.includes('readonly'))) return next();
    sendError(response, 401, {
      message: "The consumer isn't authorized to access %resources.",
      parameters: { resources: resource },
    });
  };
}

/** A request without a token is a guest's, who may do nothing here either. */
function readBearer(request: Request): { token: string } {
  const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
  return { token: scheme === 'Bearer' ? token : '' };
}

/** No nonce is remembered: a request that a fault books twice arrives twice with the same one. */
function readSignature(request: Request): { token: string } | { refusal: string } {
  const header = new Map(
    [...(request.headers.authorization ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      decodeURIComponent(value),
    ]),
  );
  const missing = SIGNED.find((name) => !header.get(name));
  if (missing) return { refusal: `oauth_problem=parameter_absent&oauth_parameters_absent=${missing}` };
  const method = header.get('oauth_signature_method');
  if (method !== 'HMAC-SHA256') return { refusal: `Signature method ${method} is not supported` };
  if (header.get('oauth_consumer_key') !== CONSUMER.key) {
    return { refusal: 'A consumer having the specified key does not exist' };
  }
  const url = new URL(request.originalUrl, `http://${request.headers.host}`);
  const parameters = [...url.searchParams, ...header]
    .filter(([name]) => name !== 'oauth_signature' && name !== 'realm')
    .map(([name, value]) => `${percent(name)}=${percent(value)}`)
    .sort();
  const base = [request.method, url.origin + url.pathname, parameters.join('&')].map(percent).join('&');
  const expected = createHmac('sha256', `${CONSUMER.secret}&${TOKEN_SECRET}`).update(base).digest('base64');
  if (!sameSecret(header.get('oauth_signature') ?? '', expected)) {
    return { refusal: 'The signature is invalid. Verify and try again.' };
  }
  return { token: header.get('oauth_token') ?? '' };
}

function percent(text: string): string {
  return Buffer.from(text, 'utf8').reduce((encoded, byte) => {
    const character = String.fromCharCode(byte);
    const isPlain = /[A-Za-z0-9._~-]/.test(character);
    return encoded + (isPlain ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`);
  }, '');
}
