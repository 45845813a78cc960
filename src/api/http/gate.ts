import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { covers, type Scope } from '../../domain/scopes.ts';
import type { Deps } from '../../engine/deps.ts';
import { isWithin } from '../../lib/address-ranges.ts';
import { Problem } from '../../lib/errors.ts';
import type { Person } from '../../usecases/people/sessions.ts';
import type { Identity } from '../../usecases/setup/api-keys.ts';
import type { Metrics } from '../metrics.ts';
import { noteForAudit, noteKey } from './audit.ts';
import { accessOf, personOf } from './login.ts';
import { type Points, pointHeaders } from './points.ts';
import type { Guards } from './secret-guard.ts';

const REQUEST_ID = /^[\w.:-]{1,100}$/;

/** Sets the request id for logs, jobs and exchanges: the client's own, else a new one. */
export function requestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.get('X-Request-Id');
  const id = given && REQUEST_ID.test(given) ? given : randomUUID();
  response.locals.requestId = id;
  response.setHeader('X-Request-Id', id);
  next();
}

export function observe(metrics: Metrics) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const started = performance.now();
    response.on('finish', () => {
      const route = typeof response.locals.route === 'string' ? response.locals.route : 'other';
      metrics.observeRequest(
        { method: request.method, route, status: response.statusCode },
        (performance.now() - started) / 1000,
      );
    });
    next();
  };
}

/**
 * Finds the company and what may be done with it: by the API key, else by the session of a person. Refuses an address that the key is
 * not for.
 */
export function identify(guards: Guards, deps: Pick<Deps, 'orm'>) {
  return (request: Request, response: Response, next: NextFunction) => {
    const allow = (access: { companyId: number; scopes: readonly string[] }): void => {
      Object.assign(response.locals, { companyId: access.companyId, scopes: access.scopes });
      noteForAudit(request, { company: { id: access.companyId } });
      next();
    };
    askerOf(guards, request)
      .then(async (asker) => {
        if ('key' in asker) {
          response.locals.keyId = asker.key.keyId;
          return allow(asker.key);
        }
        response.locals.userId = asker.person.userId;
        allow(await accessOf(deps, asker.person, request.get('X-Company')));
      })
      .catch(next);
  };
}

/** Returns the owner of the key of a request, else the person of its session. Throws a `Problem` for neither, and for a key from elsewhere. */
export async function askerOf(guards: Guards, request: Request): Promise<{ key: Identity } | { person: Person }> {
  const key = request.get('x-api-key');
  if (!key) {
    const person = await personOf(guards.sessions, request);
    if (!person) throw keyRefused();
    return { person };
  }
  const address = request.ip ?? '';
  const found = await guards.keys.identify(key, address);
  if (!found) throw keyRefused();
  noteKey(request, found);
  if (!isWithin(found.addressRanges, address)) throw wrongAddress();
  return { key: found };
}

function keyRefused(): Problem {
  return new Problem('The header x-api-key must hold a valid key', {
    status: 401,
    code: 'key-refused',
    title: 'Unauthorized',
  });
}

/** Spends the point of a request, before its body is read. */
export function spendPoint(points: Points) {
  return (_request: Request, response: Response, next: NextFunction) => {
    points.spend(response.locals.companyId as number, 1).then((balance) => {
      if (balance) response.set(pointHeaders(balance));
      next();
    }, next);
  };
}

/** Throws a 403 when the key or the person of the request has not the scope that its route needs. */
export function requireScope(response: Response, scope: Scope | null): void {
  if (scope === null || covers(response.locals.scopes as readonly string[], scope)) return;
  const detail = response.locals.userId
    ? `Your role does not include ${scope}: ask an admin`
    : `The key has not the scope ${scope}: use another key`;
  throw new Problem(detail, {
    status: 403,
    code: 'missing-scope',
    title: 'Forbidden',
    extra: { scope },
  });
}

function wrongAddress(): Problem {
  return new Problem('The key is not for this address', {
    status: 403,
    code: 'address-not-allowed',
    title: 'Forbidden',
  });
}
