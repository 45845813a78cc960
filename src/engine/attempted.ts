import type { Shipment } from '../db/entities/index.ts';
import { systemEm } from '../db/orm.ts';
import { IntegrationError } from '../lib/errors.ts';
import { beginAttempt, endAttempt, endFailedAttempt } from './attempts.ts';
import type { Deps } from './deps.ts';

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
