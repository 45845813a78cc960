import { companyEm, type Em } from '../../db/orm.ts';
import { readSetUp, type ShippingSetUp } from '../../db/queries/read-set-up.ts';
import type { Deps } from '../../engine/deps.ts';
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

/** Requests of one company, each order, join or part once: the last request for it counts. */
export interface Planning {
  em: Em;
  setUp: ShippingSetUp;
  /** The orders that exist, by id. */
  shippables: ReadonlyMap<number, ShippableOrder>;
  requests: readonly PlannedRequest[];
}

/** Returns the key of an order, or of a part of one. */
export function keyOf({ orderId, partId }: { orderId: number; partId?: number | null }): string {
  return `${orderId}/${partId ?? ''}`;
}

/** Reads what planning needs. A joined order counts as the one that leads, with an answer for each that was asked for. */
export async function readPlanning(
  { orm }: Pick<Deps, 'orm'>,
  { companyId, requests }: { companyId: number; requests: readonly ShipmentRequest[] },
): Promise<Planning> {
  const em = companyEm(orm, companyId);
  const setUp = await readSetUp(orm, companyId);
  const found = await loadShippable(orm, setUp, [...new Set(requests.map(({ orderId }) => orderId))]);
  const leads = new Map(found.flatMap(({ order, joined }) => joined.map(({ id }) => [id, order.id] as const)));
  const planned = new Map<string, PlannedRequest>();
  for (const request of requests) {
    const led = { ...request, orderId: leads.get(request.orderId) ?? request.orderId };
    const asking = [...(planned.get(keyOf(led))?.asking ?? []), request.orderId];
    planned.set(keyOf(led), { ...led, asking: [...new Set(asking)] });
  }
  const shippables = new Map(found.map((shippable) => [shippable.order.id, shippable]));
  return { em, setUp, shippables, requests: [...planned.values()] };
}
