import { Operation, type OperationKind } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { moveShipments } from '../../db/queries/move-shipments.ts';
import { settleShipmentItems, settleUnbegunItems } from '../../db/queries/operations.ts';
import { intArray } from '../../db/queries/sql.ts';
import { lockOrders, moveOrders } from '../../db/queries/statuses.ts';
import { loseAttempts } from '../../engine/attempts.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound } from '../../engine/find.ts';
import { Problem } from '../../lib/errors.ts';

const CANCELLED = { status: 'failed', message: 'The operation was cancelled before it began' } as const;

/** Their jobs take the item itself, so none of them runs after it was settled. */
const BY_ITEM: readonly OperationKind[] = ['send', 'check-address', 'pickup-points', 'live-rates', 'poll'];

/**
 * Cancels the items of an operation that no worker has begun, and returns how many. Queued shipments are cancelled
 * unsold; whatever a worker has begun goes on. Throws a 404 for an
 * operation of another company, and a 409 for a kind that cannot be cancelled.
 */
export async function cancelOperation(
  deps: Pick<Deps, 'orm' | 'now'>,
  { companyId, operationId }: { companyId: number; operationId: number },
): Promise<number> {
  return companyEm(deps.orm, companyId).transactional(async (tx) => {
    const operation = await tx.findOne(Operation, operationId);
    if (!operation) throw notFound('operation');
    if (operation.kind === 'create') return cancelQueued(tx, { companyId, operationId, now: deps.now() });
    if (!BY_ITEM.includes(operation.kind)) {
      throw new Problem(`An operation of the kind ${operation.kind} cannot be cancelled`, {
        status: 409,
        code: 'operation-not-cancellable',
        title: 'Conflict',
      });
    }
    return settleUnbegunItems(tx, { companyId, operationId }, CANCELLED);
  });
}

/** Locks the shipments before a worker can claim them, by rising id. */
async function cancelQueued(
  tx: Em,
  { companyId, operationId, now }: { companyId: number; operationId: number; now: Date },
): Promise<number> {
  const queued = await tx.execute<{ id: number }[]>(
    `select id from shipments where company_id = ? and process_status = 'queued' and id in
       (select shipment_id from operation_items where company_id = ? and operation_id = ? and status in ('pending', 'running'))
      order by id for no key update`,
    [companyId, companyId, operationId],
  );
  if (queued.length === 0) return 0;
  const moved = await moveShipments(tx, {
    ids: queued.map(({ id }) => id),
    from: ['queued'],
    to: 'cancelled',
    claim: true,
    set: { cancelled_at: now, next_poll_at: null, exhausted_at: null },
  });
  const ids = moved.map(({ id }) => id);
  await loseAttempts(tx, ids);
  const outbound = moved.filter(({ direction }) => direction === 'outbound');
  const orders = { companyId, orderIds: [...new Set(outbound.map((shipment) => shipment.order_id))] };
  await lockOrders(tx, orders);
  await moveOrders(tx, orders, 'pending');
  const [{ count } = { count: 0 }] = await tx.execute<{ count: number }[]>(
    `select count(*)::int as count from operation_items
      where operation_id = ? and shipment_id = any(?::int[]) and status in ('pending', 'running')`,
    [operationId, intArray(ids)],
  );
  for (const kind of ['create', 'transmit'] as const)
    await settleShipmentItems(tx, { shipmentIds: ids, kind }, CANCELLED);
  return count;
}
