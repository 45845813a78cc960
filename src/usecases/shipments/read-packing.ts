import { readSetUp } from '../../db/queries/read-set-up.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound } from '../../engine/find.ts';
import { loadShippable, type ShippableOrder } from '../../engine/shipment-draft.ts';

/** Reads what the shipment of an order carries, with the parcels that a label would be bought for now. */
export async function readPacking(
  { orm }: Pick<Deps, 'orm'>,
  { companyId, orderId }: { companyId: number; orderId: number },
): Promise<ShippableOrder> {
  const [shippable] = await loadShippable(orm, await readSetUp(orm, companyId), [orderId]);
  if (!shippable) throw notFound('order');
  return shippable;
}
