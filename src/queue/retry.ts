import { UnrecoverableError } from 'bullmq';
import { describeFailure, type IntegrationError } from '../lib/errors.ts';

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

/** Returns the queue's error for a failed call, in our own words, because the queue keeps them. A permanent failure is final by default. */
export function afterCall(error: IntegrationError, isFinal = error.kind === 'permanent'): Error {
  const message = describeFailure(error);
  return isFinal ? giveUp(message) : new RetryLater(message, error.retryAfterMs);
}

export function isGivenUp(error: Error): boolean {
  return error instanceof UnrecoverableError;
}

/** Tells whether the queue runs a failed job again by itself: after any error but a final one, while it has tries left. */
export function willRetry({ isLastTry }: { isLastTry: boolean }, error: unknown): boolean {
  return !isLastTry && !(error instanceof UnrecoverableError);
}

/** Returns the backoff in milliseconds: exponential with equal jitter, and at least the partner's Retry-After. */
export function backoffMs(attemptsMade: number, error: unknown, baseMs: number): number {
  const ceiling = Math.min(MAX_BACKOFF_MS, baseMs * 2 ** Math.max(0, attemptsMade - 1));
  const jittered = ceiling / 2 + Math.random() * (ceiling / 2);
  const asked = error instanceof RetryLater ? (error.afterMs ?? 0) : 0;
  return Math.round(Math.max(jittered, asked));
}
