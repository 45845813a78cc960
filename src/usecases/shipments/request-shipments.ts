import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Company, OrderPart } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { intArray } from '../../db/queries/sql.ts';
import type { Deps } from '../../engine/deps.ts';
import type { Origin } from '../../engine/idempotency.ts';
import type { OpenedBatch, UnknownOrder } from '../../engine/open-operation.ts';
import { partOf, type ShippableOrder } from '../../engine/shipment-draft.ts';
import { type Way, WayChooser } from '../rules/choose-way.ts';
import { type BookingPlan, openBooking, type Wishes } from './open-booking.ts';
import { type PlannedRequest, type Planning, readPlanning, type ShipmentRequest } from './planning.ts';

/** Thousands of orders take a tenth of a second, which would block all other requests, so the loop yields. */
const PLANNED_AT_ONCE = 50;

/**
 * Checks every order, inserts a shipment for each that has none, and queues the bookings. A repeated request for an order that
 * has a label succeeds with that label.
 */
export async function requestShipments(
  deps: Deps,
  input: Origin & { requests: readonly ShipmentRequest[] },
): Promise<OpenedBatch> {
  return openBooking(deps, input, { direction: 'outbound', plans: await planShipments(deps, input) });
}

/** Decides for every order how it is shipped, or why it is not, and writes nothing. */
export async function planShipments(
  deps: Deps,
  input: { companyId: number; requests: readonly ShipmentRequest[] },
): Promise<BookingPlan[]> {
  return planAll(deps, await readPlanning(deps, input));
}

async function planAll(deps: Deps, { em, setUp, shippables: known, requests }: Planning): Promise<BookingPlan[]> {
  const { company } = setUp;
  const shipped = await readShipped(em, { companyId: company.id, orderIds: [...known.keys()] });
  const parts = await readParts(em, [...known.values()]);
  const wanted = requests.flatMap((request) =>
    wantedOf(request, { shippable: known.get(request.orderId), parts, company }),
  );
  const booked = new Set(shipped.map(({ orderId, partId }) => `${orderId}/${partId ?? ''}`));
  const shippables = wanted.flatMap((one) => ('shippable' in one ? one.shippable : []));
  const chooser = await WayChooser.open(deps, em, { setUp, shippables });

  const plans: BookingPlan[] = [];
  for (const { request, ...one } of wanted) {
    if (plans.length % PLANNED_AT_ONCE === 0) await letOthersRun();
    const joined = 'shippable' in one ? one.shippable.joined : [];
    const place = { orderId: one.orderId, partId: one.partId, asking: request.asking, joined };
    if ('unknownOrderId' in one) plans.push({ ...place, ...one });
    else if (booked.has(`${one.orderId}/${one.partId ?? ''}`)) plans.push({ ...place, isBooked: true });
    else {
      const way = await chooser.choose({ ...request, shippable: one.shippable });
      plans.push(
        typeof way === 'string'
          ? { ...place, refused: way, revision: one.shippable.order.revision }
          : {
              ...place,
              shippable: way.shippable,
              contract: way.contract,
              wishes: wishesOf(way),
              hasRuleWarehouse: way.shippable !== one.shippable,
            },
      );
    }
  }
  return plans;
}

/** Reads which orders, or parts of them, have a live shipment. */
async function readShipped(
  em: Em,
  { companyId, orderIds }: { companyId: number; orderIds: readonly number[] },
): Promise<{ orderId: number; partId: number | null }[]> {
  if (orderIds.length === 0) return [];
  return em.execute(
    `select order_id as "orderId", part_id as "partId" from shipments
      where company_id = ? and order_id = any(?::int[]) and direction = 'outbound'
        and process_status not in ('cancelled', 'rejected')`,
    [companyId, intArray(orderIds)],
  );
}

/** Reads the parts of the split orders among them, by order; most calls name none and read nothing. */
async function readParts(em: Em, found: readonly ShippableOrder[]): Promise<Map<number, OrderPart[]>> {
  const orderIds = found.filter(({ order }) => order.isSplit).map(({ order }) => order.id);
  if (orderIds.length === 0) return new Map();
  const parts = await em.find(
    OrderPart,
    { orderId: { $in: orderIds }, replacedAt: null },
    { orderBy: { position: 'asc' } },
  );
  return Map.groupBy(parts, ({ orderId }) => orderId);
}

type Wanted = { orderId: number; partId: number | null; request: PlannedRequest } & (
  | UnknownOrder
  | { shippable: ShippableOrder }
);

/** Lists what a request wants to be shipped: the order, or of a split order one part or all of them. */
function wantedOf(
  request: PlannedRequest,
  known: { shippable: ShippableOrder | undefined; parts: ReadonlyMap<number, OrderPart[]>; company: Company },
): Wanted[] {
  const { orderId, partId = null } = request;
  const { shippable, company } = known;
  const unknown = (more: { message?: string }): Wanted[] => [
    { orderId, partId, request, unknownOrderId: orderId, ...more },
  ];
  if (!shippable) return unknown({});
  if (!shippable.order.isSplit) {
    return partId === null
      ? [{ orderId, partId, request, shippable }]
      : unknown({ message: `Order ${orderId} is not split: leave out partId` });
  }
  const own = (known.parts.get(orderId) ?? []).filter(({ id }) => partId === null || id === partId);
  if (own.length === 0) {
    return unknown({ message: `Order ${orderId} has no part ${partId}: GET /orders/${orderId} lists its parts` });
  }
  return own.map((part) => ({ orderId, partId: part.id, request, shippable: partOf(shippable, part, company) }));
}

/** Returns the services beside the transport: the order's, and those that the rule or the price chose. */
function wishesOf({ shippable: { order }, options }: Way): Wishes {
  return {
    codCents: order.codCents,
    insuredCents: order.insurance ? order.grossCents : null,
    options: [...new Set([...order.carrierOptions, ...options])],
  };
}
