import type { ErrorRequestHandler, Response } from 'express';
import type { z } from 'zod';
import { isDatabaseAway } from '../../lib/database-away.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { Problem, type Violation } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import '../../lib/validation-words.ts';

/** Sends an RFC 9457 answer. */
export function sendProblem(response: Response, problem: Problem): void {
  response
    .status(problem.status)
    .set(problem.headers)
    .type('application/problem+json')
    .send(
      JSON.stringify({
        type: `urn:smista:problem:${problem.code}`,
        title: problem.title,
        status: problem.status,
        detail: problem.message,
        code: problem.code,
        source: problem.source,
        retryable: problem.retryable,
        requestId: response.locals.requestId ?? '',
        ...problem.extra,
        ...(problem.violations.length > 0 ? { violations: problem.violations } : {}),
      }),
    );
}

/** Every fault of a zod error as a JSON pointer into the part of the request it was found in. */
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

/** The first faults in words; all of them are in `violations`. */
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

/** What Express and its body reader refuse: a path that cannot be decoded, or bytes that are not what they say. */
function unreadable(error: unknown): Violation {
  return error instanceof URIError
    ? { in: 'path', pointer: '', message: 'must be percent-encoded UTF-8' }
    : { in: 'body', pointer: '', message: 'must arrive whole and in its Content-Encoding' };
}

/** A 503 that the client should repeat. */
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

/** The last middleware: whatever was thrown becomes a problem; only a fault of ours is a 500. */
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
    if (isDatabaseAway(error)) {
      log.error({ err: error }, 'database away');
      return sendProblem(response, notReady('The database cannot be reached at the moment'));
    }
    log.error(
      { err: error, method: request.method, path: request.path, requestId: response.locals.requestId },
      'request failed',
    );
    sendProblem(
      response,
      new Problem('Something is wrong on our side; the request id finds it in the log', {
        status: 500,
        code: 'internal',
        title: 'Internal error',
        source: 'platform',
      }),
    );
  };
}
