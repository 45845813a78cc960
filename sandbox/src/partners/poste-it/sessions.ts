import type { NextFunction, Request, Response } from 'express';
import { jsonOf } from '../../body.ts';
import { systemClock } from '../../clock.ts';
import { SessionRequest } from './protocol.ts';

const LIFE_SECONDS = 3599;
const MARK = 'sbx';

/** Logins live in real time, whatever the parcels' clock says. */
function tokenFor(clientId: string): string {
  const expiresAt = systemClock().getTime() + LIFE_SECONDS * 1000;
  return `${MARK}.${Buffer.from(`${clientId}|${expiresAt}`).toString('base64url')}`;
}

function isGood(token: string, clientId: string): boolean {
  const [mark, content = ''] = token.split('.');
  const [owner, expiresAt = '0'] = Buffer.from(content, 'base64url').toString('utf8').split('|');
  return mark === MARK && owner === clientId && Number(expiresAt) > systemClock().getTime();
}

export function openSession(request: Request, response: Response): void {
  const wanted = SessionRequest.safeParse(jsonOf(request.body));
  const { clientId = '', secretId = '' } = wanted.data ?? {};
  if (!wanted.success || !secretId.startsWith('sandbox') || request.get('POSTE_clientID') !== clientId) {
    response.status(401).json({
      error: 'unauthorized_client',
      error_description: 'The client is not authorized (sandbox)',
      error_codes: [700016],
    });
    return;
  }
  response.json({
    token_type: 'Bearer',
    expires_in: LIFE_SECONDS,
    ext_expires_in: LIFE_SECONDS,
    access_token: tokenFor(clientId),
  });
}

/** Sources disagree whether "Bearer" stands before the token: both are let in. How Poste words this refusal was not found. */
export function checkToken(request: Request, response: Response, next: NextFunction): void {
  const token = (request.get('authorization') ?? '').replace(/^Bearer /, '');
  if (isGood(token, request.get('POSTE_clientID') ?? '')) next();
  else response.status(401).json({ statusCode: 401, message: 'Access token is missing or invalid' });
}
