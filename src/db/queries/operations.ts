import type { FailureKind } from '../../lib/errors.ts';
import { OperationItem, type OperationKind } from '../entities/index.ts';
import type { Em } from '../orm.ts';
import { type Built, intArray } from './sql.ts';

/** Wakes the requests that wait for an operation; sent in the transaction that settles one of its items. */
export const OPERATION_CHANNEL = 'smista_operation';

export interface Settlement {
  status: 'succeeded' | 'failed';
  message: string;
  result?: Record<string, unknown> | null;
  /** Type of a failure that a partner or the way to it caused. */
  failureKind?: FailureKind;
}

const SET_SETTLED = `set status = ?, message = ?, result = coalesce(?::jsonb, result), failure_kind = ?, settled_at = now(), updated_at = now()`;

function settledValues(settlement: Settlement): unknown[] {
  return [
    settlement.status,
    settlement.message,
    settlement.result ? JSON.stringify(settlement.result) : null,
    settlement.failureKind ?? null,
  ];
}

/** Items that wait for shipments; with `orderId` those of one of the orders that share them. */
interface ShipmentItems {
  shipmentIds: readonly number[];
  kind: OperationKind;
  orderId?: number | null;
}

/** Returns the UPDATE of `settleShipmentItems`, for statements that do more at once and notify by themselves. */
export function settleShipmentItemsSql(target: ShipmentItems, settlement: Settlement): Built {
  return {
    sql: `update operation_items ${SET_SETTLED}
           where shipment_id = any(?::int[]) and kind = ? and (?::int is null or order_id = ?) and status in ('pending', 'running')
          returning operation_id`,
    params: [
      ...settledValues(settlement),
      intArray(target.shipmentIds),
      target.kind,
      target.orderId ?? null,
      target.orderId ?? null,
    ],
  };
}

/** Settles every open item of one kind that waits for a shipment, for all requests. */
export async function settleShipmentItems(em: Em, target: ShipmentItems, settlement: Settlement): Promise<void> {
  if (target.shipmentIds.length === 0) return;
  const { sql, params } = settleShipmentItemsSql(target, settlement);
  await notify(em, await em.execute<{ operation_id: number }[]>(sql, params));
}

/**
 * Returns the shipments for which a request of one kind is open. It holds while the caller has the rows of the shipments locked, because
 * such requests lock them too.
 */
export async function findAwaited(
  em: Em,
  { shipmentIds, kind }: Pick<ShipmentItems, 'shipmentIds' | 'kind'>,
): Promise<Set<number>> {
  const open = { shipmentId: { $in: [...shipmentIds] }, kind, status: { $in: ['pending', 'running'] } } as const;
  const items = await em.find(OperationItem, open, { fields: ['shipmentId'] });
  return new Set(items.map(({ shipmentId }) => shipmentId ?? 0));
}

/** Settles one item, if it is open; with `fence`, only for the run that holds that fencing number. */
export async function settleItem(
  em: Em,
  target: { itemId: number; fence?: number },
  settlement: Settlement,
): Promise<boolean> {
  const rows = await em.execute<{ operation_id: number }[]>(
    `update operation_items ${SET_SETTLED}
      where id = ? and attempt = coalesce(?, attempt) and status in ('pending', 'running') returning operation_id`,
    [...settledValues(settlement), target.itemId, target.fence ?? null],
  );
  await notify(em, rows);
  return rows.length > 0;
}

/** Settles the open items of one operation that wait for shipments. Returns how many. */
export async function settleOperationItems(
  em: Em,
  { companyId, operationId, shipmentIds }: { companyId: number; operationId: number; shipmentIds: readonly number[] },
  settlement: Settlement,
): Promise<number> {
  if (shipmentIds.length === 0) return 0;
  const rows = await em.execute<{ operation_id: number }[]>(
    `update operation_items ${SET_SETTLED}
      where operation_id = ? and company_id = ? and shipment_id = any(?::int[]) and status in ('pending', 'running')
      returning operation_id`,
    [...settledValues(settlement), operationId, companyId, intArray(shipmentIds)],
  );
  await notify(em, rows);
  return rows.length;
}

/** Settles the items of an operation that no run has ever claimed. Returns how many. */
export async function settleUnbegunItems(
  em: Em,
  { companyId, operationId }: { companyId: number; operationId: number },
  settlement: Settlement,
): Promise<number> {
  const rows = await em.execute<{ operation_id: number }[]>(
    `update operation_items ${SET_SETTLED}
      where operation_id = ? and company_id = ? and status = 'pending' and attempt = 0
      returning operation_id`,
    [...settledValues(settlement), operationId, companyId],
  );
  await notify(em, rows);
  return rows.length;
}

async function notify(em: Em, rows: { operation_id: number }[]): Promise<void> {
  const ids = [...new Set(rows.map((row) => row.operation_id))];
  if (ids.length === 0) return;
  await em.execute('select pg_notify(?, id::text) from unnest(?::int[]) as id', [OPERATION_CHANNEL, intArray(ids)]);
}

/**
 * Claims one item for a run, also one whose tries were used up. Null when it is settled for good or another run has it.
 */
export async function claimItem(em: Em, itemId: number): Promise<{ fence: number } | null> {
  const rows = await em.execute<{ fence: number }[]>(
    `update operation_items set status = 'running', attempt = attempt + 1, settled_at = null, updated_at = now()
      where id = ? and (status = 'pending' or (status = 'failed' and failure_kind = 'retryable')) returning attempt as fence`,
    [itemId],
  );
  return rows[0] ?? null;
}

/** Claims an item that waits, and none whose tries were used up: a person asks again then, and sees what the first tries did. */
export async function claimPending(em: Em, companyId: number, itemId: number): Promise<{ fence: number } | null> {
  const rows = await em.execute<{ fence: number }[]>(
    `update operation_items set status = 'running', attempt = attempt + 1, updated_at = now()
      where company_id = ? and id = ? and status = 'pending' returning attempt as fence`,
    [companyId, itemId],
  );
  return rows[0] ?? null;
}

/** Shows that a run which takes longer than a call still lives, so that the sweep does not free its item. */
export async function renewItem(em: Em, { itemId, fence }: { itemId: number; fence: number }): Promise<void> {
  await em.execute(
    `update operation_items set updated_at = now() where id = ? and attempt = ? and status = 'running'`,
    [itemId, fence],
  );
}

/** Gives an item back for the next try. A possible execution of this try is remembered until the item is settled. */
export async function releaseItem(em: Em, itemId: number, fence: number, failed?: FailureKind): Promise<void> {
  await em.execute(
    `update operation_items set status = 'pending', updated_at = now(),
            failure_kind = case when ? then 'unknown-outcome' else failure_kind end
      where id = ? and attempt = ? and status = 'running'`,
    [failed === 'unknown-outcome', itemId, fence],
  );
}

/**
 * Returns true when an item still waits for its answer. One whose tries were used up waits again after a person retried
 * its job.
 */
export async function reopenItem(em: Em, itemId: number): Promise<boolean> {
  const rows = await em.execute<{ id: number }[]>(
    `update operation_items set status = 'pending', settled_at = null, updated_at = now()
      where id = ? and (status in ('pending', 'running')
             or (status = 'failed' and failure_kind in ('retryable', 'unknown-outcome'))) returning id`,
    [itemId],
  );
  return rows.length > 0;
}
