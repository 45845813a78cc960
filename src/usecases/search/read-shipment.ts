import { ManifestItem, OrderPart, Parcel, ShipmentAttempt } from '../../db/entities/index.ts';
import { companyEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import type { FindCompany } from '../../engine/find.ts';
import { type DocumentSummary, listDocuments } from '../documents/read-documents.ts';
import { type HeldView, heldFactsOf } from '../held/read-held.ts';
import { readTracking, type TrackingView } from '../orders/read-orders.ts';

export interface ShipmentView {
  tracking: TrackingView;
  /** Null: the whole order. */
  part: OrderPart | null;
  parcels: Parcel[];
  documents: DocumentSummary[];
  /** Null: on no bordero. */
  manifestId: number | null;
  /** The current giacenza. */
  stay: Pick<HeldView, 'held' | 'facts'> | null;
  /** Oldest first. */
  attempts: ShipmentAttempt[];
}

/** Reads one shipment with everything known about it. Throws a 404 for a shipment of another company. */
export async function readShipment(
  deps: Deps & { company: FindCompany },
  input: { companyId: number; shipmentId: number },
): Promise<ShipmentView> {
  const { companyId, shipmentId } = input;
  const tracking = await readTracking(deps, input);
  const em = companyEm(deps.orm, companyId);
  const { partId } = tracking.shipment;
  const [part, parcels, documents, item, stays, attempts] = await Promise.all([
    partId === null ? null : em.findOne(OrderPart, partId),
    em.find(Parcel, { shipmentId }, { orderBy: { position: 'asc' } }),
    listDocuments(deps, input),
    em.findOne(ManifestItem, { shipmentId, restoredAt: null }),
    heldFactsOf(deps, companyEm(deps.orm, companyId), [shipmentId]),
    em.find(ShipmentAttempt, { shipmentId }, { orderBy: { id: 'asc' } }),
  ]);
  return {
    tracking,
    part,
    parcels,
    documents,
    manifestId: item?.manifestId ?? null,
    stay: stays.get(shipmentId) ?? null,
    attempts,
  };
}
