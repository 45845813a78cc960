import { Operation, type OperationKind } from '../db/entities/index.ts';
import type { Em } from '../db/orm.ts';
import { markMade, type Origin } from './idempotency.ts';

export interface NewItem {
  orderId?: number | null;
  shipmentId?: number | null;
  contractId?: number | null;
  connectionId?: number | null;
  pickupId?: number | null;
  /** The result, when it is known already: the item is created as settled. */
  settled?: { status: 'succeeded' | 'failed'; message: string; result?: Record<string, unknown> };
}

export interface OpenedOperation {
  operationId: number;
  firstItemId: number;
}

/** Inserts one asynchronous request and its items. Call it in the transaction that writes the rows of its work. */
export async function openOperation(
  em: Em,
  { once, ...operation }: Origin & { kind: OperationKind; input: Record<string, unknown> },
  items: readonly NewItem[],
): Promise<OpenedOperation> {
  const operationId = Number(await em.insert(Operation, operation));
  await markMade(em, once, operationId);
  return { operationId, firstItemId: await addItems(em, { ...operation, operationId }, items) };
}

/** Adds items to an operation, also of another kind than its own. Returns the id of the first. */
export async function addItems(
  em: Em,
  to: { companyId: number; operationId: number; kind: OperationKind },
  items: readonly NewItem[],
): Promise<number> {
  const rows = items.map((item) => ({
    ...item,
    status: item.settled?.status ?? 'pending',
    message: item.settled?.message ?? '',
    result: item.settled?.result ?? null,
    settledAt: item.settled ? new Date() : null,
  }));
  const [first] = await em.execute<{ id: number }[]>(
    `insert into operation_items (company_id, operation_id, kind, order_id, shipment_id, contract_id, connection_id, pickup_id,
                                  status, message, result, settled_at)
     select ?, ?, ?, "orderId", "shipmentId", "contractId", "connectionId", "pickupId", status, message, result, "settledAt"
       from rows from (jsonb_to_recordset(?::jsonb) as ("orderId" int, "shipmentId" int, "contractId" int, "connectionId" int,
            "pickupId" int, status text, message text, result jsonb, "settledAt" timestamptz)) with ordinality as item
      order by ordinality returning id`,
    [to.companyId, to.operationId, to.kind, JSON.stringify(rows)],
  );
  return first?.id ?? 0;
}
