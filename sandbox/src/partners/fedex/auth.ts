import type { NextFunction, Request, RequestHandler, Response, Router } from 'express';
import { systemClock } from '../../clock.ts';
import { FORBIDDEN, no, send, UNAUTHORISED } from './answers.ts';

const LIFETIME_SECONDS = 3599;
type Project = 'shipping' | 'tracking';

/** Returns the project of a secret key by its beginning; null when it has none. */
function projectOf(secret: string): Project | null {
  if (secret.startsWith('sandbox-track')) return 'tracking';
  return secret.startsWith('sandbox') ? 'shipping' : null;
}

/** Tokens carry their project and their end, so that they outlive a restart. They live in real time, whatever the parcels' clock says. */
export function addToken(router: Router): void {
  router.post('/oauth/token', (request, response) => {
    const form = new URLSearchParams(request.body);
    if (form.get('grant_type') !== 'client_credentials') {
      return void send(
        response,
        no('BAD.REQUEST.ERROR', 'Missing or duplicate parameters. Please modify your request and try again.'),
      );
    }
    const project = projectOf(form.get('client_secret') ?? '');
    if (!form.get('client_id') || !project) {
      return void send(
        response,
        no(
          'NOT.AUTHORIZED.ERROR',
          'The given client credentials were not valid. Please modify your request and try again.',
          401,
        ),
      );
    }
    response.json({
      access_token: `${project}.${systemClock().getTime() + LIFETIME_SECONDS * 1000}`,
      token_type: 'bearer',
      expires_in: LIFETIME_SECONDS,
      scope: 'CXS',
    });
  });
}

/** Checks the token of a project: the Track API has its own, and neither takes the other's tokens. */
export function checkToken(project: Project): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const [, named, end] = /^Bearer (\w+)\.(\d+)$/.exec(request.get('authorization') ?? '') ?? [];
    if (end === undefined || Number(end) <= systemClock().getTime()) send(response, UNAUTHORISED);
    else if (named !== project) send(response, FORBIDDEN);
    else next();
  };
}
