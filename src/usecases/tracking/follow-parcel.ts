import { ManifestItem, Shipment } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { moveManifests, moveOrderOf } from '../../db/queries/statuses.ts';
import { orderStatusOf, type ProcessStatus } from '../../domain/shipment-status.ts';

/** Statuses in which the parcel decides the status of its order. A shipment that is or may be cancelled does not. */
const TRAVELS: readonly ProcessStatus[] = ['created', 'transmitting', 'transmitted'];

/** Updates the order from its parcel. The first scan closes the bordero. */
export async function followParcel(tx: Em, shipmentId: number): Promise<void> {
  const shipment = await tx.findOneOrFail(Shipment, shipmentId, { refresh: true });
  const orderStatus = shipment.trackingStatus === null ? null : orderStatusOf(shipment.trackingStatus);
  if (orderStatus === null || !TRAVELS.includes(shipment.processStatus)) return;
  const { companyId } = shipment;
  const items = await tx.find(ManifestItem, { companyId, shipmentId, restoredAt: null });
  const manifestIds = items.map((item) => item.manifestId);
  await moveManifests(tx, { companyId, manifestIds }, 'closed');
  await moveOrderOf(tx, shipment, orderStatus);
}
