import type { Document, Shipment } from '../entities/index.ts';
import type { Orm } from '../orm.ts';
import { OPERATION_CHANNEL, settleShipmentItemsSql } from './operations.ts';
import { transactionally } from './prepared.ts';
import type { Built } from './sql.ts';
import { moveOrdersSql } from './statuses.ts';

export type NewDocument = Pick<
  Document,
  'kind' | 'position' | 'contentType' | 'sha256' | 'size' | 'store' | 'bucketKey' | 'bytes'
>;

/**
 * Writes down what the carrier sold: the attempt in any case, and if the move holds the shipment with its documents, its order and
 * everybody who waits. Answers whether it did. Two prepared statements in a transaction: as seven of the ORM it took three times as
 * long (`npm run bench -- create`).
 * Who waits is asked by a statement of its own: one that began before the shipment was locked would not see who joined it meanwhile.
 */
export async function settleBooking(
  orm: Orm,
  settled: { shipment: Shipment; attemptId: number; move: Built; documents: readonly NewDocument[] },
): Promise<boolean> {
  const { shipment, attemptId, move, documents } = settled;
  const { companyId, orderId, direction } = shipment;
  const order = moveOrdersSql({ companyId, orderIds: direction === 'outbound' ? [orderId] : [] }, 'shipment_created', {
    onlyIf: 'exists (select 1 from moved)',
  });
  const column = <Name extends keyof NewDocument>(name: Name) => documents.map((document) => document[name]);
  const sold: Built = {
    sql: `
      with ended as (
        update shipment_attempts set outcome = 'yes', code = null, message = null, ended_at = now()
         where company_id = ? and id = ?
      ), moved as (${move.sql}), files as (
        insert into documents (company_id, shipment_id, kind, position, content_type, sha256, size, store, bucket_key, bytes)
        select moved.company_id, moved.id, file.* from moved cross join
               unnest(?::text[], ?::int[], ?::text[], ?::text[], ?::int[], ?::text[], ?::text[], ?::bytea[]) as file
      ), ordered as (${order.sql})
      select id from moved`,
    params: [
      companyId,
      attemptId,
      ...move.params,
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
  const items = settleShipmentItemsSql(
    { shipmentIds: [shipment.id], kind: 'create' },
    { status: 'succeeded', message: '' },
  );
  const told: Built = {
    sql: `with settled as (${items.sql}) select pg_notify(?, operation_id::text) from (select distinct operation_id from settled) as one`,
    params: [...items.params, OPERATION_CHANNEL],
  };
  return transactionally(orm, async (run) => {
    if ((await run(sold)).length === 0) return false;
    await run(told);
    return true;
  });
}
