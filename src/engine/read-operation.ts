import type { Operation, OperationItem } from '../db/entities/index.ts';
import { readOperationRows } from '../db/queries/read-operation.ts';
import type { Deps } from './deps.ts';
import { notFound } from './find.ts';

export interface OperationView {
  operation: Operation;
  items: OperationItem[];
  /** Number of items without an answer. */
  open: number;
}

export async function readOperation(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; operationId: number },
): Promise<OperationView> {
  const rows = await readOperationRows(deps.orm, input);
  if (!rows) throw notFound('operation');
  return { ...rows, open: rows.items.filter((item) => item.settledAt === null).length };
}
