import { CONCLUSIONS } from '../../domain/attempt.ts';
import type { Document, Shipment } from '../entities/index.ts';
import type { Orm } from '../orm.ts';
import { AMONG_JOBS, batched } from './batched.ts';
import { moveShipmentsSql, type SettableColumns } from './move-shipments.ts';
import { OPERATION_CHANNEL, settleShipmentItemsSql } from './operations.ts';
import { transactionally } from './prepared.ts';
import type { Built } from './sql.ts';
import { moveOrdersSql } from './statuses.ts';

export type NewDocument = Pick<
  Document,
  'kind' | 'position' | 'contentType' | 'sha256' | 'size' | 'store' | 'bucketKey' | 'bytes'
>;

/** The carrier's sale for one shipment, from the run that holds it. */
export interface SoldBooking {
  shipment: Pick<Shipment, 'id' | 'companyId'>;
  /** Fencing number. */
  fence: number;
  attemptId: number;
  /** True: a look-up found it, which corrects no conclusion. */
  isLookUp?: boolean;
  columns: SettableColumns;
  documents: readonly NewDocument[];
}

/**
 * Stores the carrier's sale in the attempt, unless that is known to have failed. If the run still holds the shipment, also there, with documents,
 * order and waiting items. Returns true when it did.
 */
export const settleBooking = batched(settleBookings, {
  ...AMONG_JOBS,
  bytesOf: ({ documents }) => documents.reduce((sum, { size }) => sum + size, 0),
});

/**
 * Two prepared statements in a transaction, for all sales of a batch. A single booking takes 2.8 ms of PostgreSQL here,
 * one among thirty 0.6; seven ORM statements took three times as long as these two. A separate statement reads who
 * waits: one that began before the lock would miss requests that joined meanwhile.
 */
async function settleBookings(orm: Orm, sold: readonly SoldBooking[]): Promise<boolean[]> {
  return transactionally(orm, async (run) => {
    const moved = await run<{ id: number; fence: number }>(settleSql(sold));
    if (moved.length > 0) {
      await run(tellSql(moved.map(({ id }) => id)));
    }
    return sold.map(({ shipment, fence }) => moved.some((one) => one.id === shipment.id && one.fence === fence));
  });
}

function settleSql(sold: readonly SoldBooking[]): Built {
  const move = moveShipmentsSql({
    ids: sold.map(({ shipment }) => shipment.id),
    fences: sold.map(({ fence }) => fence),
    from: ['submitting', 'unknown_outcome'],
    to: 'created',
    set: { failure: null, exhausted_at: null },
    each: sold.map(({ columns }) => columns),
  });
  const outbound = { sql: `select company_id, order_id from moved where direction = 'outbound'`, params: [] };
  const order = moveOrdersSql(outbound, 'shipment_created');
  const files = sold.flatMap(({ shipment, fence, documents }) =>
    documents.map((file) => ({ shipmentId: shipment.id, fence, ...file })),
  );
  const column = <Name extends keyof (typeof files)[number]>(name: Name) => files.map((file) => file[name]);
  return {
    sql: `
      with ended as (
        update shipment_attempts set result = 'succeeded', code = null, message = null, ended_at = now()
          from unnest(?::int[], ?::int[], ?::boolean[]) as sold (company, attempt, is_look_up)
         where company_id = company and id = attempt
           and (result in ('running', 'unknown') or (not is_look_up and code = any(?::text[])))
      ), moved as (${move.sql}), files as (
        insert into documents (company_id, shipment_id, kind, position, content_type, sha256, size, store, bucket_key, bytes)
        select moved.company_id, moved.id, kind, position, content_type, sha256, size, store, bucket_key, bytes
          from unnest(?::int[], ?::int[], ?::text[], ?::int[], ?::text[], ?::text[], ?::int[], ?::text[], ?::text[], ?::bytea[])
               as file (shipment_id, fence, kind, position, content_type, sha256, size, store, bucket_key, bytes)
          join moved on moved.id = file.shipment_id and moved.fence = file.fence
      ), ordered as (${order.sql})
      select id, fence from moved`,
    params: [
      sold.map(({ shipment }) => shipment.companyId),
      sold.map(({ attemptId }) => attemptId),
      sold.map(({ isLookUp = false }) => isLookUp),
      CONCLUSIONS,
      ...move.params,
      column('shipmentId'),
      column('fence'),
      column('kind'),
      column('position'),
      column('contentType'),
      column('sha256'),
      column('size'),
      column('store'),
      column('bucketKey'),
      column('bytes'),
      ...order.params,
    ],
  };
}

/** Settles every open item that waits for these bookings, and wakes the requests that wait for their operations. */
function tellSql(shipmentIds: readonly number[]): Built {
  const items = settleShipmentItemsSql({ shipmentIds, kind: 'create' }, { status: 'succeeded', message: '' });
  return {
    sql: `with settled as (${items.sql}) select pg_notify(?, operation_id::text) from (select distinct operation_id from settled) as one`,
    params: [...items.params, OPERATION_CHANNEL],
  };
}
