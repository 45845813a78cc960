import { Connection, Order } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { intArray } from '../../db/queries/sql.ts';
import type { Deps } from '../../engine/deps.ts';
import { openOperation } from '../../engine/open-operation.ts';
import { isTold, readOutgoing, shipmentsToSend } from './outgoing.ts';

interface Wanted {
  order_id: number;
  shipment_id: number;
  connection_id: number;
  is_split: boolean;
}

/**
 * Opens confirmations to marketplaces for connections with `confirm_when_transmitted`, also when the shop has another number.
 * It runs in the transaction of the transmission, with the orders locked, so none is lost; the sweep enqueues them within seconds.
 */
export async function openAutomaticSends(
  deps: Pick<Deps, 'marketplaces' | 'vault'>,
  tx: Em,
  transmitted: { companyId: number; requestId: string; shipmentIds: readonly number[] },
): Promise<void> {
  const { companyId, requestId, shipmentIds } = transmitted;
  const wanted = await tx.execute<Wanted[]>(
    `select o.id as order_id, s.id as shipment_id, c.id as connection_id, o.is_split from shipments s
       join orders o on (o.id = s.order_id or o.joined_into = s.order_id) and o.external_order_id is not null
       join connections c on c.id = o.connection_id and c.confirm_when_transmitted and c.is_connected and not c.delete_flag
      where s.company_id = ? and s.id = any(?::int[]) and s.tracking_number is distinct from (case when o.id = s.order_id then s.told_number else o.told_number end)
      order by s.id, o.id`,
    [companyId, intArray(shipmentIds)],
  );
  const whole = wanted.filter((row) => !row.is_split);
  const split = Map.groupBy(
    wanted.filter((row) => row.is_split),
    (row) => row.order_id,
  );
  const items = whole.map((row) => ({
    orderId: row.order_id,
    shipmentId: row.shipment_id,
    connectionId: row.connection_id,
  }));
  for (const rows of split.values()) items.push(...(await itemsOfParts(deps, tx, rows)));
  if (items.length === 0) return;
  await openOperation(tx, { companyId, requestId, kind: 'send', input: {} }, items);
}

/** Where the shop hears of all parts at once, the last transmission opens the send. */
async function itemsOfParts(deps: Pick<Deps, 'marketplaces' | 'vault'>, tx: Em, rows: readonly Wanted[]) {
  const [first] = rows;
  if (!first) return [];
  const { order_id: orderId, connection_id: connectionId } = first;
  const order = await tx.findOneOrFail(Order, orderId);
  const connection = await tx.findOneOrFail(Connection, connectionId);
  const outgoing = await readOutgoing(deps, tx, { order, connection });
  const transmitted = outgoing.shipments.filter(({ processStatus }) => processStatus === 'transmitted');
  const now = new Set(rows.map((row) => row.shipment_id));
  return shipmentsToSend({ ...outgoing, shipments: transmitted })
    .filter((shipment) => !isTold(shipment) && (outgoing.told !== 'each' || now.has(shipment.id)))
    .map(({ id: shipmentId }) => ({ orderId, shipmentId, connectionId }));
}
