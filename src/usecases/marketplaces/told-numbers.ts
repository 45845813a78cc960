import type { Shipment } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { intArray } from '../../db/queries/sql.ts';

/** The marketplace knows the shipment's number; whatever it was told of its order before holds no more. */
export async function recordTold(
  tx: Em,
  shipment: Pick<Shipment, 'id' | 'orderId' | 'companyId'>,
  { number, at }: { number: string | null; at: Date },
): Promise<void> {
  const { id, orderId, companyId } = shipment;
  await tx.execute(
    'update shipments set told_number = case when id = ? then ? end where company_id = ? and order_id = ? and (id = ? or told_number is not null)',
    [id, number, companyId, orderId, id],
  );
  await tx.execute(
    'update orders set sent_to_marketplace_at = coalesce(sent_to_marketplace_at, ?) where id = ? and company_id = ?',
    [at, orderId, companyId],
  );
}

/** Numbers of cancelled shipments of the order that its marketplace was told, or may have been. */
export async function replacedNumbers(
  em: Em,
  { id, orderId, companyId }: Pick<Shipment, 'id' | 'orderId' | 'companyId'>,
): Promise<string[]> {
  const rows = await em.execute<{ number: string }[]>(
    `select distinct coalesce(s.told_number, s.tracking_number) as number from shipments s
      where s.company_id = ? and s.order_id = ? and s.id <> ? and s.process_status = 'cancelled' and s.tracking_number is not null
        and exists (select 1 from shipment_attempts a where a.company_id = s.company_id and a.shipment_id = s.id
                     and a.operation = 'send' and a.result in ('succeeded', 'unknown', 'running'))
        and coalesce(s.told_number, s.tracking_number) is distinct from
            (select tracking_number from shipments own where own.company_id = s.company_id and own.id = ?)`,
    [companyId, orderId, id, id],
  );
  return rows.map((row) => row.number);
}

/** Takes one company id, or null for all. A shipment whose number the marketplace has counts as told, whoever told it. */
export const UNSENT = `select i.shipment_id as id, i.message, i.settled_at as at from operation_items i
   join shipments s on s.company_id = i.company_id and s.id = i.shipment_id and s.told_number is distinct from s.tracking_number
                    and (i.failure_kind = 'unknown-outcome' or s.process_status not in ('cancelled', 'rejected'))
  where i.kind = 'send' and i.status = 'failed' and i.failure_kind in ('retryable', 'unknown-outcome')
    and (?::int is null or i.company_id = ?)
    and not exists (select 1 from operation_items later where later.company_id = i.company_id
                    and later.order_id = i.order_id and later.kind = 'send' and later.id > i.id)`;

/**
 * Takes one company id, or null for all. The marketplace has a number that was cancelled: beside a live shipment once that is
 * transmitted, which is when it is told by itself, else as long as there is none. By a partial index of cancelled shipments.
 */
export const MISTOLD = `select coalesce(live.id, dead.id) as id, dead.told_number as told, live.tracking_number as live,
          coalesce(live.transmitted_at, dead.cancelled_at) as at,
          (select i.message from operation_items i where i.company_id = dead.company_id and i.order_id = dead.order_id
              and i.kind = 'send' and i.status = 'failed' and i.shipment_id = live.id order by i.id desc limit 1) as failure
     from shipments dead
     join orders o on o.company_id = dead.company_id and o.id = dead.order_id and o.status <> 'cancelled'
     left join shipments live on live.company_id = dead.company_id and live.order_id = dead.order_id
           and live.direction = 'outbound' and live.process_status not in ('cancelled', 'rejected')
    where dead.told_number is not null and dead.process_status = 'cancelled' and (?::int is null or dead.company_id = ?)
      and (live.id is null or (live.process_status = 'transmitted' and live.told_number is distinct from live.tracking_number))
      and not exists (select 1 from operation_items i where i.company_id = dead.company_id and i.order_id = dead.order_id
                       and i.kind = 'send' and i.status in ('pending', 'running'))`;

export interface SendFact {
  message: string;
  at: Date;
}

interface SendFacts {
  /** The last send failed for a reason that was not the marketplace's own. */
  unsent: ReadonlyMap<number, SendFact>;
  mistold: ReadonlyMap<number, SendFact & { hasLiveNumber: boolean }>;
}

/** What the marketplaces of some shipments were not told, or told wrongly, by shipment. */
export async function readSendFacts(em: Em, shipmentIds: readonly number[]): Promise<SendFacts> {
  const ids = intArray(shipmentIds);
  const unsent = await em.execute<{ id: number; message: string; at: string }[]>(
    `${UNSENT} and i.shipment_id = any(?::int[])`,
    [null, null, ids],
  );
  const mistold = await em.execute<
    { id: number; told: string; live: string | null; at: string; failure: string | null }[]
  >(
    `${MISTOLD} and dead.order_id in (select order_id from shipments where id = any(?::int[])) and coalesce(live.id, dead.id) = any(?::int[])`,
    [null, null, ids, ids],
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
