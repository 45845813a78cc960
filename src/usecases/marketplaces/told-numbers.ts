import type { Shipment } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { leadOf } from '../../db/queries/order-rows.ts';
import { intArray } from '../../db/queries/sql.ts';

/**
 * SQL: tells whether a shipment stands where another stood: in the same part of the order. Any part counts when the
 * order was split after the other.
 */
function takesPlaceOf(own: string, other: string): string {
  return `(${other}.part_id is not distinct from ${own}.part_id
           or not exists (select 1 from order_parts p where p.id = ${other}.part_id and p.replaced_at is null))`;
}

/** SQL: tells whether a later send of the order was for the place of shipment `s`, or for the whole order. */
const SENT_LATER = `exists (select 1 from operation_items later left join shipments n on n.id = later.shipment_id
   where later.company_id = i.company_id and later.order_id = i.order_id and later.kind = 'send' and later.id > i.id
     and (n.id is null or ${takesPlaceOf('n', 's')}))`;

/** SQL: a failed send `i` of a shipment `s`. One whose number the marketplace has counts as confirmed by any means. */
const FAILED_SEND = `i.kind = 'send' and i.status = 'failed' and i.failure_kind in ('retryable', 'unknown-outcome')
   and (case when i.order_id = s.order_id then s.told_number else (select o.told_number from orders o where o.id = i.order_id) end)
       is distinct from s.tracking_number and not ${SENT_LATER}`;

interface Told {
  orderId: number;
  companyId: number;
  /** Each with the number that the marketplace has for it now; null: none. */
  shipments: readonly { id: number; number: string | null }[];
  /** Shipments in whose places the marketplace has no other number now; the told ones are among them. */
  places: readonly number[];
  at: Date;
  /** The marketplace had the numbers before: they were read, and nothing was written. */
  isReadBack: boolean;
}

/**
 * Records that the marketplace has the shipments' numbers, in place of any earlier ones. An order that travels in the
 * shipment of another keeps the number itself, because each has its own shop.
 */
export async function recordTold(
  tx: Em,
  { orderId, companyId, shipments, places, at, isReadBack }: Told,
): Promise<void> {
  await tx.execute(
    `with told as (select * from jsonb_to_recordset(?::jsonb) as told (id int, number text))
     update shipments s set told_number = (select number from told where told.id = s.id)
      where s.company_id = ? and s.order_id = ?
        and (s.id in (select id from told) or s.told_number is not null and exists (
             select 1 from shipments own where own.company_id = s.company_id and own.id = any(?::int[])
                and own.id <> s.id and ${takesPlaceOf('own', 's')}))`,
    [JSON.stringify(shipments), companyId, orderId, intArray(places)],
  );
  await tx.execute(
    `update orders set sent_to_marketplace_at = coalesce(sent_to_marketplace_at, ?), read_back_at = ?,
            told_number = (select number from jsonb_to_recordset(?::jsonb) as told (id int, number text)
                             join shipments s on s.id = told.id and s.company_id = orders.company_id and s.order_id <> orders.id limit 1)
      where id = ? and company_id = ?`,
    [at, isReadBack ? at : null, JSON.stringify(shipments), orderId, companyId],
  );
}

/**
 * SQL: numbers that a shop has, or may have, of a shipment which another order led, and which holds no longer. Parameters:
 * order and company, twice, and the shipments that hold.
 */
const SHARED_NUMBERS = `
  select number from (
    select told_number as number from orders where id = ? and company_id = ?
    union
    select s.tracking_number from operation_items i
      join shipments s on s.id = i.shipment_id and s.order_id <> i.order_id and s.process_status = 'cancelled'
     where i.order_id = ? and i.company_id = ? and i.kind = 'send'
       and (i.status in ('succeeded', 'running') or i.failure_kind = 'unknown-outcome')
  ) shared where number is not null and not exists (select 1 from shipments own where own.id = any(?::int[]) and own.tracking_number = number)`;

/** Lists numbers of cancelled shipments that the marketplace has, or may have, and in whose places others stand now. */
export async function replacedNumbers(
  em: Em,
  { orderId, companyId, places, isTogether }: Pick<Told, 'orderId' | 'companyId' | 'places'> & { isTogether: boolean },
): Promise<string[]> {
  const ids = intArray(places);
  const live = `select own.* from shipments own where own.company_id = s.company_id and own.id = any(?::int[])`;
  const rows = await em.execute<{ number: string }[]>(
    `select distinct coalesce(s.told_number, s.tracking_number) as number from shipments s
      where s.company_id = ? and s.order_id = ? and s.process_status = 'cancelled' and s.tracking_number is not null
        and exists (select 1 from (${live}) own where own.id <> s.id and ${takesPlaceOf('own', 's')})
        and (s.told_number is not null or exists (
             select 1 from shipment_attempts a join shipments sent on sent.id = a.shipment_id
              where a.company_id = s.company_id and sent.company_id = s.company_id and sent.order_id = s.order_id
                and a.operation = 'send'
                and (sent.id = s.id and a.result in ('succeeded', 'unknown', 'running')
                     or ?::boolean and a.result in ('unknown', 'running'))))
        and not exists (select 1 from (${live}) own where own.tracking_number = coalesce(s.told_number, s.tracking_number))
     union ${SHARED_NUMBERS}`,
    [companyId, orderId, ids, isTogether, ids, orderId, companyId, orderId, companyId, ids],
  );
  return rows.map((row) => row.number);
}

