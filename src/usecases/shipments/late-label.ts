import type { BookedShipment } from '../../carriers/adapter.ts';
import { type Contract, Shipment } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
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

/** Statuses in which the shipment has its own label. */
const BOOKED = ['created', 'transmitting', 'transmitted', 'cancelling'];

/**
 * A run stood still, its shipment was taken over, and now the carrier's answer says that it sold a label. Where the shipment
 * has none yet, this one is it. Where it has, this one is surplus: taken back if that cannot touch the other, else reported.
 */
export async function settleLateLabel(deps: Deps, late: LateLabel, input: JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const { booked } = late;
  const now = await em.findOneOrFail(Shipment, late.shipment.id, { refresh: true });
  const found = { shipmentId: now.id, processStatus: now.processStatus, trackingNumber: booked.trackingNumber };
  deps.log.warn(found, 'a label came after its shipment was taken over');
  if (await adopt(deps, now, late, input)) return;

  const current = await em.findOneOrFail(Shipment, now.id, { refresh: true });
  if (current.trackingNumber === booked.trackingNumber && BOOKED.includes(current.processStatus)) {
    const extra = booked.parcelCount - current.parcelCount;
    if (extra > 0) await reportSurplus(deps, current.id, surplusParcels(extra));
    return; // the look-up had found it: it is the shipment's own
  }
  // On record first: what follows may be cut off.
  await reportSurplus(deps, current.id, {
    message: `The carrier sold a second label, ${booked.trackingNumber}`,
    trackingNumbers: [booked.trackingNumber],
  });
  // While another run is inside its own call, the carrier may be merging both into one: only a person may touch it.
  if (current.processStatus !== 'submitting') await takeBack(deps, current, late, input);
}

/** Of a shipment that has no label yet. */
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
    return; // stays reported
  }
  await reportSurplus(deps, shipment.id, null);
}

async function reportSurplus(deps: Deps, shipmentId: number, surplus: Shipment['surplus']): Promise<void> {
  await systemEm(deps.orm).nativeUpdate(Shipment, { id: shipmentId }, { surplus, updatedAt: deps.now() });
}
