import type { LabelFile, TransmitResult } from '../../carriers/adapter.ts';
import { Document, DocumentShipment, type Shipment } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import type { StoredBytes } from '../../engine/document-store.ts';

/** A carrier's own list of shipments that it confirmed together. Its bytes are stored, its row is not inserted yet. */
export interface CarrierList {
  companyId: number;
  stored: StoredBytes;
  shipmentIds: number[];
}

/** Stores the lists. Call it outside of transactions, because a bucket is a network call. */
export async function storeCarrierLists(
  deps: Pick<Deps, 'documents'>,
  companyId: number,
  confirmed: { claims: readonly { shipment: Shipment }[]; byReference: ReadonlyMap<string, TransmitResult> },
): Promise<CarrierList[]> {
  const listed = new Map<LabelFile, number[]>();
  for (const { shipment } of confirmed.claims) {
    const file = confirmed.byReference.get(shipment.reference ?? '')?.manifest;
    if (file) listed.set(file, [...(listed.get(file) ?? []), shipment.id]);
  }
  return Promise.all(
    [...listed].map(async ([file, shipmentIds]) => ({
      companyId,
      shipmentIds,
      stored: await deps.documents.put(companyId, file),
    })),
  );
}

export async function insertCarrierLists(em: Em, lists: readonly CarrierList[]): Promise<void> {
  for (const { companyId, stored, shipmentIds } of lists) {
    const row = { companyId, shipmentId: null, kind: 'manifest', position: 1, ...stored } as const;
    const documentId = Number(await em.insert(Document, row));
    await em.insertMany(
      DocumentShipment,
      shipmentIds.map((shipmentId) => ({ companyId, documentId, shipmentId })),
    );
  }
}
