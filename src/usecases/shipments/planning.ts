import type { Contract, Order, Shipment } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { readSetUp, type ShippingSetUp } from '../../db/queries/read-set-up.ts';
import type { Deps } from '../../engine/deps.ts';
import type { UnknownOrder } from '../../engine/open-operation.ts';
import { loadShippable, type ShippableOrder } from '../../engine/shipment-draft.ts';

export interface ShipmentRequest {
  orderId: number;
  /** One part of a split order; null: the whole order, or every part of a split one. */
  partId?: number | null;
  /** The carrier contract that the client wants; null: smista chooses one for the direction. */
  contractId: number | null;
  /** True: ship the order although its import found problems, such as digital goods or an open payment. */
  shipAnyway?: boolean;
}

/** A request for the order that leads, with the orders that it was made for. */
export interface PlannedRequest extends ShipmentRequest {
  asking: readonly number[];
}

/**
 * The decision about an order, or about one part of a split order, before anything is written. A refusal with the revision
 * of its order marks the order; one without is about the request.
 */
export type BookingPlan = Place &
  (
    | UnknownOrder
    | { refused: string; revision: number | null }
    | { isBooked: true }
    | { shippable: ShippableOrder; contract: Contract; wishes: Wishes; hasRuleWarehouse?: boolean }
  );

/** The order, or the part of one, that gets a shipment. */
interface Place {
  /** The order that leads, when it is joined. */
  orderId: number;
  partId: number | null;
  /** The orders that the request named, each with an answer of its own; absent: `orderId`. */
  asking?: readonly number[];
  /** The other orders in its shipment. */
  joined?: readonly Pick<Order, 'id' | 'revision'>[];
}

/** Services that the carrier provides in addition to the transport. */
export type Wishes = Pick<Shipment, 'codCents' | 'insuredCents' | 'options'>;

/** The orders of some requests of one company, with everything that decides how they are shipped. */
export interface Planning {
  em: Em;
  setUp: ShippingSetUp;
  /** The orders that exist, by id. */
  shippables: ReadonlyMap<number, ShippableOrder>;
  /** The batches that were asked for, with each order, join or part once: the last request for it counts. */
  batches: readonly (readonly PlannedRequest[])[];
}

/** Batches of so few orders are planned and opened together with others of their company that come at the same moment. */
const FEW = 10;

export function isFew(requests: readonly unknown[]): boolean {
  return requests.length <= FEW;
}

/** Returns the key of an order, or of a part of one. */
export function keyOf({ orderId, partId }: { orderId: number; partId?: number | null }): string {
  return `${orderId}/${partId ?? ''}`;
}

/** Reads what planning needs. A joined order counts as the one that leads, with an answer for each that was asked for. */
export async function readPlanning(
  { orm }: Pick<Deps, 'orm'>,
  { companyId, batches }: { companyId: number; batches: readonly (readonly ShipmentRequest[])[] },
): Promise<Planning> {
  const em = companyEm(orm, companyId);
  const setUp = await readSetUp(orm, companyId);
  const found = await loadShippable(orm, setUp, [...new Set(batches.flat().map(({ orderId }) => orderId))]);
  const leads = new Map(found.flatMap(({ order, joined }) => joined.map(({ id }) => [id, order.id] as const)));
  const shippables = new Map(found.map((shippable) => [shippable.order.id, shippable]));
  return { em, setUp, shippables, batches: batches.map((requests) => eachOnce(requests, leads)) };
}

function eachOnce(requests: readonly ShipmentRequest[], leads: ReadonlyMap<number, number>): PlannedRequest[] {
  const planned = new Map<string, PlannedRequest>();
  for (const request of requests) {
    const led = { ...request, orderId: leads.get(request.orderId) ?? request.orderId };
    const asking = [...(planned.get(keyOf(led))?.asking ?? []), request.orderId];
    planned.set(keyOf(led), { ...led, asking: [...new Set(asking)] });
  }
  return [...planned.values()];
}
