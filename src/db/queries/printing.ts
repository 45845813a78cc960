import type { Em } from '../orm.ts';
import { intArray } from './sql.ts';

/**
 * Condition for a shipment `s` whose label exists, is not marked as printed, and whose parcel was not scanned yet. A
 * parcel that travels had its label printed, marked or not.
 */
export const WAITS_FOR_PRINTING = `s.printed_at is null and s.picked_up_at is null and s.direction = 'outbound'
  and s.process_status in ('created', 'transmitting', 'transmitted') and s.expired_at is null and s.label_missing_since is null
  and exists (select 1 from documents d where d.company_id = s.company_id and d.shipment_id = s.id and d.kind = 'label')`;

/** Condition for a shipment `s` whose label is marked as printed, and which was not cancelled since. */
export const IS_PRINTED = `s.printed_at is not null and s.direction = 'outbound'
  and s.process_status not in ('cancelled', 'rejected')`;

/** Marks labels as printed; the first time stays. */
export async function markPrinted(
  em: Em,
  { companyId, shipmentIds, at }: { companyId: number; shipmentIds: readonly number[]; at: Date },
): Promise<void> {
  await em.execute(
    `update shipments set printed_at = ?
      where id in (select id from shipments where company_id = ? and id = any(?::int[]) and printed_at is null
                    order by id for no key update)`,
    [at, companyId, intArray(shipmentIds)],
  );
}

/** Condition for a shipment `s` whose label is on its way to a printer, or may be on paper. Only a person prints such a label again. */
const AT_A_PRINTER = `exists (select 1 from operation_items i where i.company_id = s.company_id and i.shipment_id = s.id
    and i.kind = 'print' and (i.status in ('pending', 'running') or i.failure_kind = 'unknown-outcome'))`;

/** Returns true when a printer may have printed the label of a shipment without confirming it. */
export async function isPrintDoubted(
  em: Em,
  { companyId, shipmentId }: { companyId: number; shipmentId: number },
): Promise<boolean> {
  const rows = await em.execute<{ id: number }[]>(
    `select id from operation_items where company_id = ? and shipment_id = ? and kind = 'print'
        and status = 'failed' and failure_kind = 'unknown-outcome' limit 1`,
    [companyId, shipmentId],
  );
  return rows.length > 0;
}

/** Returns the shipments whose labels wait to be printed and are at no printer, oldest first. */
export async function findUnprinted(
  em: Em,
  { companyId, limit }: { companyId: number; limit: number },
): Promise<{ id: number; trackingNumber: string | null }[]> {
  const rows = await em.execute<{ id: number; tracking_number: string | null }[]>(
    `select s.id, s.tracking_number from shipments s
      where s.company_id = ? and ${WAITS_FOR_PRINTING} and not ${AT_A_PRINTER} order by s.id limit ?`,
    [companyId, limit],
  );
  return rows.map((row) => ({ id: row.id, trackingNumber: row.tracking_number }));
}
