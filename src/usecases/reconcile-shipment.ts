import type { FoundShipment } from '../carriers/contract.ts';
import { Contract, Shipment, ShipmentAttempt } from '../db/entities/index.ts';
import { systemEm } from '../db/orm.ts';
import { moveShipments } from '../db/queries/move-shipments.ts';
import { settleShipmentItems } from '../db/queries/operations.ts';
import { moveOrders } from '../db/queries/statuses.ts';
import { IntegrationError } from '../lib/errors.ts';
import { carrierQueue } from '../queue/jobs.ts';
import { giveUp, RetryLater } from '../queue/queue-system.ts';
import { beginAttempt, endAttempt } from './attempts.ts';
import { settleBooked } from './book-shipment.ts';
import { callContract, carrierOf, leaseMs, settlingMs } from './call-contract.ts';
import type { Deps, JobContext } from './deps.ts';
import { draftOfShipment, handleOf } from './shipment-draft.ts';

/**
 * Finds out what became of a booking nobody knows the outcome of: adopts what the carrier has, books again what it surely
 * never saw, and leaves to people what cannot be searched. Raises the fencing number first, so a run that wakes up late
 * settles nothing.
 */
export async function reconcileShipment(deps: Deps, input: { shipmentId: number } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const claim = await claimUnknown(deps, input.shipmentId);
  if (!claim) return;
  const shipment = await em.findOneOrFail(Shipment, input.shipmentId);
  const contract = await em.findOneOrFail(Contract, shipment.contractId);
  const carrier = await carrierOf(deps, contract.carrierId);
  const find = carrier.findByReference?.bind(carrier);
  if (!find) return void (await needsPerson(deps, shipment, `${carrier.label} cannot be searched`));

  const draft = await draftOfShipment(em, shipment, contract);
  const call = { ...input, contract, attemptId: claim.attemptId };
  let found: FoundShipment | null;
  try {
    found = await callContract(deps, call, (_carrier, context) => find(context, draft));
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    if (error.kind === 'permanent') {
      await needsPerson(deps, shipment, error.message);
      throw giveUp(error.message);
    }
    if (input.isLastTry) await needsPerson(deps, shipment, `${error.message}; all tries are used up`);
    throw new RetryLater(error.message, error.retryAfterMs);
  }

  if (found === null) {
    // The lost call may have left as late as its lease allowed.
    const settledAt = claim.startedAt.getTime() + leaseMs(deps) + settlingMs(deps, carrier);
    const early = settledAt - deps.now().getTime();
    if (early > 0) throw new RetryLater(`${carrier.label} may still be writing it down`, early);
    await endAttempt(em, claim.attemptId, { outcome: 'no', code: 'never-seen' });
    await bookAgain(deps, shipment, carrier.id, input.requestId);
    return;
  }
  const twin = await em.findOne(Shipment, {
    id: { $ne: shipment.id },
    contractId: shipment.contractId,
    trackingNumber: found.trackingNumber,
    processStatus: { $in: ['created', 'transmitting', 'transmitted'] },
  });
  if (twin) {
    const why = `${carrier.label} merged it into the shipment of order ${twin.orderId}, ${found.trackingNumber}`;
    return void (await needsPerson(deps, shipment, why));
  }
  if (found.parcelCount > draft.parcels.length && !found.confirmed && carrier.cancelShipment) {
    await cancelSurplus(deps, { shipment, contract, found }, input);
    await bookAgain(deps, shipment, carrier.id, input.requestId);
    return;
  }
  const surplus = found.parcelCount - draft.parcels.length;
  const warnings = surplus > 0 ? [`${carrier.label} counts ${surplus} parcels too many`] : [];
  await settleBooked(deps, {
    shipment,
    attempt: shipment.attempt,
    attemptId: claim.attemptId,
    booked: found,
    warnings: [...found.warnings, ...warnings],
  });
}

interface UnknownClaim {
  attemptId: number;
  startedAt: Date;
}

