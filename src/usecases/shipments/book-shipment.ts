import type { BookedShipment, Carrier, ShipmentDraft } from '../../carriers/adapter.ts';
import type { Shipment } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import { type BookingClaim, claimBooking } from '../../db/queries/claim-booking.ts';
import { moveShipments } from '../../db/queries/move-shipments.ts';
import { settleShipmentItems } from '../../db/queries/operations.ts';
import { moveOrderOf } from '../../db/queries/statuses.ts';
import type { ProcessStatus } from '../../domain/shipment-status.ts';
import { endFailedAttempt } from '../../engine/attempts.ts';
import { callContract, carrierOf } from '../../engine/call-contract.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { loadBooking } from '../../engine/shipment-draft.ts';
import { type FailureKind, IntegrationError } from '../../lib/errors.ts';
import { carrierQueue, reconcileJobId } from '../../queue/jobs.ts';
import { afterCall } from '../../queue/retry.ts';
import { isCancelledInShop } from './check-in-shop.ts';
import { settleLateLabel } from './late-label.ts';
import { settleBooked } from './settle-booked.ts';

/** The effect of a failed booking on the shipment. */
const AFTER_FAILURE: Record<FailureKind, ProcessStatus> = {
  retryable: 'queued',
  permanent: 'rejected',
  'unknown-outcome': 'unknown_outcome',
};

/** Maximum bookings with a wrong parcel count; after that the carrier's label is kept with a warning. */
const MAX_SURPLUS_ROUNDS = 5;

/**
 * Books one queued shipment with its carrier. Idempotent per id. It cannot use `attempted`: claims and labels of many runs share one
 * statement (decision 0024), and a lost answer is reconciled instead of retried.
 */
export async function bookShipment(deps: Deps, input: { shipmentId: number } & JobContext): Promise<void> {
  const booking = await loadBooking(deps.orm, input.shipmentId);
  if (booking?.shipment.processStatus !== 'queued') return;
  const { shipment, contract, draft } = booking;
  for (const order of [booking.order, ...booking.joined]) {
    if (await isCancelledInShop(deps, { order, shipment }, input)) return;
  }
  const claimedAt = Date.now();
  const claim = await claimBooking(deps.orm, { shipmentId: shipment.id, requestId: input.requestId });
  if (!claim) return; // booked, cancelled, or claimed by another run

  let booked: BookedShipment;
  try {
    // No transaction is open here: a carrier may take thirty seconds to answer.
    booked = await callContract(
      deps,
      {
        contract,
        shipmentId: shipment.id,
        attemptId: claim.attemptId,
        requestId: input.requestId,
        signal: input.signal,
        claimedAt,
      },
      async (carrier, context) => {
        const sold = await carrier.createShipment(context, draft).finally(() => input.endTurn());
        const surplus = surplusError(carrier, { draft, sold });
        if (!surplus || shipment.generation >= MAX_SURPLUS_ROUNDS) return sold;
        throw surplus;
      },
    );
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error; // our own fault: the row stays submitting, the sweep reconciles
    await settleFailure(deps, { shipment, ...claim, error, isLastTry: input.isLastTry });
    if (error.kind === 'unknown-outcome') {
      await requestReconciliation(deps, { shipment, attemptId: claim.attemptId, requestId: input.requestId });
      return; // unknown is no failure and must not be retried: reconciliation finds out
    }
    throw afterCall(error);
  }
  const settled = await settleBooked(deps, { shipment, ...claim, booked });
  if (!settled) await settleLateLabel(deps, { shipment, contract, attemptId: claim.attemptId, booked }, input);
}

/** Returns an error when the carrier merged a repeat: reconciliation cancels all and books one clean label. Null: no surplus. */
export function surplusError(
  carrier: Carrier,
  { draft, sold }: { draft: ShipmentDraft; sold: BookedShipment },
): IntegrationError | null {
  const surplus = sold.parcelCount - draft.parcels.length;
  if (surplus <= 0 || !carrier.findByReference || !carrier.cancelShipment) return null;
  return new IntegrationError(`${carrier.label} counts ${surplus} parcels too many`, {
    kind: 'unknown-outcome',
    provider: carrier.label,
    code: 'surplus-parcels',
  });
}

async function settleFailure(
  deps: Deps,
  outcome: BookingClaim & { shipment: Shipment; error: IntegrationError; isLastTry: boolean },
): Promise<void> {
  const { shipment, error } = outcome;
  const isOver = error.kind === 'permanent' || (error.kind === 'retryable' && outcome.isLastTry);
  const message = isOver && error.kind === 'retryable' ? `${error.message}; all retries are exhausted` : error.message;
  await systemEm(deps.orm).transactional(async (em) => {
    const moved = await moveShipments(em, {
      ids: [shipment.id],
      fences: [outcome.fence],
      from: ['submitting'],
      to: AFTER_FAILURE[error.kind],
      set: {
        failure: { code: error.code, message, retryable: error.kind !== 'permanent' },
        exhausted_at: isOver && error.kind === 'retryable' ? deps.now() : null,
      },
    });
    await endFailedAttempt(em, outcome.attemptId, error);
    if (moved.length === 0 || !isOver) return;
    await moveOrderOf(em, shipment, 'error', { error: message });
    await settleShipmentItems(em, { shipmentIds: [shipment.id], kind: 'create' }, { status: 'failed', message });
  });
}

/** Queues the look-up that turns an unknown outcome into a known one. */
async function requestReconciliation(
  deps: Deps,
  lost: { shipment: Shipment; attemptId: number; requestId: string },
): Promise<void> {
  const { shipment, requestId } = lost;
  const carrier = await carrierOf(deps, shipment.carrierId);
  const job = {
    name: 'reconcile' as const,
    id: reconcileJobId(shipment.id, lost.attemptId),
    companyId: shipment.companyId,
    payload: { shipmentId: shipment.id, requestId },
  };
  await enqueue(deps, carrierQueue(carrier.id), [job]);
}
