import { CarrierRow, Contract, Pickup } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound } from '../../engine/find.ts';

export interface PickupView {
  pickup: Pickup;
  carrier: CarrierRow;
}

/** Lists pickups, newest first. */
export async function listPickups(
  deps: Pick<Deps, 'orm'>,
  page: { companyId: number; limit: number; beforeId: number | null },
): Promise<PickupView[]> {
  const em = companyEm(deps.orm, page.companyId);
  const where = page.beforeId === null ? {} : { id: { $lt: page.beforeId } };
  return viewsOf(em, await em.find(Pickup, where, { orderBy: { id: 'desc' }, limit: page.limit }));
}

export async function readPickup(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; pickupId: number },
): Promise<PickupView> {
  const em = companyEm(deps.orm, input.companyId);
  const [view] = await viewsOf(em, await em.find(Pickup, { id: input.pickupId }));
  if (!view) throw notFound('pickup');
  return view;
}

async function viewsOf(em: Em, pickups: Pickup[]): Promise<PickupView[]> {
  const contracts = await em.find(Contract, { id: { $in: pickups.map((pickup) => pickup.contractId) } });
  const carriers = await em.find(CarrierRow, {});
  return pickups.flatMap((pickup) => {
    const contract = contracts.find((row) => row.id === pickup.contractId);
    const carrier = carriers.find((row) => row.id === contract?.carrierId);
    return carrier ? [{ pickup, carrier }] : [];
  });
}
