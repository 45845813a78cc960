import { Manifest } from '../../db/entities/index.ts';
import { companyEm } from '../../db/orm.ts';
import { intArray } from '../../db/queries/sql.ts';
import { lockOrders, moveManifests, moveOrders } from '../../db/queries/statuses.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound } from '../../engine/find.ts';
import { manifestLines } from './read-manifests.ts';

export interface ManifestDeletion {
  mode: 'preview' | 'full' | 'partial';
  targetStatus: 'transmitted' | 'shipment_created';
  restored: number;
  kept: number;
}

/**
 * Removes the orders whose parcels have not moved from a bordero; the others stay on it. Without `confirm` it only returns
 * the plan.
 */
export async function deleteManifest(
  deps: Pick<Deps, 'orm' | 'now'>,
  input: { companyId: number; manifestId: number; confirm: boolean },
): Promise<ManifestDeletion> {
  return companyEm(deps.orm, input.companyId).transactional(async (tx) => {
    await tx.execute('select id from manifests where id = ? and company_id = ? for update', [
      input.manifestId,
      input.companyId,
    ]);
    const manifest = await tx.findOne(Manifest, { id: input.manifestId, status: { $ne: 'deleted' } });
    if (!manifest) throw notFound('bordero');
    const lines = await manifestLines(tx, manifest.id);
    const still = lines.filter(
      ({ shipment }) => shipment.trackingStatus === null || shipment.trackingStatus === 'awaiting_pickup',
    );
    const transmitted = still.filter(({ shipment }) => shipment.transmittedAt !== null);
    const kept = lines.length - still.length;
    const plan = {
      targetStatus: still.length > 0 && transmitted.length === 0 ? 'shipment_created' : 'transmitted',
      restored: still.length,
      kept,
    } as const;
    if (!input.confirm) return { mode: 'preview', ...plan };

    await tx.execute('update manifest_items set restored_at = ? where company_id = ? and id = any(?::int[])', [
      deps.now(),
      input.companyId,
      intArray(still.map(({ item }) => item.id)),
    ]);
    await lockOrders(tx, { companyId: input.companyId, orderIds: still.map(({ order }) => order.id) });
    const restore = async (wasTransmitted: boolean): Promise<void> => {
      const orderIds = still
        .filter(({ shipment }) => (shipment.transmittedAt !== null) === wasTransmitted)
        .map(({ order }) => order.id);
      const to = wasTransmitted ? 'transmitted' : 'shipment_created';
      await moveOrders(tx, { companyId: input.companyId, orderIds }, to);
    };
    await restore(true);
    await restore(false);
    const left = lines.filter((line) => !still.includes(line));
    const sum = (of: (line: (typeof left)[number]) => number): number =>
      left.reduce((total, line) => total + of(line), 0);
    await tx.nativeUpdate(
      Manifest,
      { id: manifest.id },
      {
        totalShipments: left.length,
        totalParcels: sum(({ shipment }) => shipment.parcelCount),
        totalWeightGrams: sum(({ shipment }) => shipment.weightGrams),
        codCents: sum(({ shipment }) => shipment.codCents ?? 0),
        updatedAt: deps.now(),
      },
    );
    if (kept > 0) return { mode: 'partial', ...plan };
    await moveManifests(tx, { companyId: input.companyId, manifestIds: [manifest.id] }, 'deleted');
    return { mode: 'full', ...plan };
  });
}
