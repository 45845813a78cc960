import { Operation, OperationItem } from '../db/entities/index.ts';
import { companyEm } from '../db/orm.ts';
import type { Deps } from './deps.ts';
import { notFound } from './find.ts';

export interface OperationView {
  operation: Operation;
  items: OperationItem[];
  /** Items without an answer yet. */
  open: number;
}

export async function readOperation(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; operationId: number },
): Promise<OperationView> {
  const em = companyEm(deps.orm, input.companyId);
  const operation = await em.findOne(Operation, input.operationId);
  if (!operation) throw notFound('operation');
  const items = await em.find(OperationItem, { operationId: operation.id }, { orderBy: { id: 'asc' } });
  return { operation, items, open: items.filter((item) => item.settledAt === null).length };
}
