import { Shipment, ShipmentAttempt } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import { NEVER_SEEN, RULED_OUT } from '../../domain/attempt.ts';
import type { Deps } from '../../engine/deps.ts';
import { type Booking, handleOf } from '../../engine/shipment-draft.ts';
import { type Made, made, madeOfAttempt, transmittedLine } from './made.ts';
import type { Step } from './replay-group.ts';

const TAKEN_BACK = 'taken-back';

/** Returns the methods that the answers of one attempt belong to, with their stored results. */
export async function attemptSteps(
  deps: Pick<Deps, 'orm'>,
  { booking, attempt }: { booking: Booking; attempt: ShipmentAttempt },
): Promise<Step[]> {
  switch (attempt.operation) {
    case 'create':
      return createSteps(booking, attempt);
    case 'transmit':
      return [await transmitStep(deps, attempt)];
    case 'cancel':
      return cancelSteps(booking, attempt);
    default:
      return [];
  }
}

/** Returns the booking and its look-ups, which share one attempt. The attempt stores the result of the last one. */
function createSteps({ shipment, draft }: Booking, attempt: ShipmentAttempt): Step[] {
  const end = madeOfAttempt(attempt);
  const { trackingNumber, warnings } = shipment;
  const number = trackingNumber ?? '';
  return [
    {
      method: 'createShipment',
      input: { draft },
      isSure: true,
      isOnce: true,
      before(hasMore) {
        // Only a booking whose outcome was unknown is looked up; the look-up overwrote its code.
        if (hasMore) return made('unknown');
        return end?.kind === 'done' ? made('booked', { trackingNumber: number, details: warnings }) : end;
      },
    },
    {
      method: 'findByReference',
      input: { draft },
      isSure: false,
      isOnce: false,
      before(hasMore) {
        if (hasMore || !end) return null;
        if (end.code === NEVER_SEEN) return made('absent');
        if (end.kind !== 'done' || end.code === TAKEN_BACK) return null;
        return made('found', { trackingNumber: number });
      },
    },
  ];
}

/** All attempts of one confirmation were recorded in one transaction; the first one has the answers. */
async function transmitStep(deps: Pick<Deps, 'orm'>, attempt: ShipmentAttempt): Promise<Step> {
  const em = systemEm(deps.orm);
  const { companyId, requestId, startedAt } = attempt;
  const same = { companyId, requestId, operation: 'transmit' as const, startedAt };
  const attempts = await em.find(ShipmentAttempt, same, { orderBy: { shipmentId: 'asc' } });
  const ids = attempts.map(({ shipmentId }) => shipmentId);
  const shipments = await em.find(Shipment, { id: { $in: ids } }, { orderBy: { id: 'asc' } });
  const ends = attempts.map(madeOfAttempt);
  const details = attempts.flatMap(({ reference }, at) => {
    const end = ends[at];
    return end ? [transmittedLine(reference, end)] : [];
  });
  const isWhole = details.length === attempts.length;
  return {
    method: 'transmitShipments',
    input: { shipments: shipments.map(handleOf) },
    isSure: true,
    isOnce: true,
    before: () => (isWhole ? made('transmitted', { details }) : null),
  };
}

/** Cancels by tracking number. A booking with a lost answer is withdrawn by its reference alone. */
function cancelSteps({ shipment, draft }: Booking, attempt: ShipmentAttempt): Step[] {
  const before = (): Made | null => {
    const end = madeOfAttempt(attempt);
    // Its own answer was lost, and a later one overwrote its result.
    return end?.code === RULED_OUT ? null : end;
  };
  const cancel: Step = {
    method: 'cancelShipment',
    input: { shipment: handleOf(shipment) },
    isSure: true,
    isOnce: true,
    before,
  };
  if (shipment.trackingNumber !== null) return [cancel];
  return [{ method: 'withdrawByReference', input: { draft }, isSure: false, isOnce: true, before }, cancel];
}
