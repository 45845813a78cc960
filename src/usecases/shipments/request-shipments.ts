import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Company, OrderPart } from '../../db/entities/index.ts';
import type { Em, Orm } from '../../db/orm.ts';
import { batched } from '../../db/queries/batched.ts';
import { runPrepared, type Statement } from '../../db/queries/prepared.ts';
import type { Deps } from '../../engine/deps.ts';
import type { Origin } from '../../engine/idempotency.ts';
import type { OpenedBatch, UnknownOrder } from '../../engine/open-operation.ts';
import { partOf, type ShippableOrder } from '../../engine/shipment-draft.ts';
import { type Way, WayChooser } from '../rules/choose-way.ts';
import { openBooking } from './open-booking.ts';
import {
  type BookingPlan,
  isFew,
  keyOf,
  type PlannedRequest,
  type Planning,
  readPlanning,
  type ShipmentRequest,
  type Wishes,
} from './planning.ts';

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
  const asked = { deps, ...input };
  const [plans] = isFew(input.requests)
    ? [await planWithOthers(deps.orm, asked)]
    : await planTogether(deps.orm, [asked]);
  return plans ?? [];
}

interface Asked {
  deps: Deps;
  companyId: number;
  requests: readonly ShipmentRequest[];
}

/** Requests for single orders come at the same moment: they share what planning reads. */
const planWithOthers = batched(planTogether, { keyOf: ({ companyId }: Asked) => companyId, isRead: true });

async function planTogether(_orm: Orm, asked: readonly Asked[]): Promise<BookingPlan[][]> {
  const [{ deps, companyId }] = asked as [Asked];
  const planning = await readPlanning(deps, { companyId, batches: asked.map(({ requests }) => requests) });
  return planAll(deps, planning);
}

async function planAll(deps: Deps, { em, setUp, shippables: known, batches }: Planning): Promise<BookingPlan[][]> {
  const { company } = setUp;
  const [shipped, parts] = await Promise.all([
    readShipped(deps.orm, { companyId: company.id, orderIds: [...known.keys()] }),
    readParts(em, [...known.values()]),
  ]);
  const wanted = batches.map((requests) =>
    requests.flatMap((request) => wantedOf(request, { shippable: known.get(request.orderId), parts, company })),
  );
  const booked = new Set(shipped.map(keyOf));
  const shippables = wanted.flat().flatMap((one) => ('shippable' in one ? one.shippable : []));
  const chooser = await WayChooser.open(deps, em, { setUp, shippables });
  let count = 0;
  const plansOf = async (batch: readonly Wanted[]): Promise<BookingPlan[]> => {
    const plans: BookingPlan[] = [];
    for (const one of batch) {
      if (count++ % PLANNED_AT_ONCE === 0) await letOthersRun();
      plans.push(await planOne(one, { booked, chooser }));
    }
    return plans;
  };
  const plans: BookingPlan[][] = [];
  for (const batch of wanted) plans.push(await plansOf(batch));
  return plans;
}

async function planOne(
  { request, ...one }: Wanted,
  { booked, chooser }: { booked: ReadonlySet<string>; chooser: WayChooser },
): Promise<BookingPlan> {
  const joined = 'shippable' in one ? one.shippable.joined : [];
  const place = { orderId: one.orderId, partId: one.partId, asking: request.asking, joined };
  if ('unknownOrderId' in one) return { ...place, ...one };
  if (booked.has(keyOf(one))) return { ...place, isBooked: true };
  const way = await chooser.choose({ ...request, shippable: one.shippable });
  if (typeof way === 'string') return { ...place, refused: way, revision: one.shippable.order.revision };
  return {
    ...place,
    shippable: way.shippable,
    contract: way.contract,
    wishes: wishesOf(way),
    hasRuleWarehouse: way.shippable !== one.shippable,
  };
}

const READ_SHIPPED: Statement = {
  name: 'read-shipped',
  text: `
    select order_id as "orderId", part_id as "partId" from shipments
     where company_id = $1 and order_id = any((select $2)::int[]) and direction = 'outbound'
       and process_status not in ('cancelled', 'rejected')`,
};

/** Reads which orders, or parts of them, have a live shipment. */
async function readShipped(
  orm: Orm,
  { companyId, orderIds }: { companyId: number; orderIds: readonly number[] },
): Promise<{ orderId: number; partId: number | null }[]> {
  return orderIds.length === 0 ? [] : runPrepared(orm, READ_SHIPPED, [companyId, orderIds]);
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
