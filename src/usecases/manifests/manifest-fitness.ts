import { type CarrierRow, ManifestItem, type Shipment } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { findAwaited } from '../../db/queries/operations.ts';
import type { Deps } from '../../engine/deps.ts';

/** Returns why an active shipment cannot go on a bordero now, null when it can. */
export type ManifestRefusal = (shipment: Shipment) => string | null;

/** Reads the reasons that keep shipments off a bordero. The caller locks their rows, as a cancellation does. */
export async function manifestRefusals(
  deps: Pick<Deps, 'carriers'>,
  tx: Em,
  { shipments, carriers }: { shipments: readonly Shipment[]; carriers: readonly CarrierRow[] },
): Promise<ManifestRefusal> {
  const shipmentIds = shipments.map(({ id }) => id);
  const items = await tx.find(
    ManifestItem,
    { shipmentId: { $in: shipmentIds }, restoredAt: null },
    { fields: ['shipmentId'] },
  );
  const taken = new Set(items.map((item) => item.shipmentId));
  const cancelling = await findAwaited(tx, { shipmentIds, kind: 'cancel' });
  const needsTransmit = new Set(
    carriers.filter(({ code }) => deps.carriers.get(code)?.transmitShipments !== undefined).map(({ id }) => id),
  );
  return ({ id, orderId, carrierId, processStatus }) => {
    if (taken.has(id)) return `Order ${orderId} is already on a bordero`;
    if (cancelling.has(id)) return `The shipment of order ${orderId} is being cancelled`;
    if (!['created', 'transmitting', 'transmitted'].includes(processStatus)) {
      return `The shipment of order ${orderId} is not created yet`;
    }
    if (needsTransmit.has(carrierId) && processStatus !== 'transmitted') {
      return `The shipment of order ${orderId} is not transmitted yet`;
    }
    return null;
  };
}
