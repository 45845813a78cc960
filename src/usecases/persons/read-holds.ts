import type { Em } from '../../db/orm.ts';
import { intArray } from '../../db/queries/sql.ts';
import type { ErasureHold } from '../../domain/erasure-holds.ts';
import type { Deps } from '../../engine/deps.ts';
import { attentionCandidates } from '../attention/attention.ts';

/** An order and the state of its person's data. */
export interface HeldOrder {
  id: number;
  /** Null: nothing holds the data. */
  hold: Exclude<ErasureHold, 'documents-away'> | null;
  /** The last change of the order and of its shipments. */
  endedAt: Date;
}

/** Statuses of an order that only its parcels can end: a lost parcel leaves it there. */
const TRAVELLING = `('transmitted', 'manifested', 'shipped')`;
/** A parcel that will not move: at its end, or silent for TRACKING_EXPIRE_DAYS. */
const STILL = `(s.process_status in ('cancelled', 'rejected') or s.process_status in ('created', 'transmitted')
  and (s.expired_at is not null or coalesce(s.tracking_status in ('delivered', 'returned', 'lost', 'destroyed'), false)))`;
/** The shipments of an order, and of the one that leads its join. */
const SHIPMENTS = 'shipments s where s.company_id = o.company_id and s.order_id in (o.id, o.joined_into)';

const HOLD = `case
  when exists (select from ${SHIPMENTS} and exists (
    select from held_cases h where h.company_id = s.company_id and h.shipment_id = s.id and h.closed_at is null)) then 'parcel-held'
  when o.status = 'held' then 'parcel-held'
  when exists (select from ${SHIPMENTS} and s.direction = 'return' and not ${STILL}) then 'return-open'
  when exists (select from ${SHIPMENTS} and not ${STILL}) then 'on-its-way'
  when o.status not in ('delivered', 'returned', 'cancelled') and not (o.status in ${TRAVELLING} and exists (
    select from ${SHIPMENTS} and s.process_status not in ('cancelled', 'rejected'))) then 'order-open'
  when exists (select from order_corrections c where c.company_id = o.company_id and c.order_id = o.id
    and c.status in ('waiting', 'rebooking')) then 'correction-open'
  when exists (select from operation_items i where i.company_id = o.company_id and i.order_id = o.id
    and i.status in ('pending', 'running')) then 'work-open'
  when exists (select from ${SHIPMENTS} and s.id in (select id from desk)) then 'attention-open'
end`;

/** Reads why each of these orders holds the data of its person, by rising id. Forgotten orders are left out. */
export async function readHolds(
  deps: Deps,
  em: Em,
  { companyId, orderIds }: { companyId: number; orderIds: readonly number[] },
): Promise<HeldOrder[]> {
  const desk = attentionCandidates(deps, companyId);
  const rows = await em.execute<{ id: number; hold: HeldOrder['hold']; ended_at: string }[]>(
    `with desk as materialized (${desk.sql})
     select o.id, ${HOLD} as hold,
            greatest(o.updated_at, (select max(s.updated_at) from ${SHIPMENTS})) as ended_at
       from orders o where o.company_id = ? and o.id = any(?::int[]) and o.forgotten_at is null order by o.id`,
    [...desk.params, companyId, intArray(orderIds)],
  );
  return rows.map(({ id, hold, ended_at }) => ({ id, hold, endedAt: new Date(ended_at) }));
}
