import type { TransmitResult } from '../../carriers/adapter.ts';
import { Contract, Shipment, type Surplus } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { moveShipments } from '../../db/queries/move-shipments.ts';
import { settleShipmentItems } from '../../db/queries/operations.ts';
import { beginAttempt, endAttempt } from '../../engine/attempts.ts';
import { callContract, supported } from '../../engine/call-contract.ts';
import { concludeAttempt } from '../../engine/conclude-failure.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { handleOf } from '../../engine/shipment-draft.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { RetryLater } from '../../queue/retry.ts';
import { insertCarrierLists, storeCarrierLists } from './carrier-lists.ts';
import { markTransmitted } from './request-transmit.ts';

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
    throw await settleFailures(deps, claims, { error, isLastTry: input.isLastTry });
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
  const reactions: Error[] = [];
  for (const claim of claims.filter((one) => !done.includes(one))) {
    const said = byReference.get(claim.shipment.reference ?? '');
    const error = refusalOf(said);
    const surplus = said?.hasSurplus ? { message: error.message, trackingNumbers: [] } : null;
    reactions.push(await settleFailures(deps, [claim], { error, isLastTry: input.isLastTry, surplus }));
  }
  const again = reactions.find((reaction) => reaction instanceof RetryLater);
  if (again) throw again;
}

/** A carrier that says nothing about a shipment leaves it unknown. */
export function refusalOf(said: TransmitResult | undefined): IntegrationError {
  const isRefused = said?.outcome === 'failed';
  return new IntegrationError(said?.message ?? 'The carrier did not mention this shipment', {
    kind: isRefused ? 'permanent' : 'unknown-outcome',
    provider: '',
    code: isRefused ? 'refused' : 'not-mentioned',
    isAuthoritative: isRefused,
  });
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

/** Back to created: confirming again is harmless. Answers what the queue is told. */
async function settleFailures(
  deps: Deps,
  claims: readonly TransmitClaim[],
  failed: { error: IntegrationError; isLastTry: boolean; surplus?: Surplus | null },
): Promise<Error> {
  const { error, isLastTry, surplus } = failed;
  return systemEm(deps.orm).transactional(async (tx) => {
    const reactions: Error[] = [];
    for (const { shipment, attempt, attemptId } of claims) {
      const tried = { error, isLastTry, shipmentId: shipment.id, attemptId, operation: 'transmit' as const };
      const { end, message, failureKind, reaction } = await concludeAttempt(tx, tried);
      reactions.push(reaction);
      // The carrier's own no is the client's to read; anything else that ends here needs a person.
      const needsPerson = end === 'unknown' || (end === 'failed' && failureKind !== 'permanent');
      const code = end === 'unknown' ? 'confirmation-unknown' : error.code;
      const [moved] = await moveShipments(tx, {
        ids: [shipment.id],
        attempts: [attempt],
        from: ['transmitting'],
        to: 'created',
        set: {
          failure: { code, message, retryable: true },
          exhausted_at: needsPerson ? deps.now() : null,
          ...(surplus ? { surplus } : {}),
        },
      });
      if (!moved || end === 'again') continue;
      const target = { shipmentIds: [shipment.id], kind: 'transmit' as const };
      await settleShipmentItems(tx, target, { status: 'failed', message });
    }
    return reactions.find((reaction) => reaction instanceof RetryLater) ?? reactions[0] ?? error;
  });
}
