import type { BookedShipment } from '../../carriers/adapter.ts';
import { type Contract, Shipment, ShipmentAttempt } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { claimBooking } from '../../db/queries/claim-booking.ts';
import { moveShipments } from '../../db/queries/move-shipments.ts';
import { takeBackOnRecord } from '../../engine/attempted.ts';
import { callContract, supported } from '../../engine/call-contract.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { settleBooked, surplusParcels } from './settle-booked.ts';

export interface LateLabel {
  shipment: Shipment;
  contract: Contract;
  attemptId: number;
  booked: BookedShipment;
}

/** Statuses in which the shipment has a label of its own. */
const BOOKED = ['created', 'transmitting', 'transmitted', 'cancelling'];

/**
 * Handles a label that arrives after its run was suspended and another run took the shipment over. A shipment without a label adopts it.
 * Otherwise it is surplus: cancelled if that cannot affect the other label, else reported.
 */
export async function settleLateLabel(deps: Deps, late: LateLabel, input: JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const { booked } = late;
  const now = await em.findOneOrFail(Shipment, late.shipment.id, { refresh: true });
  const found = { shipmentId: now.id, processStatus: now.processStatus, trackingNumber: booked.trackingNumber };
  deps.log.warn(found, 'late label: another run had taken the shipment over');
  if (await mayBeTakenBack(em, late)) {
    // The next look-up shows whether the carrier still has it.
    if (now.processStatus === 'unknown_outcome') return;
  } else if (await adopt(deps, now, late, input)) return;

  const current = await em.findOneOrFail(Shipment, now.id, { refresh: true });
  if (current.trackingNumber === booked.trackingNumber && BOOKED.includes(current.processStatus)) {
    const extra = booked.parcelCount - current.parcelCount;
    if (extra > 0) await reportSurplus(deps, current.id, surplusParcels(extra));
    return; // a look-up has found and adopted it already
  }
  // Recorded first, because the next steps may be interrupted.
  await reportSurplus(deps, current.id, {
    message: `The carrier sold a second label, ${booked.trackingNumber}`,
    trackingNumbers: [booked.trackingNumber],
  });
  // While another run is inside its own call, the carrier may merge both labels, so only a person may cancel one.
  if (current.processStatus !== 'submitting') await takeBack(deps, current, late, input);
}

/** Tells whether another run has cancelled what this one was sold, or may have: then the label is dead. */
async function mayBeTakenBack(em: Em, { shipment, attemptId }: LateLabel): Promise<boolean> {
  const cancellations = await em.count(ShipmentAttempt, {
    shipmentId: shipment.id,
    id: { $gt: attemptId },
    operation: 'cancel',
    outcome: { $in: ['running', 'unknown', 'succeeded'] },
  });
  return cancellations > 0;
}

/** Adopts the label for a shipment without one. */
async function adopt(deps: Deps, now: Shipment, late: LateLabel, input: JobContext): Promise<boolean> {
  const em = systemEm(deps.orm);
  if (now.processStatus === 'queued') {
    const claim = await claimBooking(deps.orm, { shipmentId: now.id, requestId: input.requestId });
    return claim !== null && settleBooked(deps, { shipment: now, ...claim, booked: late.booked });
  }
  if (now.processStatus !== 'unknown_outcome') return false;
  const [moved] = await moveShipments(em, {
    ids: [now.id],
    from: ['unknown_outcome'],
    to: 'unknown_outcome',
    claim: true,
  });
  if (!moved) return false;
  return settleBooked(deps, { shipment: now, fence: moved.fence, attemptId: late.attemptId, booked: late.booked });
}

async function takeBack(deps: Deps, shipment: Shipment, late: LateLabel, input: JobContext): Promise<void> {
  const { contract, booked } = late;
  const { trackingNumber, carrierReference } = booked;
  const handle = { reference: shipment.reference ?? '', trackingNumber, carrierReference };
  try {
    const { fence } = shipment;
    await takeBackOnRecord(deps, { shipment, fence, requestId: input.requestId }, (attemptId) =>
      callContract(deps, { ...input, contract, shipmentId: shipment.id, attemptId }, async (carrier, context) =>
        supported(carrier.cancelShipment?.bind(carrier), carrier, 'cancellation')(context, handle),
      ),
    );
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    return; // it stays at the desk
  }
  await reportSurplus(deps, shipment.id, null);
}

async function reportSurplus(deps: Deps, shipmentId: number, surplus: Shipment['surplus']): Promise<void> {
  await systemEm(deps.orm).nativeUpdate(Shipment, { id: shipmentId }, { surplus, updatedAt: deps.now() });
}
