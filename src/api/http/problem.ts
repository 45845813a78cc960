import type { ErrorRequestHandler, Response } from 'express';
import type { z } from 'zod';
import { isDatabaseAway, isPoolFull } from '../../lib/database-away.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { Problem, type Violation } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import '../../lib/validation-words.ts';

/** Sends a problem (RFC 9457). */
export function sendProblem(response: Response, problem: Problem): void {
  response.locals.code = problem.code;
  response
    .status(problem.status)
    .set(problem.headers)
    .type('application/problem+json')
    .send(JSON.stringify(problemFields(problem, response.locals.requestId ?? '')));
}

/** Returns the JSON of a problem. */
export function problemFields(problem: Problem, requestId: string) {
  return {
    type: `urn:smista:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    source: problem.source,
    retryable: problem.retryable,
    requestId,
    ...problem.extra,
    ...(problem.violations.length > 0 ? { violations: problem.violations } : {}),
  };
}

/** Lists all faults of a zod error, each with a JSON pointer into its part of the request. */
export function violationsOf(error: z.ZodError, where: Violation['in']): Violation[] {
  return error.issues.map((issue) => ({
    in: where,
    pointer: issue.path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    message: issue.message,
  }));
}

export function badRequest(violations: Violation[]): Problem {
  const count = violations.length;
  return new Problem(`${count} invalid ${count === 1 ? 'field' : 'fields'}: ${summaryOf(violations)}`, {
    status: 400,
    code: 'invalid-request',
    title: 'Bad request',
    violations,
  });
}

/** Names the first faults; `violations` has all of them. */
function summaryOf(violations: readonly Violation[]): string {
  const named = violations
    .slice(0, 3)
    .map(({ in: where, pointer, message }) => `${pointer || `the ${where}`} ${message}`);
  return [...named, ...(violations.length > named.length ? ['…'] : [])].join('; ');
}

const BODY_PROBLEMS: Record<number, { code: string; title: string }> = {
  400: { code: 'invalid-request', title: 'Bad request' },
  413: { code: 'too-large', title: 'Content too large' },
  415: { code: 'unsupported-type', title: 'Unsupported media type' },
};

/** Express refuses a path that it cannot decode; its body reader refuses bytes that contradict their headers. */
function unreadable(error: unknown): Violation {
  return error instanceof URIError
    ? { in: 'path', pointer: '', message: 'must be percent-encoded UTF-8' }
    : { in: 'body', pointer: '', message: 'must be complete and match its Content-Encoding' };
}

/** Returns a 503 that the client should retry. */
export function notReady(detail: string): Problem {
  return new Problem(detail, {
    status: 503,
    code: 'not-ready',
    title: 'Not ready',
    source: 'platform',
    retryable: true,
    headers: { 'Retry-After': '5' },
  });
}

/** Returns a 503 for a process that has more to do than it can. */
export function busy(): Problem {
  return new Problem('The service is busy: repeat the request', {
    status: 503,
    code: 'busy',
    title: 'Busy',
    source: 'platform',
    retryable: true,
    headers: { 'Retry-After': '2' },
  });
}

/** Turns every thrown error into a problem, as the last middleware. Only our own faults become a 500. */
export function problemHandler(log: Log, onDiskFull: () => void): ErrorRequestHandler {
  return (error, request, response, next) => {
    if (response.headersSent) return next(error);
    if (error instanceof Problem) return sendProblem(response, error);
    const status = (error as { status?: unknown }).status;
    if (typeof status === 'number' && status >= 400 && status < 500) {
      const known = BODY_PROBLEMS[status] ?? { code: 'invalid-request', title: 'Bad request' };
      const violations = status === 400 ? [unreadable(error)] : [];
      return sendProblem(response, new Problem('The request could not be read', { status, ...known, violations }));
    }
    if (isDiskFull(error)) {
      log.error({ err: error }, 'disk full');
      onDiskFull();
      return sendProblem(response, notReady('The disk is full: nothing can be written at the moment'));
    }
    if (isPoolFull(error)) {
      log.warn({ err: error }, 'database connections used up');
      return sendProblem(response, busy());
    }
    if (isDatabaseAway(error)) {
      log.error({ err: error }, 'database unavailable');
      return sendProblem(response, notReady('The database cannot be reached at the moment'));
    }
    log.error(
      { err: error, method: request.method, path: request.path, requestId: response.locals.requestId },
      'request failed',
    );
    sendProblem(
      response,
      new Problem('Internal error: search the log for the request id', {
        status: 500,
        code: 'internal',
        title: 'Internal error',
        source: 'platform',
      }),
    );
  };
}
