import { type Shipment, ShipmentAttempt } from '../db/entities/index.ts';
import type { Em } from '../db/orm.ts';
import { intArray, textArray } from '../db/queries/sql.ts';
import { type AttemptOperation, type AttemptOutcome, CONCLUSIONS, NEVER_SEEN, RULED_OUT } from '../domain/attempt.ts';
import type { IntegrationError } from '../lib/errors.ts';

/**
 * Records an attempt before the call and returns its id. Only one run at a time may call, so an earlier open attempt of the same operation
 * lost its worker. Its outcome is unknown, unless that worker comes back and reports it.
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

/** Operations that claim the row of their shipment, so only one of them runs at a time. */
const ROW_OPERATIONS: readonly AttemptOperation[] = ['create', 'transmit', 'cancel'];

/** Ends the running attempts of a shipment that another run takes over, because their worker is lost. */
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

export interface AttemptEnd {
  outcome: Exclude<AttemptOutcome, 'running'>;
  code?: string;
  message?: string;
  isLookUp?: boolean;
}

/**
 * Records the outcome of an attempt; attempts are never deleted. A run that knows less does not overwrite what is known.
 * After a concluded failure, only the partner's own late answer changes the outcome. If two look-ups (`isLookUp`) differ, the first wins.
 */
export async function endAttempt(em: Em, attemptId: number, end: AttemptEnd): Promise<void> {
  const mayCorrect = end.outcome === 'succeeded' && !end.isLookUp;
  await em.execute(
    `update shipment_attempts set result = ?, code = ?, message = ?, ended_at = now()
      where id = ? and (result in ('running', 'unknown') or (? and code = any(?::text[])))`,
    [end.outcome, end.code ?? null, end.message ?? null, attemptId, mayCorrect, textArray(CONCLUSIONS)],
  );
}

/** Ends an attempt whose call failed. A lost answer leaves it unknown. */
export async function endFailedAttempt(em: Em, attemptId: number, error: IntegrationError): Promise<void> {
  const outcome = error.kind === 'unknown-outcome' ? 'unknown' : 'failed';
  await endAttempt(em, attemptId, { outcome, code: error.code, message: error.message });
}

/** Ends an attempt whose answer was lost by the result of a look-up. */
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

/** Tells whether an attempt with an unknown outcome came after the last success or decision of a person. */
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

/** Ends attempts with lost answers as failed, after the partner stated that it did nothing. */
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
