import { Operation, type OperationKind } from '../db/entities/index.ts';
import type { Em } from '../db/orm.ts';
import { markMade, type Origin } from './idempotency.ts';
import type { UnknownOrders } from './unknown-orders.ts';

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

/** An order of a batch that does not exist, or that has no such part: `message` then says so. */
export interface UnknownOrder {
  unknownOrderId: number;
  message?: string;
}

/** An element of a batch: work for an order, or one that does not exist. */
export type BatchElement = NewItem | UnknownOrder;

/** Tells the work of a batch from its unknown orders. */
export function isItem(element: BatchElement): element is NewItem {
  return !('unknownOrderId' in element);
}

/** An opened batch. Without one known order nothing is stored, and the operation is null. */
export interface OpenedBatch {
  kind: OperationKind;
  operationId: number | null;
  unknownOrders: UnknownOrders;
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

/** Opens the operation of a batch. Orders that do not exist get no items; the operation remembers only their ids. */
export async function openBatch(
  em: Em,
  operation: Origin & { kind: OperationKind },
  elements: readonly BatchElement[],
): Promise<OpenedBatch> {
  const { kind } = operation;
  const unknown = elements.flatMap((element, place) =>
    'unknownOrderId' in element ? [{ place, orderId: element.unknownOrderId, message: element.message ?? null }] : [],
  );
  const unknownOrders = {
    places: unknown.map(({ place }) => place),
    orderIds: unknown.map(({ orderId }) => orderId),
    ...(unknown.some(({ message }) => message !== null) ? { messages: unknown.map(({ message }) => message) } : {}),
  };
  const items = elements.filter(isItem);
  if (items.length === 0) return { kind, operationId: null, unknownOrders };
  const input = unknown.length > 0 ? { unknownOrders } : {};
  const { operationId } = await openOperation(em, { ...operation, input }, items);
  return { kind, operationId, unknownOrders };
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
