import type { Request, RequestHandler, Response } from 'express';
import type { Clock } from '../../clock.ts';
import { sendErrors } from './answers.ts';

const LIFETIME_SECONDS = 3600;
const REFRESH = /^Atzr\|(sandbox[\w-]*)$/;
const ACCESS = /^Atza\|(sandbox[\w-]*)\.(\d+)$/;

/**
 * Issues tokens of Login with Amazon: secrets start with `sandbox`. An access token carries its seller and its end, so it
 * outlives a restart.
 */
export function issueToken(now: Clock): RequestHandler {
  return (request, response) => {
    const asked = fieldsOf(request);
    if (asked.grant_type !== 'refresh_token') {
      return refuse(response, 400, 'unsupported_grant_type', 'The authorization grant type is not supported');
    }
    if (!asked.client_id || !asked.client_secret?.startsWith('sandbox')) {
      return refuse(response, 401, 'invalid_client', 'Client authentication failed');
    }
    const [, seller] = REFRESH.exec(asked.refresh_token ?? '') ?? [];
    if (seller === undefined) {
      return refuse(response, 400, 'invalid_grant', 'The request has an invalid grant parameter : refresh_token');
    }
    response.json({
      access_token: `Atza|${seller}.${now().getTime() + LIFETIME_SECONDS * 1000}`,
      refresh_token: asked.refresh_token,
      token_type: 'bearer',
      expires_in: LIFETIME_SECONDS,
    });
  };
}

function refuse(response: Response, status: number, error: string, error_description: string): void {
  response.status(status).json({ error, error_description });
}

/** JSON or a form. */
function fieldsOf(request: Request): Record<string, string | undefined> {
  try {
    return JSON.parse(request.body);
  } catch {
    return Object.fromEntries(new URLSearchParams(request.body));
  }
}

export function requireToken(now: Clock): RequestHandler {
  return (request, response, next) => {
    const given = request.get('x-amz-access-token');
    if (given === undefined) return deny(response, 'Access token is missing in the request header.');
    const [, seller, end] = ACCESS.exec(given) ?? [];
    if (seller === undefined) return deny(response, 'The access token you provided is revoked, malformed or invalid.');
    if (Number(end) <= now().getTime()) return deny(response, 'The access token you provided has expired.');
    response.locals.seller = seller;
    next();
  };
}

export function sellerOf(response: Response): string {
  return String(response.locals.seller);
}

/** A seller whose refresh token has `readonly` in it gave the application no role to write. */
export const requireWriteRole: RequestHandler = (_request, response, next) => {
  if (sellerOf(response).includes('readonly')) deny(response);
  else next();
};

/** Returns false for a token with `no-pii` in it, which lacks the role for names and addresses. */
export function mayReadPersons(response: Response): boolean {
  return !sellerOf(response).includes('no-pii');
}

function deny(response: Response, details = ''): void {
  sendErrors(response, 403, { code: 'Unauthorized', message: 'Access to requested resource is denied.', details });
}
