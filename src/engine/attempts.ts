import { type Shipment, ShipmentAttempt } from '../db/entities/index.ts';
import type { Em } from '../db/orm.ts';
import { intArray, textArray } from '../db/queries/sql.ts';
import type { AttemptOperation, AttemptOutcome } from '../domain/attempt.ts';
import type { IntegrationError } from '../lib/errors.ts';

/**
 * Puts an attempt on record before the partner is called. Answers its id. One run at a time may call, so an earlier one of the same
 * operation without an end lost its worker: nobody knows what became of it, unless it comes back and says so.
 */
export async function beginAttempt(
  em: Em,
  shipment: Shipment,
  attempt: { operation: AttemptOperation; number: number; requestId: string },
): Promise<number> {
  await loseAttempts(
    em,
    [shipment.id],
    ROW_OPERATIONS.includes(attempt.operation) ? ROW_OPERATIONS : [attempt.operation],
  );
  const id = await em.insert(ShipmentAttempt, {
    companyId: shipment.companyId,
    shipmentId: shipment.id,
    reference: shipment.reference ?? '',
    ...attempt,
  });
  return Number(id);
}

/** Operations that hold the row of their shipment: one of them at a time is under way. */
const ROW_OPERATIONS: readonly AttemptOperation[] = ['create', 'transmit', 'cancel'];

/** Whoever takes a shipment over ends what still runs on it: its worker is lost. */
export async function loseAttempts(
  em: Em,
  shipmentIds: readonly number[],
  operations: readonly AttemptOperation[] = ROW_OPERATIONS,
): Promise<void> {
  await em.execute(
    `update shipment_attempts set result = 'unknown', code = 'worker-lost', ended_at = now()
      where shipment_id = any(?::int[]) and operation = any(?::text[]) and result = 'running'`,
    [intArray(shipmentIds), textArray(operations)],
  );
}

/** Code of an attempt of which a look-up found nothing: a conclusion, which the carrier's own late answer to it corrects. */
export const NEVER_SEEN = 'never-seen';
/** Code of an attempt whose answer was lost, after which the partner said that it was not done: a conclusion too. */
export const RULED_OUT = 'ruled-out';
/** Outcomes that the partner's own late answer puts right. */
export const CONCLUSIONS: readonly string[] = [NEVER_SEEN, RULED_OUT];

export interface AttemptEnd {
  outcome: Exclude<AttemptOutcome, 'running'>;
  code?: string;
  message?: string;
  isLookUp?: boolean;
}

/**
 * Attempts are never deleted; what became of them is added. What is known is not overwritten by a run that knows less: only the
 * partner's own late answer to the attempt says yes where something else had concluded a no. Of two look-ups (`isLookUp`) the first stands.
 */
export async function endAttempt(em: Em, attemptId: number, end: AttemptEnd): Promise<void> {
  const mayCorrect = end.outcome === 'succeeded' && !end.isLookUp;
  await em.execute(
    `update shipment_attempts set result = ?, code = ?, message = ?, ended_at = now()
      where id = ? and (result in ('running', 'unknown') or (? and code = any(?::text[])))`,
    [end.outcome, end.code ?? null, end.message ?? null, attemptId, mayCorrect, textArray(CONCLUSIONS)],
  );
}

/** Ends an attempt whose call failed: a lost answer leaves it unknown. */
export async function endFailedAttempt(em: Em, attemptId: number, error: IntegrationError): Promise<void> {
  const outcome = error.kind === 'unknown-outcome' ? 'unknown' : 'failed';
  await endAttempt(em, attemptId, { outcome, code: error.code, message: error.message });
}

/** Ends an attempt whose answer was lost by what a look-up found, or did not find. */
export async function endLookedUp(em: Em, attemptId: number, code: 'taken-back' | typeof NEVER_SEEN): Promise<void> {
  await endAttempt(em, attemptId, { outcome: code === NEVER_SEEN ? 'failed' : 'succeeded', code, isLookUp: true });
}

export async function lastAttempt(
  em: Em,
  shipmentId: number,
  operation: AttemptOperation,
): Promise<ShipmentAttempt | null> {
  return em.findOne(ShipmentAttempt, { shipmentId, operation }, { orderBy: { id: 'desc' } });
}

/** Whether an earlier try may have been carried out unseen, since one succeeded or a person decided. */
export async function hasUnknownAttempt(
  em: Em,
  { shipmentId, operation, exceptId = 0 }: { shipmentId: number; operation: AttemptOperation; exceptId?: number },
): Promise<boolean> {
  const rows = await em.execute<{ id: number }[]>(
    `select id from shipment_attempts
      where shipment_id = ? and operation = ? and result in ('unknown', 'running') and id <> ?
        and id > coalesce((select max(id) from shipment_attempts where shipment_id = ?
                            and (operation = 'resolve' or (operation = ? and result = 'succeeded'))), 0) limit 1`,
    [shipmentId, operation, exceptId, shipmentId, operation],
  );
  return rows.length > 0;
}

/** The partner has stated that it did not do it: tries whose answers were lost did not succeed either. */
export async function ruleOutAttempts(
  em: Em,
  { shipmentId, operation }: { shipmentId: number; operation: AttemptOperation },
): Promise<void> {
  await em.execute(
    `update shipment_attempts set result = 'failed', code = ?, ended_at = now()
      where shipment_id = ? and operation = ? and result = 'unknown'`,
    [RULED_OUT, shipmentId, operation],
  );
}
