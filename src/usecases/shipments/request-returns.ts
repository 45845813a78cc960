import { Shipment } from '../../db/entities/index.ts';
import { pickContract } from '../../engine/contracts.ts';
import type { Deps } from '../../engine/deps.ts';
import type { Origin } from '../../engine/idempotency.ts';
import type { OpenedBatch } from '../../engine/open-operation.ts';
import { returnRefusal } from '../quotes/eligibility.ts';
import { hasLabel, openBooking } from './open-booking.ts';
import {
  type BookingPlan,
  type PlannedRequest,
  type Planning,
  readPlanning,
  type ShipmentRequest,
  type Wishes,
} from './planning.ts';

/** Options of the order are for the way to the customer, not for the return. */
const NO_WISHES: Wishes = { codCents: null, insuredCents: null, options: [] };

/**
 * Books return labels for customers. A return is a shipment of its own beside the outbound one, booked in the same way. A repeated
 * request for an order that has a return label succeeds with that label.
 */
export async function requestReturns(
  deps: Deps,
  input: Origin & { requests: readonly ShipmentRequest[] },
): Promise<OpenedBatch> {
  const plans = await planAll(
    deps,
    await readPlanning(deps, { companyId: input.companyId, batches: [input.requests] }),
  );
  return openBooking(deps, input, { direction: 'return', plans });
}

async function planAll(deps: Deps, { em, setUp, shippables, batches }: Planning): Promise<BookingPlan[]> {
  const requests = batches.flat();
  const { company, contracts } = setUp;
  const orderIds = requests.map((request) => request.orderId);
  const active = await em.find(
    Shipment,
    { orderId: { $in: orderIds }, processStatus: { $nin: ['cancelled', 'rejected'] } },
    { orderBy: { id: 'asc' } },
  );
  const carriers = new Map(setUp.carriers.map(({ id, code }) => [id, deps.carriers.get(code)]));

  const planOne = ({ orderId, contractId, asking }: PlannedRequest): BookingPlan => {
    const place = { orderId, partId: null, asking, revision: null };
    const shippable = shippables.get(orderId);
    if (!shippable) return { ...place, unknownOrderId: orderId };
    if (shippable.order.forgottenAt !== null)
      return {
        ...place,
        refused: `The personal data of order ${orderId} was erased: there is no address to send from`,
      };
    const own = active.filter((shipment) => shipment.orderId === orderId);
    if (own.some(({ direction, deliveredAt }) => direction === 'return' && !deliveredAt))
      return { ...place, isBooked: true };
    // One return takes back all parts of a split order, under the contract of the first that was sent.
    const sent = own.find((shipment) => shipment.direction === 'outbound' && hasLabel(shipment));
    if (!sent) return { ...place, refused: `Order ${orderId} has no label yet: there is nothing to send back` };
    const contract = pickContract(contracts, contractId ?? sent.contractId);
    if (typeof contract === 'string') return { ...place, refused: contract };
    const carrier = carriers.get(contract.carrierId);
    const refused = returnRefusal(shippable, { company, contract, carrier });
    return refused === null ? { ...place, shippable, contract, wishes: NO_WISHES } : { ...place, refused };
  };
  return requests.map(planOne);
}
