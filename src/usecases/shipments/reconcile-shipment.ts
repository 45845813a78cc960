import type { Carrier, CarrierContext, FoundShipment, ShipmentDraft } from '../../carriers/adapter.ts';
import { type Contract, Shipment, ShipmentAttempt } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import { moveShipments } from '../../db/queries/move-shipments.ts';
import { settleShipmentItems } from '../../db/queries/operations.ts';
import { moveOrderOf } from '../../db/queries/statuses.ts';
import { NEVER_SEEN } from '../../domain/attempt.ts';
import { takeBackOnRecord } from '../../engine/attempted.ts';
import { endLookedUp, loseAttempts } from '../../engine/attempts.ts';
import { callContract, carrierOf, leaseMs, settlingMs } from '../../engine/call-contract.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { handleOf, loadBooking } from '../../engine/shipment-draft.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { bookJobId, carrierQueue } from '../../queue/jobs.ts';
import { afterCall, RetryLater } from '../../queue/retry.ts';
import { settleBooked } from './settle-booked.ts';

/** One look-up of a lost booking: this run holds the row under `fence`, and the booking was `attemptId`. */
interface Look {
  shipment: Shipment;
  contract: Contract;
  draft: ShipmentDraft;
  carrier: Carrier;
  /** Fencing number. */
  fence: number;
  attemptId: number;
  startedAt: Date;
  claimedAt: number;
}

/**
 * Resolves a booking with an unknown outcome. Adopts the carrier's shipment, or books again if the carrier never received it. Leaves it
 * to a person if the carrier has no search. Raises the fence first, so a run that wakes up late settles nothing.
 */
export async function reconcileShipment(deps: Deps, input: { shipmentId: number } & JobContext): Promise<void> {
  const look = await claimUnknown(deps, input.shipmentId);
  if (!look) return;
  const { shipment, contract, carrier, draft } = look;
  const em = systemEm(deps.orm);
  const find = carrier.findByReference?.bind(carrier);
  if (!find) return void (await needsPerson(deps, look, { why: `${carrier.label} cannot be searched` }));

  const askedAt = deps.now().getTime();
  let found: FoundShipment | null;
  try {
    const call = { ...input, contract, attemptId: look.attemptId };
    found = await callContract(deps, call, (_carrier, context) => find(context, draft));
  } catch (error) {
    throw await afterFailure(deps, look, { error, isLastTry: input.isLastTry });
  }
  if (found === null) return settleAbsent(deps, look, askedAt, input);
  const twin = await em.findOne(Shipment, {
    id: { $ne: shipment.id },
    companyId: shipment.companyId,
    contractId: shipment.contractId,
    trackingNumber: found.trackingNumber,
    processStatus: { $in: ['created', 'transmitting', 'transmitted', 'cancelling'] },
  });
  if (twin) {
    const why = `${carrier.label} merged it into the shipment of order ${twin.orderId}, ${found.trackingNumber}`;
    return void (await needsPerson(deps, look, { why }));
  }
  // Some carriers never return a label again, and without a label the warehouse cannot ship.
  const isUseless = found.parcelCount > shipment.parcelCount || found.labels.length === 0;
  if (isUseless && found.canBeTakenBack && carrier.cancelShipment) {
    if (await takeBackAll(deps, look, found, input)) {
      await endLookedUp(em, look.attemptId, 'taken-back');
      return bookAgain(deps, look, input.requestId);
    }
  }
  await settleBooked(deps, { ...look, booked: found, isLookUp: true });
}

async function claimUnknown(deps: Deps, shipmentId: number): Promise<Look | null> {
  const em = systemEm(deps.orm);
  const claimedAt = Date.now();
  const step = { ids: [shipmentId], to: 'unknown_outcome', claim: true } as const;
  const [moved] = [
    ...(await moveShipments(em, { ...step, from: ['unknown_outcome'] })),
    ...(await moveShipments(em, { ...step, from: ['submitting'], idleSeconds: deps.settings.callLimitMs / 1000 })),
  ];
  if (!moved) return null;
  await loseAttempts(em, [shipmentId]);
  const booking = await loadBooking(deps.orm, shipmentId);
  if (!booking) return null;
  // One that ended without its call, because its process stood still, is not the one to look for.
  const creations = await em.find(ShipmentAttempt, { shipmentId, operation: 'create' }, { orderBy: { id: 'desc' } });
  const lost = creations.find(({ outcome }) => outcome === 'unknown') ?? creations[0];
  if (!lost) throw new Error(`Shipment ${shipmentId} has no attempt to look for`);
  const { id: attemptId, startedAt } = lost;
  const carrier = await carrierOf(deps, booking.contract.carrierId);
  return { ...booking, carrier, fence: moved.fence, attemptId, startedAt, claimedAt };
}

/** Returns the queue's error for a failed look-up, or for a surplus that could not be cancelled. */
async function afterFailure(deps: Deps, look: Look, failed: { error: unknown; isLastTry: boolean }): Promise<Error> {
  const { error } = failed;
  if (!(error instanceof IntegrationError)) return error as Error;
  // A refused login or a proxy's page is no answer of the carrier and may be temporary.
  if (error.kind === 'permanent' && error.isAuthoritative) {
    await needsPerson(deps, look, { why: error.message });
    return afterCall(error, true);
  }
  // The sweep keeps retrying, so that a long outage heals by itself.
  if (failed.isLastTry) await needsPerson(deps, look, { why: error.message, isHealing: true });
  return afterCall(error, false);
}

