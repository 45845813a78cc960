import type { Em } from '../../db/orm.ts';
import { intArray } from '../../db/queries/sql.ts';
import { openOperation } from '../../engine/open-operation.ts';

/**
 * Has shipments confirmed to their marketplaces, where a connection wants that at once; also after it was told another number. Written with the transmission itself, so
 * that none is forgotten; the sweep queues them within seconds.
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
