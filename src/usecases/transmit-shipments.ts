import type { TransmitResult } from '../carriers/contract.ts';
import { Contract, Shipment, type Surplus } from '../db/entities/index.ts';
import { type Em, systemEm } from '../db/orm.ts';
import { moveShipments } from '../db/queries/move-shipments.ts';
import { settleShipmentItems } from '../db/queries/operations.ts';
import { IntegrationError } from '../lib/errors.ts';
import { giveUp, RetryLater } from '../queue/retry.ts';
import { beginAttempt, endAttempt } from './attempts.ts';
import { callContract, supported } from './call-contract.ts';
import { insertCarrierLists, storeCarrierLists } from './carrier-lists.ts';
import type { Deps, JobContext } from './deps.ts';
import { markTransmitted } from './request-transmit.ts';
import { handleOf } from './shipment-draft.ts';

/**
 * Confirms booked shipments of one contract to their carrier. Confirming twice succeeds twice, so whatever failed may be
 * repeated; the claim keeps two workers from doing it at the same time.
 */
export async function transmitShipments(deps: Deps, input: { shipmentIds: number[] } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const claimedAt = Date.now();
  const claims = await claimCreated(em, input);
  const shipments = claims.map((claim) => claim.shipment);
  const first = claims[0];
  if (!first) return;
  const contract = await em.findOneOrFail(Contract, first.shipment.contractId);

  let results: TransmitResult[];
  try {
    results = await callContract(
      deps,
      {
        contract,
        shipmentId: claims.length === 1 ? first.shipment.id : null,
        attemptId: first.attemptId,
        requestId: input.requestId,
        signal: input.signal,
        claimedAt,
      },
      (carrier, context) =>
        supported(carrier.transmitShipments?.bind(carrier), carrier, 'confirmation')(context, shipments.map(handleOf)),
    );
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    const isUsedUp = error.kind !== 'permanent' && input.isLastTry;
    const outcome = error.kind === 'unknown-outcome' ? 'nobody_knows' : 'no';
    const isOver = error.kind === 'permanent' || input.isLastTry;
    await settle(deps, { claims, outcome, code: error.code, message: error.message, isOver, isUsedUp });
    throw error.kind === 'permanent' ? giveUp(error.message) : new RetryLater(error.message, error.retryAfterMs);
  }

  const byReference = new Map(results.map((result) => [result.reference, result]));
  const done = claims.filter(({ shipment }) => byReference.get(shipment.reference ?? '')?.outcome === 'succeeded');
  const lists = await storeCarrierLists(deps, contract.companyId, { claims: done, byReference });
  await systemEm(deps.orm).transactional(async (tx) => {
    for (const claim of done) await endAttempt(tx, claim.attemptId, { outcome: 'yes' });
    const shipmentIds = await markTransmitted(deps, tx, { claims: done, requestId: input.requestId });
    await insertCarrierLists(tx, lists);
    await settleShipmentItems(tx, { shipmentIds, kind: 'transmit' }, { status: 'succeeded', message: '' });
  });
  for (const claim of claims.filter((one) => !done.includes(one))) {
    const said = byReference.get(claim.shipment.reference ?? '');
    const message = said?.message ?? 'The carrier did not mention this shipment';
    const surplus = said?.hasSurplus ? { message, trackingNumbers: [] } : null;
    const end = { outcome: 'no', code: 'refused', message, isOver: true, isUsedUp: false, surplus } as const;
    await settle(deps, { claims: [claim], ...end });
  }
}

interface TransmitClaim {
  shipment: Shipment;
  /** Fencing number. */
  attempt: number;
  attemptId: number;
}

/** Takes the shipments and puts an attempt on record for each, in one transaction. */
async function claimCreated(em: Em, input: { shipmentIds: number[]; requestId: string }): Promise<TransmitClaim[]> {
  return em.transactional(async (tx) => {
    const claimed = await moveShipments(tx, {
      ids: input.shipmentIds,
      from: ['created'],
      to: 'transmitting',
      claim: true,
      set: { exhausted_at: null },
    });
    const attempts = new Map(claimed.map((row) => [row.id, row.attempt]));
    const shipments = await tx.find(Shipment, { id: { $in: [...attempts.keys()] } }, { orderBy: { id: 'asc' } });
    const claims: TransmitClaim[] = [];
    for (const shipment of shipments) {
      const attempt = attempts.get(shipment.id) ?? 0;
      const { requestId } = input;
      const attemptId = await beginAttempt(tx, shipment, { operation: 'transmit', number: attempt, requestId });
      claims.push({ shipment, attempt, attemptId });
    }
    return claims;
  });
}

/** Back to created: what was not confirmed can be confirmed again. */
async function settle(
  deps: Deps,
  end: {
    claims: readonly TransmitClaim[];
    outcome: 'no' | 'nobody_knows';
    code: string;
    message: string;
    isOver: boolean;
    /** Every try failed: a person must look. */
    isUsedUp: boolean;
    surplus?: Surplus | null;
  },
): Promise<void> {
  await systemEm(deps.orm).transactional(async (tx) => {
    for (const claim of end.claims) await endAttempt(tx, claim.attemptId, end);
    const moved = await moveShipments(tx, {
      ids: end.claims.map(({ shipment }) => shipment.id),
      attempts: end.claims.map(({ attempt }) => attempt),
      from: ['transmitting'],
      to: 'created',
      set: {
        failure: { code: end.code, message: end.message, retryable: true },
        exhausted_at: end.isUsedUp ? deps.now() : null,
        ...(end.surplus ? { surplus: end.surplus } : {}),
      },
    });
    if (!end.isOver) return;
    const shipmentIds = moved.map((row) => row.id);
    await settleShipmentItems(tx, { shipmentIds, kind: 'transmit' }, { status: 'failed', message: end.message });
  });
}
