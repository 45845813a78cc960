import { Operation, OperationItem, type OperationKind } from '../db/entities/index.ts';
import type { Em } from '../db/orm.ts';
import { markMade, type Origin } from './idempotency.ts';

export interface NewItem {
  orderId?: number | null;
  shipmentId?: number | null;
  contractId?: number | null;
  connectionId?: number | null;
  pickupId?: number | null;
  /** Already known: the item is born settled. */
  settled?: { status: 'succeeded' | 'failed'; message: string; result?: Record<string, unknown> };
}

export interface OpenedOperation {
  operationId: number;
  firstItemId: number;
}

/** Writes one asynchronous request and its items. Call it in the transaction that writes what they stand for. */
export async function openOperation(
  em: Em,
  { once, ...operation }: Origin & { kind: OperationKind; input: Record<string, unknown> },
  items: readonly NewItem[],
): Promise<OpenedOperation> {
  const operationId = Number(await em.insert(Operation, operation));
  await markMade(em, once, operationId);
  const itemIds = await em.insertMany(
    OperationItem,
    items.map((item) => ({
      companyId: operation.companyId,
      operationId,
      kind: operation.kind,
      orderId: item.orderId ?? null,
      shipmentId: item.shipmentId ?? null,
      contractId: item.contractId ?? null,
      connectionId: item.connectionId ?? null,
      pickupId: item.pickupId ?? null,
      status: item.settled?.status ?? ('pending' as const),
      message: item.settled?.message ?? '',
      result: item.settled?.result ?? null,
      settledAt: item.settled ? new Date() : null,
    })),
  );
  return { operationId, firstItemId: Number(itemIds[0]) };
}