/** Handles a look-up that found nothing under our reference. */
async function settleAbsent(deps: Deps, look: Look, askedAt: number, input: JobContext): Promise<void> {
  const { carrier, draft } = look;
  // The lost call may have left at the end of its lease; the settling time counts from then.
  const early = look.startedAt.getTime() + leaseMs(deps) + settlingMs(deps, carrier) - askedAt;
  if (early > 0) throw new RetryLater(`${carrier.label} may still be processing the booking`, early);
  const withdraw = carrier.withdrawByReference?.bind(carrier);
  if (withdraw) {
    const run = (context: CarrierContext<unknown>) => withdraw(context, draft);
    await takeBack(deps, look, { run, input }).catch(async (error: unknown) => {
      throw await afterFailure(deps, look, { error, isLastTry: input.isLastTry });
    });
  }
  await endLookedUp(systemEm(deps.orm), look.attemptId, NEVER_SEEN);
  await bookAgain(deps, look, input.requestId);
}

/**
 * Cancels a shipment that the carrier merged with a repeat, or whose label it no longer has, so that one clean label can be booked.
 * Returns false when the carrier refuses.
 */
async function takeBackAll(deps: Deps, look: Look, found: FoundShipment, input: JobContext): Promise<boolean> {
  const { length: labels } = found.labels;
  deps.log.warn({ shipmentId: look.shipment.id, parcels: found.parcelCount, labels }, 'cancelling a lost booking');
  const { trackingNumber, carrierReference } = found;
  const handle = { ...handleOf(look.shipment), trackingNumber, carrierReference };
  const run = async (context: CarrierContext<unknown>) => look.carrier.cancelShipment?.(context, handle);
  try {
    await takeBack(deps, look, { run, input });
    return true;
  } catch (error) {
    if (error instanceof IntegrationError && error.kind === 'permanent' && error.isAuthoritative) return false;
    // Cancelling is idempotent: the next look-up shows whether the shipment still exists.
    throw await afterFailure(deps, look, { error, isLastTry: input.isLastTry });
  }
}

/** Runs one cancelling write with a recorded attempt. */
async function takeBack(
  deps: Deps,
  look: Look,
  { run, input }: { run: (context: CarrierContext<unknown>) => Promise<void>; input: JobContext },
): Promise<void> {
  const { shipment, contract, fence, claimedAt } = look;
  const { requestId } = input;
  await takeBackOnRecord(deps, { shipment, fence, requestId }, (attemptId) => {
    const call = { ...input, contract, shipmentId: shipment.id, attemptId, claimedAt };
    return callContract(deps, call, (_carrier, context) => run(context));
  });
}

/**
 * Handles a carrier that has nothing under our reference after its settling time. While the client still waits, the shipment is booked
 * at once. A client that got "unknown" may have shipped in another way, so then a person must request it again.
 */
async function bookAgain(deps: Deps, look: Look, requestId: string): Promise<void> {
  const { shipment, carrier } = look;
  const wasGivenUp = shipment.exhaustedAt !== null;
  const [row] = await moveShipments(systemEm(deps.orm), {
    ids: [shipment.id],
    fences: [look.fence],
    from: ['unknown_outcome'],
    to: 'queued',
    set: {
      generation: shipment.generation + 1,
      ...(wasGivenUp
        ? { failure: { code: NEVER_SEEN, message: `${carrier.label} has no such shipment`, retryable: true } }
        : {}),
    },
  });
  if (!row || wasGivenUp) return;
  const id = bookJobId(shipment.id, row.generation);
  await enqueue(deps, carrierQueue(carrier.id), [
    { name: 'book', id, companyId: shipment.companyId, payload: { shipmentId: shipment.id, requestId } },
  ]);
}

/** Reports the outcome as unknown to the client and the desk. Only a person can book the shipment again. */
async function needsPerson(deps: Deps, look: Look, found: { why: string; isHealing?: boolean }): Promise<void> {
  const { shipment } = look;
  const message = `Unknown whether the label was sold: ${found.why}. Check the carrier's portal for reference ${shipment.reference}`;
  await systemEm(deps.orm).transactional(async (em) => {
    const moved = await moveShipments(em, {
      ids: [shipment.id],
      fences: [look.fence],
      from: ['unknown_outcome'],
      to: 'unknown_outcome',
      set: {
        failure: { code: 'outcome-unknown', message, retryable: found.isHealing ?? false },
        exhausted_at: shipment.exhaustedAt ?? deps.now(),
      },
    });
    if (moved.length === 0 || shipment.exhaustedAt !== null) return;
    deps.log.error({ shipmentId: shipment.id }, 'shipment outcome unknown: a person must decide');
    await moveOrderOf(em, shipment, 'error', { error: message });
    await settleShipmentItems(em, { shipmentIds: [shipment.id], kind: 'create' }, { status: 'failed', message });
  });
}
