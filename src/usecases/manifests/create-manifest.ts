import { CarrierRow, Company, type Manifest, Order, type Shipment } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { lockActiveShipments } from '../../db/queries/move-shipments.ts';
import type { Deps } from '../../engine/deps.ts';
import { unprocessable } from '../../engine/find.ts';
import { markMade, type Origin } from '../../engine/idempotency.ts';
import { manifestRefusals } from './manifest-fitness.ts';
import { lockManifests, writeManifest } from './write-manifest.ts';

/** Puts orders on a new bordero. Throws one reason per unfit order and then creates nothing. */
export async function createManifest(
  deps: Deps,
  input: Pick<Origin, 'companyId' | 'once'> & { carrierId: number; orderIds: readonly number[] },
): Promise<Manifest> {
  const em = companyEm(deps.orm, input.companyId);
  const company = await em.findOneOrFail(Company, input.companyId);
  const carrier = await em.findOne(CarrierRow, input.carrierId);
  if (!carrier) {
    throw unprocessable('There is no such carrier', [{ pointer: '/carrierId', message: 'There is no such carrier' }]);
  }

  return em.transactional(async (tx) => {
    await lockManifests(tx, company.id);
    const byOrder = await lockActiveShipments(tx, { companyId: company.id, orderIds: input.orderIds });
    const shipments = await pickFit(deps, tx, { orderIds: input.orderIds, byOrder, carrier });
    const manifest = await writeManifest(deps, tx, { company, carrier, shipments });
    await markMade(tx, input.once, manifest.id);
    return manifest;
  });
}

/** Returns the shipments to put on the bordero; of a split order those parts that can go on it now. */
async function pickFit(
  deps: Deps,
  tx: Em,
  {
    orderIds,
    byOrder,
    carrier,
  }: { orderIds: readonly number[]; byOrder: Map<number, Shipment[]>; carrier: CarrierRow },
): Promise<Shipment[]> {
  const known = new Set((await tx.find(Order, { id: { $in: [...orderIds] } })).map((order) => order.id));
  const shipments = [...byOrder.values()].flat();
  const refusalOf = await manifestRefusals(deps, tx, { shipments, carriers: [carrier] });
  const reasons = new Map(
    shipments.map((shipment) => [
      shipment.id,
      shipment.carrierId === carrier.id
        ? refusalOf(shipment)
        : `Order ${shipment.orderId} is not shipped with ${carrier.name}`,
    ]),
  );
  const isFit = ({ id }: Shipment): boolean => reasons.get(id) === null;
  const contractId = Math.min(...shipments.filter(isFit).map((shipment) => shipment.contractId));
  const seen = new Set<number>();
  const reason = (orderId: number): string | null => {
    const own = byOrder.get(orderId) ?? [];
    if (seen.has(orderId)) return `Order ${orderId} is listed twice`;
    seen.add(orderId);
    if (!known.has(orderId)) return `There is no order ${orderId}`;
    if (own.length === 0) return `Order ${orderId} has no shipment`;
    const ownFit = own.filter(isFit);
    if (ownFit.length === 0) return reasons.get(own[0]?.id ?? 0) ?? null;
    return ownFit.some((shipment) => shipment.contractId !== contractId)
      ? `Order ${orderId} is shipped under another contract than the others: one bordero per contract`
      : null;
  };
  const violations = orderIds.flatMap((orderId, index) => {
    const message = reason(orderId);
    return message === null ? [] : [{ pointer: `/orderIds/${index}`, message }];
  });
  if (violations.length > 0) throw unprocessable('Some orders cannot go on this bordero', violations);
  // Joined orders share one shipment.
  return [...new Set(orderIds.flatMap((orderId) => byOrder.get(orderId) ?? []))].filter(isFit);
}
