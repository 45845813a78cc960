import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { Problem } from '../../lib/errors.ts';
import type { Metrics } from '../metrics.ts';
import type { KeyGuard } from './key-guard.ts';

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

/** Finds the company by the API key. Nothing else in the request chooses the company. */
export function identify(guard: KeyGuard) {
  return (request: Request, response: Response, next: NextFunction) => {
    const key = request.get('x-api-key');
    const refuse = (): void =>
      next(
        new Problem('The header x-api-key must hold a valid key', {
          status: 401,
          code: 'key-refused',
          title: 'Unauthorized',
        }),
      );
    if (!key) return refuse();
    guard.identify(key, request.ip ?? '').then((found) => {
      if (!found) return refuse();
      response.locals.companyId = found.companyId;
      response.locals.keyId = found.keyId;
      next();
    }, next);
  };
}

export function limitRate(limiter: RateLimiterAbstract) {
  return (_request: Request, response: Response, next: NextFunction) => {
    limiter.consume(String(response.locals.keyId)).then(
      (state) => {
        response.setHeader(
          'RateLimit',
          `"default";r=${state.remainingPoints};t=${Math.ceil(state.msBeforeNext / 1000)}`,
        );
        response.setHeader('RateLimit-Policy', `"default";q=${limiter.points};w=60`);
        next();
      },
      (state: unknown) => {
        // While the limiter's store is unavailable, requests pass.
        if (state instanceof Error) return next();
        const seconds = Math.ceil((state as { msBeforeNext: number }).msBeforeNext / 1000);
        const headers = {
          'Retry-After': String(seconds),
          RateLimit: `"default";r=0;t=${seconds}`,
          'RateLimit-Policy': `"default";q=${limiter.points};w=60`,
        };
        next(
          new Problem('Too many requests', {
            status: 429,
            code: 'too-many-requests',
            title: 'Too many requests',
            retryable: true,
            headers,
          }),
        );
      },
    );
  };
}
