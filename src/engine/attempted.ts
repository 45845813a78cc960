import type { Shipment } from '../db/entities/index.ts';
import { type Em, systemEm } from '../db/orm.ts';
import { IntegrationError } from '../lib/errors.ts';
import { beginAttempt, endAttempt, endFailedAttempt } from './attempts.ts';
import type { Deps } from './deps.ts';

/** One try of a job at a write: a short transaction, the call, a short transaction. */
export interface Steps<Claim, Answer> {
  /** Takes the row under a fencing number; null: there is nothing to call for. */
  claim(tx: Em): Promise<Claim | null>;
  /** Calls the partner, outside of any transaction. `claimedAt`, in epoch milliseconds, is where the lease of the claim begins. */
  call(claim: Claim, claimedAt: number): Promise<Answer>;
  settle(tx: Em, claim: Claim, answer: Answer): Promise<void>;
  /** Settles a failed call, or gives the row back for the next try. Returns the error that the queue gets. */
  fail(tx: Em, claim: Claim, error: IntegrationError): Promise<Error>;
}

/**
 * Claims, calls and settles. Throws for the queue: the error of `fail`, or our own fault as it is, which leaves the row claimed until the
 * sweep frees it.
 */
export async function tryOnce<Claim, Answer>(deps: Pick<Deps, 'orm'>, steps: Steps<Claim, Answer>): Promise<void> {
  const em = systemEm(deps.orm);
  const claimedAt = Date.now();
  const claim = await em.transactional((tx) => steps.claim(tx));
  if (claim === null) return;
  let answer: Answer;
  try {
    answer = await steps.call(claim, claimedAt);
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    throw await em.transactional((tx) => steps.fail(tx, claim, error));
  }
  await em.transactional((tx) => steps.settle(tx, claim, answer));
}

/**
 * Takes a label back under an attempt of its own, for a run that holds the shipment already. Throws the call's error: only the caller
 * knows what it means.
 */
export async function takeBackOnRecord(
  deps: Pick<Deps, 'orm'>,
  held: { shipment: Shipment; attempt: number; requestId: string },
  call: (attemptId: number) => Promise<void>,
): Promise<void> {
  const em = systemEm(deps.orm);
  const { shipment, attempt: number, requestId } = held;
  const attemptId = await beginAttempt(em, shipment, { operation: 'cancel', number, requestId });
  try {
    await call(attemptId);
  } catch (error) {
    if (error instanceof IntegrationError) await endFailedAttempt(em, attemptId, error);
    throw error;
  }
  await endAttempt(em, attemptId, { outcome: 'yes' });
}
