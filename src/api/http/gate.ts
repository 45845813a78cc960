import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { covers, type Scope } from '../../domain/scopes.ts';
import type { Deps } from '../../engine/deps.ts';
import { isWithin } from '../../lib/address-ranges.ts';
import { Problem } from '../../lib/errors.ts';
import type { Metrics } from '../metrics.ts';
import type { KeyGuard } from './key-guard.ts';
import { accessOf, personOf } from './login.ts';
import { type Points, pointHeaders } from './points.ts';

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
export function identify(guard: KeyGuard, deps: Pick<Deps, 'orm' | 'now'>) {
  return (request: Request, response: Response, next: NextFunction) => {
    const allow = (access: { companyId: number; scopes: readonly string[] }): void => {
      Object.assign(response.locals, { companyId: access.companyId, scopes: access.scopes });
      next();
    };
    const key = request.get('x-api-key');
    if (key) {
      guard.identify(key, request.ip ?? '').then((found) => {
        if (!found) return next(keyRefused());
        if (!isWithin(found.addressRanges, request.ip ?? '')) return next(wrongAddress());
        response.locals.keyId = found.keyId;
        allow(found);
      }, next);
      return;
    }
    personOf(deps, request)
      .then(async (person) => {
        if (!person) throw keyRefused();
        response.locals.userId = person.userId;
        allow(await accessOf(deps, person, request.get('X-Company')));
      })
      .catch(next);
  };
}

/** Returns the 401 of a request without a valid key or session. */
export function keyRefused(): Problem {
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

/** Returns the 403 of a key that is used from elsewhere. */
export function wrongAddress(): Problem {
  return new Problem('The key is not for this address', {
    status: 403,
    code: 'address-not-allowed',
    title: 'Forbidden',
  });
}
