import { Company } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { leadsOf } from '../../db/queries/joined-orders.ts';
import type { Deps } from '../../engine/deps.ts';

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
  company: Company;
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
  const company = await em.findOneOrFail(Company, companyId);
  const leads = await leadsOf(em, { companyId, orderIds: requests.map(({ orderId }) => orderId) });
  const planned = new Map<string, PlannedRequest>();
  for (const request of requests) {
    const led = { ...request, orderId: leads.get(request.orderId) ?? request.orderId };
    const asking = [...(planned.get(keyOf(led))?.asking ?? []), request.orderId];
    planned.set(keyOf(led), { ...led, asking: [...new Set(asking)] });
  }
  return { em, company, requests: [...planned.values()] };
}