async function claimUnknown(deps: Deps, shipmentId: number): Promise<UnknownClaim | null> {
  const em = systemEm(deps.orm);
  const step = { ids: [shipmentId], to: 'unknown_outcome', claim: true } as const;
  const [moved] = [
    ...(await moveShipments(em, { ...step, from: ['unknown_outcome'] })),
    ...(await moveShipments(em, { ...step, from: ['submitting'], idleSeconds: deps.settings.callLimitMs / 1000 })),
  ];
  if (!moved) return null;
  const attempt = await em.findOneOrFail(
    ShipmentAttempt,
    { shipmentId, operation: 'create' },
    { orderBy: { id: 'desc' } },
  );
  return { attemptId: attempt.id, startedAt: attempt.startedAt };
}

/** The carrier merged a repeat into the shipment: the whole of it is taken back, so that one clean label can be booked. */
async function cancelSurplus(
  deps: Deps,
  surplus: { shipment: Shipment; contract: Contract; found: FoundShipment },
  input: JobContext,
): Promise<void> {
  const { shipment, contract, found } = surplus;
  const em = systemEm(deps.orm);
  const attemptId = await beginAttempt(em, shipment, {
    operation: 'cancel',
    number: shipment.attempt,
    requestId: input.requestId,
  });
  deps.log.warn({ shipmentId: shipment.id, parcels: found.parcelCount }, 'surplus parcels at the carrier, cancelling');
  const handle = {
    ...handleOf(shipment),
    trackingNumber: found.trackingNumber,
    carrierReference: found.carrierReference,
  };
  try {
    await callContract(deps, { contract, shipmentId: shipment.id, attemptId, ...input }, async (carrier, context) =>
      carrier.cancelShipment?.(context, handle),
    );
    await endAttempt(em, attemptId, { outcome: 'yes' });
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    await endAttempt(em, attemptId, { outcome: 'nobody_knows', code: error.code, message: error.message });
    // Cancelling twice succeeds twice: the next look-up sees whether it is still there.
    throw new RetryLater(error.message, error.retryAfterMs);
  }
}

/** The carrier surely has nothing under our reference. */
async function bookAgain(deps: Deps, shipment: Shipment, carrierId: string, requestId: string): Promise<void> {
  const [row] = await moveShipments(systemEm(deps.orm), {
    ids: [shipment.id],
    attempt: shipment.attempt,
    from: ['unknown_outcome'],
    to: 'queued',
    set: { generation: shipment.generation + 1, exhausted_at: null },
  });
  if (!row) return;
  await deps.queues
    .add(carrierQueue(carrierId), [
      {
        name: 'book',
        id: `book-${shipment.id}-${row.generation}`,
        payload: { shipmentId: shipment.id, requestId },
      },
    ])
    .catch((err) => deps.log.warn({ err, shipmentId: shipment.id }, 'not queued now, the sweep will'));
}

/** Nobody can find out by asking the carrier: told to the client, marked for operations, never submitted again. */
async function needsPerson(deps: Deps, shipment: Shipment, why: string): Promise<void> {
  const message = `Nobody knows whether the label was sold: ${why}. Check the carrier's portal for reference ${shipment.reference}`;
  deps.log.error({ shipmentId: shipment.id }, 'shipment outcome unknown, a person must look');
  await systemEm(deps.orm).transactional(async (em) => {
    await em.execute(
      `update shipments set failure = ?::jsonb, exhausted_at = ?, updated_at = now() where id = ? and attempt = ?`,
      [
        JSON.stringify({ code: 'outcome-unknown', message, retryable: false }),
        deps.now(),
        shipment.id,
        shipment.attempt,
      ],
    );
    await moveOrders(em, { companyId: shipment.companyId, orderIds: [shipment.orderId] }, 'error', { error: message });
    await settleShipmentItems(em, { shipmentIds: [shipment.id], kind: 'create' }, { status: 'failed', message });
  });
}
