import { Operation, type OperationKind } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { settleOperationItems, settleUnbegunItems } from '../../db/queries/operations.ts';
import type { Deps } from '../../engine/deps.ts';
import { conflict, notFound } from '../../engine/find.ts';
import { cancelUnsold } from '../orders/cancel-unsold.ts';

const CANCELLED = { status: 'failed', message: 'The operation was cancelled before it began' } as const;

/** Their jobs take the item itself, so none of them runs after it was settled. */
const BY_ITEM: readonly OperationKind[] = [
  'send',
  'check-address',
  'pickup-points',
  'live-rates',
  'poll',
  'verify',
  'import',
  'test-endpoint',
  'verify-contract',
  'print',
];

/**
 * Cancels the items of an operation that no worker has begun, and returns how many. Queued shipments are cancelled
 * unsold; whatever a worker has begun goes on. Throws a 404 for an operation of another company, and a 409 for a kind that
 * cannot be cancelled.
 */
export async function cancelOperation(
  deps: Pick<Deps, 'orm' | 'now'>,
  { companyId, operationId }: { companyId: number; operationId: number },
): Promise<number> {
  return companyEm(deps.orm, companyId).transactional(async (tx) => {
    const operation = await tx.findOne(Operation, operationId);
    if (!operation) throw notFound('operation');
    if (operation.kind === 'create') return cancelQueued(tx, { companyId, operationId, at: deps.now() });
    if (!BY_ITEM.includes(operation.kind)) {
      throw conflict('operation-not-cancellable', `An operation of the kind ${operation.kind} cannot be cancelled`);
    }
    return settleUnbegunItems(tx, { companyId, operationId }, CANCELLED);
  });
}

/**
 * Locks the shipments before a worker can claim them, by rising id. Other operations that wait for one of them end with it.
 */
async function cancelQueued(
  tx: Em,
  { companyId, operationId, at }: { companyId: number; operationId: number; at: Date },
): Promise<number> {
  const queued = await tx.execute<{ id: number }[]>(
    `select id from shipments where company_id = ? and process_status = 'queued' and id in
       (select shipment_id from operation_items where company_id = ? and operation_id = ? and status in ('pending', 'running'))
      order by id for no key update`,
    [companyId, companyId, operationId],
  );
  const shipmentIds = queued.map(({ id }) => id);
  const count = await settleOperationItems(tx, { companyId, operationId, shipmentIds }, CANCELLED);
  await cancelUnsold(tx, { companyId, shipmentIds, at });
  return count;
}
