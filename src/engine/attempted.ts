import type { Shipment } from '../db/entities/index.ts';
import { type Em, systemEm } from '../db/orm.ts';
import { lockShipments } from '../db/queries/move-shipments.ts';
import { IntegrationError } from '../lib/errors.ts';
import { RetryLater } from '../queue/retry.ts';
import { type AttemptEnd, beginAttempt, endAttempt, endFailedAttempt } from './attempts.ts';
import { type Conclusion, concludeAttempt, type WriteOperation } from './conclude-failure.ts';
import type { Deps, JobContext } from './deps.ts';

/** The steps of one write to a partner: a short transaction, the call, a short transaction. */
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
 * Claims, calls and settles. Throws for the queue: the error of `fail`, or our own fault unchanged. Our own fault leaves the row claimed
 * until the sweep frees it.
 */
export async function tryOnce<Claim, Answer>(deps: Pick<Deps, 'orm'>, steps: Steps<Claim, Answer>): Promise<void> {
  // One entity manager per transaction, because an identity map would hide changes made during the call.
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

/** A shipment that a run has claimed for one write, with its recorded attempt. */
export interface Attempt {
  shipment: Shipment;
  /** Fencing number. */
  fence: number;
  attemptId: number;
}

/** Records an attempt, in the transaction of the claim. */
export type Begin = (shipment: Shipment, fence: number) => Promise<Attempt>;

/** A write on shipments; as `Steps`, with its attempts begun, ended and concluded by `attempted`. */
export interface AttemptedWrite<Claim, Answer> extends Pick<Steps<Claim, Answer>, 'call' | 'settle'> {
  operation: WriteOperation;
  claim(tx: Em, begin: Begin): Promise<Claim | null>;
  /**
   * Reads how an attempt ended from the partner's answer; absent: every answer is a success. An error counts as if the call had thrown it,
   * after the others of the same call were settled.
   */
  endOf?(answer: Answer, attempt: Attempt): AttemptEnd | IntegrationError;
  /** Settles a failed attempt, or gives its row back for the next try. */
  fail(tx: Em, attempt: Attempt, conclusion: Conclusion): Promise<void>;
}

/** Runs a write whose attempts are recorded before the call. Throws the same errors as `tryOnce`. */
export async function attempted<Claim, Answer>(
  deps: Pick<Deps, 'orm'>,
  { requestId, isLastTry }: Pick<JobContext, 'requestId' | 'isLastTry'>,
  write: AttemptedWrite<Claim, Answer>,
): Promise<void> {
  const { operation } = write;
  const begun: Attempt[] = [];
  const refused = new Map<Attempt, IntegrationError>();
  /** Locks shipments before their attempts, as a claim does. The other order could deadlock with the claim of another run. */
  const lockBegun = (tx: Em): Promise<void> =>
    lockShipments(
      tx,
      begun.map(({ shipment }) => shipment.id),
    );
  const conclude = async (tx: Em, failed: typeof refused): Promise<Error | undefined> => {
    await lockBegun(tx);
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
      await lockBegun(tx);
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
  // Answered attempts are settled, so only an attempt that needs a retry keeps the job.
  if (reaction instanceof RetryLater) throw reaction;
}

/**
 * Cancels a label under an attempt of its own, for a run that has claimed the shipment already. Throws the call's error, because only
 * the caller knows its meaning.
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
