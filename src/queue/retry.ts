import { UnrecoverableError } from 'bullmq';

const MAX_BACKOFF_MS = 300_000;

/** Asks the queue to retry, after the pause that the partner asked for. */
export class RetryLater extends Error {
  readonly afterMs: number | undefined;

  constructor(message: string, afterMs?: number) {
    super(message);
    this.name = 'RetryLater';
    this.afterMs = afterMs;
  }
}

/** Tells the queue never to retry this job by itself. A person still may, from Bull Board. */
export function giveUp(message: string): Error {
  return new UnrecoverableError(message);
}

export function isGivenUp(error: Error): boolean {
  return error instanceof UnrecoverableError;
}

/** Returns the backoff in milliseconds: exponential with equal jitter, and at least the partner's Retry-After. */
export function backoffMs(attemptsMade: number, error: unknown, baseMs: number): number {
  const ceiling = Math.min(MAX_BACKOFF_MS, baseMs * 2 ** Math.max(0, attemptsMade - 1));
  const jittered = ceiling / 2 + Math.random() * (ceiling / 2);
  const asked = error instanceof RetryLater ? (error.afterMs ?? 0) : 0;
  return Math.round(Math.max(jittered, asked));
}
