import type { Operation } from '../db/entities/index.ts';
import { readOperationRows } from '../db/queries/read-operation.ts';
import type { Deps } from './deps.ts';
import { notFound } from './find.ts';
import { type ItemView, type UnknownOrders, withUnknownOrders } from './unknown-orders.ts';

export interface OperationView {
  operation: Pick<Operation, 'id' | 'kind' | 'input'>;
  /** In the order of the request. */
  items: ItemView[];
  /** Number of items without an answer. */
  open: number;
}

export async function readOperation(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; operationId: number },
): Promise<OperationView> {
  const rows = await readOperationRows(deps.orm, input);
  if (!rows) throw notFound('operation');
  const { operation } = rows;
  const { unknownOrders } = operation.input as { unknownOrders?: UnknownOrders };
  const items = unknownOrders ? withUnknownOrders(operation.kind, rows.items, unknownOrders) : rows.items;
  return { operation, items, open: items.filter((item) => item.settledAt === null).length };
}
