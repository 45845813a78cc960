import type { NextFunction, Request, Response } from 'express';
import type { FindCompany } from '../../engine/find.ts';
import { Problem } from '../../lib/errors.ts';
import { Semaphore } from '../../lib/semaphore.ts';

/** Requests of a company that may wait for a permit. */
const MAX_WAITING = 200;
/** Bytes of request bodies of a company in memory at a time. */
const MAX_BODIES = 32 * 1024 * 1024;

/** Limits the requests of each company that a process works on at a time, so that one company cannot take every connection. */
export class Permits {
  readonly #company: FindCompany;
  readonly #defaultLimit: number;
  readonly #semaphores = new Map<number, { limit: number; semaphore: Semaphore }>();

  constructor({ company, defaultLimit }: { company: FindCompany; defaultLimit: number }) {
    this.#company = company;
    this.#defaultLimit = defaultLimit;
  }

  async limitOf(companyId: number): Promise<number> {
    return (await this.#company(companyId))?.settings.limits?.concurrentRequests ?? this.#defaultLimit;
  }

  /**
   * Waits for a permit. Returns the function that gives it back, which may be called again. Throws a 429 when too many
   * requests of the company wait already.
   */
  async acquire(companyId: number): Promise<() => void> {
    const semaphore = await this.#semaphoreOf(companyId);
    if (semaphore.waiting >= MAX_WAITING) throw tooManyAtOnce('Too many requests at once: send fewer at a time');
    return semaphore.acquire();
  }

  async #semaphoreOf(companyId: number): Promise<Semaphore> {
    const limit = await this.limitOf(companyId);
    const known = this.#semaphores.get(companyId);
    if (known?.limit === limit) return known.semaphore;
    const semaphore = new Semaphore(limit);
    this.#semaphores.set(companyId, { limit, semaphore });
    return semaphore;
  }
}

/** Limits the request bodies of each company in memory. A body without a length counts as the longest one. */
export function limitBodies({ maxBody }: { maxBody: number }) {
  const held = new Map<number, number>();
  return (request: Request, response: Response, next: NextFunction) => {
    const companyId = response.locals.companyId as number;
    const bytes = bodyBytes(request, maxBody);
    const total = (held.get(companyId) ?? 0) + bytes;
    if (bytes > 0 && total > MAX_BODIES) {
      return next(tooManyAtOnce('Too many large requests at once: send fewer at a time'));
    }
    if (bytes > 0) {
      held.set(companyId, total);
      response.once('close', () => {
        const left = (held.get(companyId) ?? 0) - bytes;
        if (left > 0) held.set(companyId, left);
        else held.delete(companyId);
      });
    }
    next();
  };
}

/** A longer body is refused later, before it is in memory. */
function bodyBytes(request: Request, maxBody: number): number {
  const length = request.headers['content-length'];
  if (length !== undefined) return Math.min(Number(length), maxBody);
  return request.headers['transfer-encoding'] === undefined ? 0 : maxBody;
}

function tooManyAtOnce(detail: string): Problem {
  return new Problem(detail, {
    status: 429,
    code: 'too-many-at-once',
    title: 'Too many requests at once',
    retryable: true,
    headers: { 'Retry-After': '1' },
  });
}
