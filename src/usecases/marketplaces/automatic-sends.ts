import type { Em } from '../../db/orm.ts';
import { intArray } from '../../db/queries/sql.ts';
import { openOperation } from '../../engine/open-operation.ts';

/**
 * Opens confirmations to marketplaces for connections with `confirm_when_transmitted`, also when the shop has another number.
 * It runs in the transaction of the transmission, so none is lost; the sweep enqueues them within seconds.
 */
export async function openAutomaticSends(
  tx: Em,
  transmitted: { companyId: number; requestId: string; shipmentIds: readonly number[] },
): Promise<void> {
  const { companyId, requestId, shipmentIds } = transmitted;
  const wanted = await tx.execute<{ order_id: number; shipment_id: number; connection_id: number }[]>(
    `select o.id as order_id, s.id as shipment_id, c.id as connection_id from shipments s
       join orders o on o.id = s.order_id and o.external_order_id is not null
       join connections c on c.id = o.connection_id and c.confirm_when_transmitted and c.is_connected and not c.delete_flag
      where s.company_id = ? and s.id = any(?::int[]) and s.tracking_number is distinct from s.told_number order by s.id`,
    [companyId, intArray(shipmentIds)],
  );
  if (wanted.length === 0) return;
  const items = wanted.map((row) => ({
    orderId: row.order_id,
    shipmentId: row.shipment_id,
    connectionId: row.connection_id,
  }));
  await openOperation(tx, { companyId, requestId, kind: 'send', input: {} }, items);
}
