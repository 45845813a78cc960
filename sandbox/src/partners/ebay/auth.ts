import type { Request, RequestHandler, Response } from 'express';
import type { Clock } from '../../clock.ts';
import { sendError } from './answers.ts';

const LIFETIME_SECONDS = 7200;
const SCOPES = 'https://api.ebay.com/oauth/api_scope';
const WRITE = `${SCOPES}/sell.fulfillment`;
const READ = `${SCOPES}/sell.fulfillment.readonly`;
/** Who it is for (`-` is the application itself), whether it may write, and until when. */
const ACCESS = /^v\^1\.1#(sandbox[\w-]*|-)#(w|r|a)#(\d+)$/;

/**
 * Issues tokens: client secrets and refresh tokens start with `sandbox`. An access token carries its seller and its end, so it
 * outlives a restart.
 */
export function issueToken(now: Clock): RequestHandler {
  return (request, response) => {
    if (!isClient(request)) return refuse(response, 401, 'invalid_client', 'client authentication failed');
    const form = new URLSearchParams(request.body);
    const scopes = (form.get('scope') ?? '').split(' ').filter(Boolean);
    switch (form.get('grant_type')) {
      case 'client_credentials':
        if (scopes.some((scope) => scope !== SCOPES)) return refuseScope(response);
        return grant(response, { seller: '-', right: 'a', now: now(), type: 'Application Access Token' });
      case 'refresh_token': {
        const seller = form.get('refresh_token') ?? '';
        if (!/^sandbox[\w-]*$/.test(seller)) {
          const words = 'the provided authorization refresh token is invalid or was issued to another client';
          return refuse(response, 400, 'invalid_grant', words);
        }
        // A seller with `readonly` in the token consented to reading only.
        const granted = seller.includes('readonly') ? [READ] : [READ, WRITE];
        if (scopes.some((scope) => !granted.includes(scope))) return refuseScope(response);
        const mayWrite = (scopes.length > 0 ? scopes : granted).includes(WRITE);
        return grant(response, { seller, right: mayWrite ? 'w' : 'r', now: now(), type: 'User Access Token' });
      }
      default:
        return refuse(response, 400, 'unsupported_grant_type', 'grant type in request is not supported');
    }
  };
}

function isClient(request: Request): boolean {
  const [scheme, encoded = ''] = (request.get('authorization') ?? '').split(' ');
  const [id, secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const isForm = Boolean(request.is('application/x-www-form-urlencoded'));
  return scheme === 'Basic' && isForm && Boolean(id) && secret?.startsWith('sandbox') === true;
}

function grant(response: Response, what: { seller: string; right: string; now: Date; type: string }): void {
  const until = what.now.getTime() + LIFETIME_SECONDS * 1000;
  response.json({
    access_token: `v^1.1#${what.seller}#${what.right}#${until}`,
    expires_in: LIFETIME_SECONDS,
    token_type: what.type,
  });
}

function refuseScope(response: Response): void {
  const words = 'The requested scope is invalid, unknown, malformed, or exceeds the scope granted to the client';
  refuse(response, 400, 'invalid_scope', words);
}

function refuse(response: Response, status: number, error: string, error_description: string): void {
  response.status(status).json({ error, error_description });
}

/** Requires a token: `read` and `write` are a seller's; `application` is for data that has no seller. */
export function requireToken(now: Clock, right: 'read' | 'write' | 'application'): RequestHandler {
  return (request, response, next) => {
    const [scheme = '', token] = (request.get('authorization') ?? '').split(' ');
    if (scheme === '') return deny(response, 400, [1002, 'Missing access token']);
    if (scheme !== 'Bearer' || token === undefined) {
      return deny(response, 400, [1003, `Token type in the Authorization header is invalid:${scheme}`]);
    }
    const [, seller = '', has, until] = ACCESS.exec(token) ?? [];
    if (has === undefined || Number(until) <= now().getTime())
      return deny(response, 401, [1001, 'Invalid access token']);
    if (right === 'application' ? has !== 'a' : has === 'a' || (right === 'write' && has !== 'w')) {
      return deny(response, 403, [1100, 'Insufficient permissions to fulfill the request.']);
    }
    if (seller.includes('throttled')) {
      const message = 'The request limit has been reached for the resource.';
      return sendError(response, 429, { errorId: 2001, message, domain: 'ACCESS' });
    }
    response.locals.seller = seller;
    next();
  };
}

/** Returns true for a refresh token with `suspended` in it, whose seller may not sell any more. */
export function isSuspended(response: Response): boolean {
  return String(response.locals.seller).includes('suspended');
}

function deny(response: Response, status: number, [errorId, message]: [number, string]): void {
  sendError(response, status, { errorId, message, domain: 'OAuth' });
}
