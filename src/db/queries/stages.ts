import type { OrderStage, ShipmentStage } from '../../domain/shipment-stages.ts';
import type { Today } from '../../lib/period.ts';
import type { Condition } from './conditions.ts';
import { leadOf } from './order-rows.ts';

/** Matches transmitted shipments `s` that no driver has taken. */
export const AWAITS_DRIVER = `s.direction = 'outbound' and s.process_status = 'transmitted'
        and s.picked_up_at is null and s.expired_at is null`;
/** Matches shipments on a bordero. As a scalar query it is one look per row, where `exists` may read the borderos of years. */
export const isListed = (shipment: string): string => `((select true from manifest_items i
        where i.company_id = ${shipment}.company_id and i.shipment_id = ${shipment}.id and i.restored_at is null limit 1) is not null)`;
export const IS_LISTED = isListed('s');

/** Matches shipments `s` with a label that no driver has taken. It has a partial index. */
export const BEFORE_DRIVER = `s.direction = 'outbound' and s.picked_up_at is null and s.expired_at is null
        and s.process_status in ('created', 'transmitting', 'transmitted')`;
/** The stage of such a shipment: the furthest that it has reached. */
export const STAGE_BEFORE_DRIVER = `case when ${IS_LISTED} then 'on_bordero' when s.process_status = 'transmitted' then 'transmitted'
        when s.printed_at is not null then 'printed' else 'booked' end`;
/** Matches shipments `s` that their carrier has scanned and that have not ended. It has a partial index. */
export const WITH_DRIVER = `s.direction = 'outbound' and s.picked_up_at is not null and s.expired_at is null
        and s.process_status in ('created', 'transmitting', 'transmitted')
        and s.tracking_status not in ('delivered', 'returned', 'lost', 'destroyed')`;
/** Matches shipments `s` that were delivered within two instants, which are its parameters. It has an index. */
export const DELIVERED_WITHIN = `s.direction = 'outbound' and s.delivered_at >= ? and s.delivered_at < ?`;
/** Matches pending orders `o` without an outbound shipment. A joined order ships with the one that leads. */
export const TO_SHIP = `o.status = 'pending' and not exists (select 1 from shipments s
        where s.company_id = o.company_id and s.order_id = ${leadOf('o')} and s.direction = 'outbound'
          and s.process_status not in ('cancelled', 'rejected'))`;
/** Matches items `i` of operations that have no answer yet. It has a partial index. */
export const IS_OPEN_ITEM = `i.status in ('pending', 'running')`;

function stageOf(stage: ShipmentStage, { from, until }: Today): Condition {
  switch (stage) {
    case 'with_driver':
      return { sql: WITH_DRIVER, params: [] };
    case 'delivered_today':
      return { sql: DELIVERED_WITHIN, params: [from, until] };
    default:
      return { sql: `${BEFORE_DRIVER} and ${STAGE_BEFORE_DRIVER} = '${stage}'`, params: [] };
  }
}

/** A stage, of one contract or of any. */
export interface StageFilter {
  companyId: number;
  /** Null: any. */
  contractId: number | null;
  today: Today;
}

/** Returns the condition that a row of `shipments` is in a stage. */
export function shipmentIn(stage: ShipmentStage, filter: StageFilter): Condition {
  return within('row.id', 's.id', stage, filter);
}

/** Returns the condition that a row of `orders` is in a stage, itself or with one of its shipments. */
export function orderIn(stage: OrderStage, filter: StageFilter): Condition {
  if (stage !== 'to_ship') return within('row.id', 's.order_id', stage, filter);
  const { companyId, contractId } = filter;
  return {
    sql: `row.id in (select o.id from orders o where o.company_id = ? and ${TO_SHIP}${contractId === null ? '' : ' and o.contract_id = ?'})`,
    params: [companyId, ...(contractId === null ? [] : [contractId])],
  };
}

function within(column: string, found: string, stage: ShipmentStage, filter: StageFilter): Condition {
  const { companyId, contractId, today } = filter;
  const { sql, params } = stageOf(stage, today);
  return {
    sql: `${column} in (select ${found} from shipments s where s.company_id = ? and ${sql}${contractId === null ? '' : ' and s.contract_id = ?'})`,
    params: [companyId, ...params, ...(contractId === null ? [] : [contractId])],
  };
}
