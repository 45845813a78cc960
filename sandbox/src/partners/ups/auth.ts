import type { NextFunction, Request, Response, Router } from 'express';
import { systemClock } from '../../clock.ts';
import { no, refuse, UNAUTHORISED } from './answers.ts';

const LIFETIME_SECONDS = 14_399;
const PREFIX = 'sandbox';

/** Tokens carry their own end, so that they outlive a restart. They live in real time, whatever the parcels' clock says. */
export function addToken(router: Router): void {
  router.post('/security/v1/oauth/token', (request, response) => {
    const [, encoded = ''] = /^Basic (\S+)$/.exec(request.get('authorization') ?? '') ?? [];
    const [clientId = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    if (clientId === '' || !secret.startsWith(PREFIX)) return void refuse(response, UNAUTHORISED);
    if (new URLSearchParams(request.body).get('grant_type') !== 'client_credentials') {
      return void refuse(response, no('10006', 'grant_type must be client_credentials'));
    }
    const now = systemClock().getTime();
    response.json({
      token_type: 'Bearer',
      issued_at: String(now),
      client_id: clientId,
      access_token: `${PREFIX}.${now + LIFETIME_SECONDS * 1000}`,
      expires_in: String(LIFETIME_SECONDS),
      status: 'approved',
    });
  });
}

export function checkToken(request: Request, response: Response, next: NextFunction): void {
  const [, prefix, end] = /^Bearer (\w+)\.(\d+)$/.exec(request.get('authorization') ?? '') ?? [];
  if (prefix === PREFIX && Number(end) > systemClock().getTime()) next();
  else refuse(response, UNAUTHORISED);
}
