import type { Shipment } from '../db/entities/index.ts';
import { type Em, systemEm } from '../db/orm.ts';
import { IntegrationError } from '../lib/errors.ts';
import { RetryLater } from '../queue/retry.ts';
import { type AttemptEnd, beginAttempt, endAttempt, endFailedAttempt } from './attempts.ts';
import { type Conclusion, concludeAttempt, type WriteOperation } from './conclude-failure.ts';
import type { Deps, JobContext } from './deps.ts';

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
  // One entity manager per transaction: what changed during the call must not be read from memory.
  const inTransaction = <Result>(work: (tx: Em) => Promise<Result>) => systemEm(deps.orm).transactional(work);
  const claimedAt = Date.now();
  const claim = await inTransaction((tx) => steps.claim(tx));
  if (claim === null) return;
  let answer: Answer;
  try {
    answer = await steps.call(claim, claimedAt);
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    throw await inTransaction((tx) => steps.fail(tx, claim, error));
  }
  await inTransaction((tx) => steps.settle(tx, claim, answer));
}

/** A shipment that a run holds for one write, with the attempt on record. */
export interface Attempt {
  shipment: Shipment;
  /** Fencing number. */
  fence: number;
  attemptId: number;
}

/** Puts an attempt on record, in the transaction of the claim. */
export type Begin = (shipment: Shipment, fence: number) => Promise<Attempt>;

/** A write on shipments; as `Steps`, with its attempts begun, ended and concluded by `attempted`. */
export interface AttemptedWrite<Claim, Answer> extends Pick<Steps<Claim, Answer>, 'call' | 'settle'> {
  operation: WriteOperation;
  claim(tx: Em, begin: Begin): Promise<Claim | null>;
  /**
   * Says how an attempt ended by the partner's answer; absent: every answer is a yes. An error is concluded as if the call had thrown it,
   * after the others of the same call were settled.
   */
  endOf?(answer: Answer, attempt: Attempt): AttemptEnd | IntegrationError;
  /** Settles a failed attempt, or gives its row back for the next try. */
  fail(tx: Em, attempt: Attempt, conclusion: Conclusion): Promise<void>;
}

/** Carries out a write whose attempts are on record before the call. Throws as `tryOnce` does. */
export async function attempted<Claim, Answer>(
  deps: Pick<Deps, 'orm'>,
  { requestId, isLastTry }: Pick<JobContext, 'requestId' | 'isLastTry'>,
  write: AttemptedWrite<Claim, Answer>,
): Promise<void> {
  const { operation } = write;
  const begun: Attempt[] = [];
  const refused = new Map<Attempt, IntegrationError>();
  const conclude = async (tx: Em, failed: typeof refused): Promise<Error | undefined> => {
    const reactions: Error[] = [];
    for (const [attempt, error] of failed) {
      const tried = { operation, shipmentId: attempt.shipment.id, attemptId: attempt.attemptId, error, isLastTry };
      const conclusion = await concludeAttempt(tx, tried);
      await write.fail(tx, attempt, conclusion);
      reactions.push(conclusion.reaction);
    }
    return reactions.find((reaction) => reaction instanceof RetryLater) ?? reactions[0];
  };
  await tryOnce<Claim, Answer>(deps, {
    claim: (tx) =>
      write.claim(tx, async (shipment, fence) => {
        const attemptId = await beginAttempt(tx, shipment, { operation, number: fence, requestId });
        const one = { shipment, fence, attemptId };
        begun.push(one);
        return one;
      }),
    call: (claim, claimedAt) => write.call(claim, claimedAt),
    async settle(tx, claim, answer) {
      for (const attempt of begun) {
        const end = write.endOf?.(answer, attempt) ?? { outcome: 'succeeded' };
        if (end instanceof IntegrationError) refused.set(attempt, end);
        else await endAttempt(tx, attempt.attemptId, end);
      }
      await write.settle(tx, claim, answer);
    },
    fail: async (tx, _claim, error) => (await conclude(tx, new Map(begun.map((one) => [one, error])))) ?? error,
  });
  if (refused.size === 0) return;
  const reaction = await systemEm(deps.orm).transactional((tx) => conclude(tx, refused));
  // What was answered is settled: only a try that is still due keeps the job.
  if (reaction instanceof RetryLater) throw reaction;
}

/**
 * Takes a label back under an attempt of its own, for a run that holds the shipment already. Throws the call's error: only the caller
 * knows what it means.
 */
export async function takeBackOnRecord(
  deps: Pick<Deps, 'orm'>,
  held: { shipment: Shipment; fence: number; requestId: string },
  call: (attemptId: number) => Promise<void>,
): Promise<void> {
  const em = systemEm(deps.orm);
  const { shipment, fence: number, requestId } = held;
  const attemptId = await beginAttempt(em, shipment, { operation: 'cancel', number, requestId });
  try {
    await call(attemptId);
  } catch (error) {
    if (error instanceof IntegrationError) await endFailedAttempt(em, attemptId, error);
    throw error;
  }
  await endAttempt(em, attemptId, { outcome: 'succeeded' });
}
