import type { Em } from '../db/orm.ts';
import type { AttemptOperation } from '../domain/attempt.ts';
import { endOfFailedWrite, type WriteEnd } from '../domain/failed-write.ts';
import type { FailureKind, IntegrationError } from '../lib/errors.ts';
import { afterCall } from '../queue/retry.ts';
import { endFailedAttempt, hasUnknownAttempt, ruleOutAttempts } from './attempts.ts';

export type WriteOperation = Exclude<AttemptOperation, 'create' | 'resolve'>;

/** Completes the sentence "Unknown whether …". */
const DONE: Record<WriteOperation | 'cancel-pickup' | 'book-pickup', string> = {
  transmit: 'the shipment was confirmed to the carrier',
  cancel: 'the shipment was cancelled',
  release: 'the release was carried out, so watch the tracking before repeating it',
  send: 'the marketplace has the shipment',
  'book-pickup': 'the pickup was booked, so ask the carrier',
  'cancel-pickup': 'the pickup was cancelled, so ask the carrier',
};

/** Operations that are not idempotent: a second release is billed, and a second pickup sends a second courier. */
const ONCE: readonly (keyof typeof DONE)[] = ['release', 'book-pickup'];

export interface Conclusion {
  error: IntegrationError;
  end: WriteEnd;
  /** Message for the client and the desk. */
  message: string;
  failureKind: FailureKind;
  /** Error for the queue. */
  reaction: Error;
}

interface FailedTry {
  error: IntegrationError;
  isLastTry: boolean;
}

/** Decides what a failed attempt of a write means, given the attempts before it. */
export function concludeTry(
  operation: keyof typeof DONE,
  { error, isLastTry, wasUnknown }: FailedTry & { wasUnknown: boolean },
): Conclusion {
  const isRepeatable = !ONCE.includes(operation);
  const end = endOfFailedWrite({ error, isLastTry, wasUnknown, isRepeatable });
  const message = end === 'unknown' ? `Unknown whether ${DONE[operation]}: ${error.message}` : error.message;
  const isFinal = (end === 'failed' && error.kind === 'permanent') || (end === 'unknown' && !isRepeatable);
  return {
    error,
    end,
    message,
    failureKind: end === 'unknown' ? 'unknown-outcome' : error.kind,
    // After the last attempt the job stays in the failed set, where operators can retry it.
    reaction: afterCall(error, isFinal),
  };
}

/** Ends the attempt of a failed write on a shipment. Returns what the failure means, given the attempts before it. */
export async function concludeAttempt(
  tx: Em,
  failed: FailedTry & { operation: WriteOperation; shipmentId: number; attemptId: number },
): Promise<Conclusion> {
  const { error, operation, shipmentId } = failed;
  const wasUnknown = await hasUnknownAttempt(tx, { shipmentId, operation, exceptId: failed.attemptId });
  await endFailedAttempt(tx, failed.attemptId, error);
  if (error.kind === 'permanent' && error.isAuthoritative) await ruleOutAttempts(tx, { shipmentId, operation });
  return concludeTry(operation, { ...failed, wasUnknown });
}