/** Parameter: a company id, or null for all. */
export const UNSENT = `select i.shipment_id as id, i.message, i.settled_at as at from operation_items i
   join shipments s on s.company_id = i.company_id and s.id = i.shipment_id
                    and (i.failure_kind = 'unknown-outcome' or s.process_status not in ('cancelled', 'rejected'))
  where ${FAILED_SEND} and (?::int is null or i.company_id = ?)`;

/** Finds sends that failed and can be tried again, for a statement that joins live shipments `s` to operation items `i`. */
export const CAN_BE_SENT_AGAIN = `${FAILED_SEND} and s.process_status not in ('cancelled', 'rejected')`;

/** SQL: shipments with the order whose shop has a number of them. An order that shares a shipment keeps that number itself. */
const TOLD = `
  select company_id, id, order_id, part_id, told_number, process_status, cancelled_at from shipments
  union all
  select s.company_id, s.id, m.id, null, m.told_number, s.process_status, s.cancelled_at from orders m
    join shipments s on s.company_id = m.company_id and s.tracking_number = m.told_number and s.order_id <> m.id
   where m.told_number is not null`;

/**
 * Parameter: a company id, or null for all. Finds marketplaces that have a cancelled number. A live shipment in its place counts only
 * once it is transmitted, because its automatic confirmation comes then. Uses a partial index of cancelled shipments.
 */
export const MISTOLD = `select coalesce(live.id, dead.id) as id, dead.order_id as "orderId", dead.told_number as told, live.tracking_number as live,
          coalesce(live.transmitted_at, dead.cancelled_at) as at,
          (select i.message from operation_items i where i.company_id = dead.company_id and i.order_id = dead.order_id
              and i.kind = 'send' and i.status = 'failed' and i.shipment_id = live.id order by i.id desc limit 1) as failure
     from (${TOLD}) dead
     join orders o on o.company_id = dead.company_id and o.id = dead.order_id and o.status <> 'cancelled'
     left join shipments live on live.company_id = dead.company_id and live.order_id = ${leadOf('o')}
           and live.direction = 'outbound' and live.process_status not in ('cancelled', 'rejected') and ${takesPlaceOf('live', 'dead')}
    where dead.told_number is not null and dead.process_status = 'cancelled' and (?::int is null or dead.company_id = ?)
      and (live.id is null or (live.process_status = 'transmitted'
           and (case when live.order_id = o.id then live.told_number else o.told_number end) is distinct from live.tracking_number))
      and not exists (select 1 from operation_items i where i.company_id = dead.company_id and i.order_id = dead.order_id
                       and i.kind = 'send' and i.status in ('pending', 'running'))`;

export interface SendFact {
  message: string;
  at: Date;
}

interface SendFacts {
  /** The last send failed for a reason other than a refusal by the marketplace. */
  unsent: ReadonlyMap<number, SendFact>;
  mistold: ReadonlyMap<number, SendFact & { hasLiveNumber: boolean }>;
}

/** Reads missing and wrong confirmations of some shipments, by shipment. */
export async function readSendFacts(em: Em, shipmentIds: readonly number[]): Promise<SendFacts> {
  const ids = intArray(shipmentIds);
  const unsent = await em.execute<{ id: number; message: string; at: string }[]>(
    `${UNSENT} and i.shipment_id = any(?::int[])`,
    [null, null, ids],
  );
  const mistold = await em.execute<
    { id: number; told: string; live: string | null; at: string; failure: string | null }[]
  >(
    `${MISTOLD} and coalesce(live.id, dead.id) = any(?::int[]) and dead.order_id in (
       select order_id from shipments where id = any(?::int[])
       union select m.id from shipments t join orders m on m.company_id = t.company_id
                and (m.told_number = t.tracking_number or m.joined_into = t.order_id) where t.id = any(?::int[]))`,
    [null, null, ids, ids, ids],
  );
  return {
    unsent: new Map(unsent.map((row) => [row.id, { message: row.message, at: new Date(row.at) }])),
    mistold: new Map(
      mistold.map(({ id, told, live, at, failure }) => {
        const now = live === null ? 'and no other shipment replaced it' : `and the parcel travels under ${live}`;
        const message = [`The marketplace has ${told}, which was cancelled, ${now}`, ...(failure ? [failure] : [])];
        return [id, { message: message.join(': '), at: new Date(at), hasLiveNumber: live !== null }];
      }),
    ),
  };
}

/** Returns the order whose shop has no number of the shipment, or a dead one; else the order that the shipment belongs to. */
export async function untoldOrder(
  em: Em,
  { id, orderId, companyId }: Pick<Shipment, 'id' | 'orderId' | 'companyId'>,
): Promise<number> {
  const [row] = await em.execute<{ orderId: number }[]>(
    `select i.order_id as "orderId" from operation_items i
       join shipments s on s.company_id = i.company_id and s.id = i.shipment_id
      where ${FAILED_SEND} and s.id = ? and i.company_id = ?
     union all
     select "orderId" from (${MISTOLD}) mistold where id = ?
     limit 1`,
    [id, companyId, companyId, companyId, id],
  );
  return row?.orderId ?? orderId;
}
