import type { OperationKind } from '../db/entities/index.ts';
import type { Runner } from '../db/queries/prepared.ts';
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
  /** Number of items without an answer. */
  open: number;
  unknownOrders: UnknownOrders;
}

type NewOperation = Origin & { kind: OperationKind; input: Record<string, unknown> };

/** Inserts one asynchronous request and its items. Call it in the transaction that writes the rows of its work. */
export async function openOperation(
  tx: Runner,
  operation: NewOperation,
  items: readonly NewItem[],
): Promise<OpenedOperation> {
  const [operationId = 0] = await insertOperations(tx, [operation]);
  const { companyId, kind } = operation;
  return { operationId, firstItemId: await addItems(tx, { companyId, operationId, kind }, items) };
}

/** Opens the operation of one batch like `openBatches`. */
export async function openBatch(
  tx: Runner,
  { kind, ...origin }: Origin & { kind: OperationKind },
  elements: readonly BatchElement[],
): Promise<OpenedBatch> {
  const [opened] = await openBatches(tx, { companyId: origin.companyId, kind }, [{ origin, elements }]);
  return opened as OpenedBatch;
}

/** The batch of one request. */
export interface NewBatch {
  origin: Origin;
  elements: readonly BatchElement[];
}

/**
 * Opens the operations of batches of one company. Orders that do not exist get no items; the operation remembers only their
 * ids.
 */
export async function openBatches(
  tx: Runner,
  { companyId, kind }: { companyId: number; kind: OperationKind },
  batches: readonly NewBatch[],
): Promise<OpenedBatch[]> {
  const all = batches.map(({ origin, elements }) => ({
    origin,
    items: elements.filter(isItem),
    unknownOrders: unknownIn(elements),
    operationId: null as number | null,
  }));
  const known = all.filter(({ items }) => items.length > 0);
  if (known.length > 0) {
    const ids = await insertOperations(
      tx,
      known.map(({ origin, unknownOrders }) => {
        const input = unknownOrders.orderIds.length > 0 ? { unknownOrders } : {};
        return { ...origin, kind, input };
      }),
    );
    for (const [at, batch] of known.entries()) batch.operationId = ids[at] ?? null;
    const rows = known.flatMap(({ items, operationId }) => items.map((item) => ({ ...item, operationId })));
    await insertItems(tx, { companyId, kind }, rows);
  }
  return all.map(({ items, operationId, unknownOrders }) => {
    const open = items.filter(({ settled }) => !settled).length;
    return { kind, operationId, open, unknownOrders };
  });
}

function unknownIn(elements: readonly BatchElement[]): UnknownOrders {
  const unknown = elements.flatMap((element, place) =>
    'unknownOrderId' in element ? [{ place, orderId: element.unknownOrderId, message: element.message ?? null }] : [],
  );
  return {
    places: unknown.map(({ place }) => place),
    orderIds: unknown.map(({ orderId }) => orderId),
    ...(unknown.some(({ message }) => message !== null) ? { messages: unknown.map(({ message }) => message) } : {}),
  };
}

/** Returns the ids of operations, in their order. */
async function insertOperations(tx: Runner, operations: readonly NewOperation[]): Promise<number[]> {
  const rows = operations.map(({ once: _once, ...row }) => row);
  const inserted = await tx.execute<{ id: number }[]>(
    `insert into operations (company_id, request_id, kind, input)
     select "companyId", "requestId", kind, input
       from rows from (jsonb_to_recordset(?::jsonb) as ("companyId" int, "requestId" text, kind text, input jsonb)) with ordinality as one
      order by ordinality returning id`,
    [JSON.stringify(rows)],
  );
  // Ids rise in the order of the rows, whatever the order of the answer.
  const ids = inserted.map(({ id }) => id).toSorted((a, b) => a - b);
  for (const [at, { once }] of operations.entries()) await markMade(tx, once, ids[at] ?? 0);
  return ids;
}

/** Adds items to an operation, also of another kind than its own. Returns the id of the first. */
export async function addItems(
  tx: Runner,
  { operationId, ...to }: { companyId: number; operationId: number; kind: OperationKind },
  items: readonly NewItem[],
): Promise<number> {
  return insertItems(
    tx,
    to,
    items.map((item) => ({ ...item, operationId })),
  );
}

async function insertItems(
  tx: Runner,
  to: { companyId: number; kind: OperationKind },
  items: readonly (NewItem & { operationId: number | null })[],
): Promise<number> {
  const rows = items.map((item) => ({
    ...item,
    status: item.settled?.status ?? 'pending',
    message: item.settled?.message ?? '',
    result: item.settled?.result ?? null,
    settledAt: item.settled ? new Date() : null,
  }));
  const [first] = await tx.execute<{ id: number }[]>(
    `insert into operation_items (company_id, operation_id, kind, order_id, shipment_id, contract_id, connection_id, pickup_id,
                                  status, message, result, settled_at)
     select ?::int, "operationId", ?::text, "orderId", "shipmentId", "contractId", "connectionId", "pickupId", status, message, result,
            "settledAt"
       from rows from (jsonb_to_recordset(?::jsonb) as ("operationId" int, "orderId" int, "shipmentId" int, "contractId" int,
            "connectionId" int, "pickupId" int, status text, message text, result jsonb, "settledAt" timestamptz)) with ordinality as item
      order by ordinality returning id`,
    [to.companyId, to.kind, JSON.stringify(rows)],
  );
  return first?.id ?? 0;
}
