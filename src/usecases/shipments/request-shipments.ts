import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Contract, Shipment } from '../../db/entities/index.ts';
import { pickContract, readContracts, usableOf } from '../../engine/contracts.ts';
import type { Deps } from '../../engine/deps.ts';
import type { Origin } from '../../engine/idempotency.ts';
import type { OpenedOperation } from '../../engine/open-operation.ts';
import { carrierOptions, loadShippable, type ShippableOrder } from '../../engine/shipment-draft.ts';
import { orderRefusal } from '../quotes/eligibility.ts';
import { cheapest, Pricer } from '../quotes/quote-shipment.ts';
import {
  type BookingPlan,
  openBooking,
  type Planning,
  readPlanning,
  type ShipmentRequest,
  type Wishes,
} from './open-booking.ts';

/** Thousands of orders take a tenth of a second, in which nobody else would be answered. */
const PLANNED_AT_ONCE = 50;

interface Way {
  contract: Contract;
  wishes: Wishes;
}

/**
 * Checks every order, writes a shipment for each that has none, and queues them towards their carriers. Asking again for
 * an order that has its label is a success with that label.
 */
export async function requestShipments(
  deps: Deps,
  input: Origin & { requests: readonly ShipmentRequest[] },
): Promise<OpenedOperation> {
  const plans = await planAll(deps, await readPlanning(deps, input));
  return openBooking(deps, input, { direction: 'outbound', plans });
}

async function planAll(deps: Deps, { em, company, requests }: Planning): Promise<BookingPlan[]> {
  const orderIds = requests.map((request) => request.orderId);
  const [found, shipped, contracts] = await Promise.all([
    loadShippable(deps.orm, company, orderIds),
    em.find(
      Shipment,
      { orderId: { $in: orderIds }, direction: 'outbound', processStatus: { $nin: ['cancelled', 'rejected'] } },
      { fields: ['orderId'] },
    ),
    readContracts(em),
  ]);
  const shippables = new Map(found.map((shippable) => [shippable.order.id, shippable]));
  const booked = new Set(shipped.map(({ orderId }) => orderId));
  const pricer = await Pricer.open(deps, em, { company, shippables: found });

  const plans: BookingPlan[] = [];
  for (const { orderId, contractId, shipAnyway = false } of requests) {
    if (plans.length % PLANNED_AT_ONCE === 0) await letOthersRun();
    const shippable = shippables.get(orderId);
    if (!shippable) plans.push({ orderId, refused: `There is no order ${orderId}` });
    else if (booked.has(orderId)) plans.push({ orderId, isBooked: true });
    else {
      const chosen = await chooseWay(pricer, { contracts, shippable, contractId, shipAnyway });
      plans.push(typeof chosen === 'string' ? { orderId, refused: chosen } : { orderId, shippable, ...chosen });
    }
  }
  return plans;
}

/** The contract to ship with, or why there is none. */
async function chooseWay(
  pricer: Pricer,
  input: {
    contracts: readonly Contract[];
    shippable: ShippableOrder;
    contractId: number | null;
    shipAnyway: boolean;
  },
): Promise<Way | string> {
  const { contracts, shippable } = input;
  const refused = orderRefusal(shippable, input);
  if (refused !== null) return refused;
  const wanted = input.contractId ?? shippable.order.contractId ?? pricer.company.defaultContractId;
  if (wanted !== null) {
    const contract = pickContract(contracts, wanted);
    if (typeof contract === 'string') return contract;
    return pricer.contractRefusal(shippable, contract) ?? { contract, wishes: wishesOf(shippable, null) };
  }
  const offers = await Promise.all(usableOf(contracts).map((contract) => pricer.offers(contract, shippable)));
  const able = offers
    .flat()
    .filter((one) => pricer.contractRefusal(shippable, one.contract, one.service?.code) === null);
  const best = cheapest(able);
  if (!best) return 'No carrier contract can take this order: name one, or give the company a default';
  return { contract: best.contract, wishes: wishesOf(shippable, best.service?.code ?? null) };
}

/** With the carrier's service that was chosen because it costs least; null: as the order says. */
function wishesOf({ order }: ShippableOrder, service: string | null): Wishes {
  return {
    codCents: order.codCents,
    insuredCents: order.insurance ? order.grossCents : null,
    options: carrierOptions(order, service),
  };
}
