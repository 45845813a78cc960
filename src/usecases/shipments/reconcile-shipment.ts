import type { Carrier, CarrierContext, FoundShipment, ShipmentDraft } from '../../carriers/adapter.ts';
import { type Contract, Shipment, ShipmentAttempt } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import { moveShipments } from '../../db/queries/move-shipments.ts';
import { settleShipmentItems } from '../../db/queries/operations.ts';
import { moveOrderOf } from '../../db/queries/statuses.ts';
import { takeBackOnRecord } from '../../engine/attempted.ts';
import { endLookedUp, loseAttempts, NEVER_SEEN } from '../../engine/attempts.ts';
import { callContract, carrierOf, leaseMs, settlingMs } from '../../engine/call-contract.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { handleOf, loadBooking } from '../../engine/shipment-draft.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { bookJobId, carrierQueue } from '../../queue/jobs.ts';
import { giveUp, RetryLater } from '../../queue/retry.ts';
import { settleBooked } from './settle-booked.ts';

/** One look at a lost booking: the row is ours under `fence`, the booking was `attemptId`. */
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
 * Finds out what became of a booking nobody knows the outcome of: adopts what the carrier has, books again what it surely
 * never saw, and leaves to people what cannot be searched. Raises the fencing number first, so a run that wakes up late
 * settles nothing.
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
  // Some carriers never give a label again: a shipment without one is of no use to the warehouse.
  const isUseless = found.parcelCount > shipment.parcelCount || found.labels.length === 0;
  if (isUseless && found.canBeTakenBack && carrier.cancelShipment) {
    if (await takeBackAll(deps, look, found, input)) {
      await endLookedUp(em, look.attemptId, 'taken-back');
      return bookAgain(deps, look, input.requestId);
    }
  }
  await settleBooked(deps, { ...look, booked: found });
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
  const { id: attemptId, startedAt } = await em.findOneOrFail(
    ShipmentAttempt,
    { shipmentId, operation: 'create' },
    { orderBy: { id: 'desc' } },
  );
  const carrier = await carrierOf(deps, booking.contract.carrierId);
  return { ...booking, carrier, fence: moved.fence, attemptId, startedAt, claimedAt };
}

/** A look-up that failed, or a surplus that could not be taken back: what the queue is told. */
async function afterFailure(deps: Deps, look: Look, failed: { error: unknown; isLastTry: boolean }): Promise<Error> {
  const { error } = failed;
  if (!(error instanceof IntegrationError)) return error as Error;
  // A refused login or a proxy's page is not the carrier's word: it may be over soon.
  if (error.kind === 'permanent' && error.isAuthoritative) {
    await needsPerson(deps, look, { why: error.message });
    return giveUp(error.message);
  }
  // The sweep goes on asking, so that a long outage heals without anybody's help.
  if (failed.isLastTry) await needsPerson(deps, look, { why: error.message, isHealing: true });
  return new RetryLater(error.message, error.retryAfterMs);
}

/** The carrier shows nothing under our reference. */
async function settleAbsent(deps: Deps, look: Look, askedAt: number, input: JobContext): Promise<void> {
  const { carrier, draft } = look;
  // The lost call may have left as late as its lease allowed, and takes its time at the carrier from then on.
  const early = look.startedAt.getTime() + leaseMs(deps) + settlingMs(deps, carrier) - askedAt;
  if (early > 0) throw new RetryLater(`${carrier.label} may still be writing it down`, early);
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
 * The carrier merged a repeat into the shipment, or has no label of it any more: the whole of it is taken back, so that one clean
 * label can be booked. False when the carrier refuses to.
 */
async function takeBackAll(deps: Deps, look: Look, found: FoundShipment, input: JobContext): Promise<boolean> {
  const { length: labels } = found.labels;
  deps.log.warn({ shipmentId: look.shipment.id, parcels: found.parcelCount, labels }, 'taking a lost booking back');
  const { trackingNumber, carrierReference } = found;
  const handle = { ...handleOf(look.shipment), trackingNumber, carrierReference };
  const run = async (context: CarrierContext<unknown>) => look.carrier.cancelShipment?.(context, handle);
  try {
    await takeBack(deps, look, { run, input });
    return true;
  } catch (error) {
    if (error instanceof IntegrationError && error.kind === 'permanent' && error.isAuthoritative) return false;
    // Cancelling twice succeeds twice: the next look-up sees whether it is still there.
    throw await afterFailure(deps, look, { error, isLastTry: input.isLastTry });
  }
}

/** One write that takes something back, with its attempt on record. */
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
 * The carrier surely has nothing under our reference. While the client still waits it is booked at once; a client that was told
 * that nobody knows may have shipped in another way by now, so then a person asks for it anew.
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
    { name: 'book', id, payload: { shipmentId: shipment.id, requestId } },
  ]);
}

/** Told to the client, shown at the desk, and never submitted again by itself. */
async function needsPerson(deps: Deps, look: Look, found: { why: string; isHealing?: boolean }): Promise<void> {
  const { shipment } = look;
  const message = `Nobody knows whether the label was sold: ${found.why}. Check the carrier's portal for reference ${shipment.reference}`;
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
    deps.log.error({ shipmentId: shipment.id }, 'shipment outcome unknown, a person must look');
    await moveOrderOf(em, shipment, 'error', { error: message });
    await settleShipmentItems(em, { shipmentIds: [shipment.id], kind: 'create' }, { status: 'failed', message });
  });
}
