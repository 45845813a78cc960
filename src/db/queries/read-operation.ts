import { Operation, OperationItem } from '../entities/index.ts';
import type { Orm } from '../orm.ts';
import { batched } from './batched.ts';
import { type JsonRow, rowOf, rowsOf } from './json-rows.ts';
import { runPrepared, type Statement } from './prepared.ts';

export interface OperationRows {
  operation: Operation;
  /** In the order of the request. */
  items: OperationItem[];
}

const READ_OPERATIONS: Statement = {
  name: 'read-operations',
  text: `
    select row_to_json(o) as operation,
           (select json_agg(i order by i.id) from operation_items i
             where i.operation_id = o.id and i.company_id = o.company_id) as items
      from operations o where o.company_id = $1 and o.id = any((select $2)::int[])`,
};

const OPEN_OPERATIONS: Statement = {
  name: 'open-operations',
  text: `
    select distinct operation_id as id from operation_items
     where operation_id = any((select $1)::int[]) and status in ('pending', 'running')`,
};

/** Tells whether an item of the operation waits for its answer. */
export const isOperationOpen = batched(async (orm: Orm, operationIds: readonly number[]): Promise<boolean[]> => {
  const open = new Set((await runPrepared<{ id: number }>(orm, OPEN_OPERATIONS, [operationIds])).map(({ id }) => id));
  return operationIds.map((id) => open.has(id));
});

interface OfCompany {
  companyId: number;
  operationId: number;
}

/**
 * Reads an operation without the ORM, which spent 60 ms on the entities of a thousand items (`npm run bench --
 * create`). Null when the company has no such operation.
 */
export const readOperationRows = batched(
  async (orm: Orm, asked: readonly OfCompany[]): Promise<(OperationRows | null)[]> => {
    const [{ companyId }] = asked as [OfCompany];
    const ids = asked.map(({ operationId }) => operationId);
    const rows = await runPrepared<{ operation: JsonRow; items: JsonRow[] | null }>(orm, READ_OPERATIONS, [
      companyId,
      ids,
    ]);
    const byId = new Map(rows.map((json) => [json.operation.id, json]));
    return ids.map((id) => {
      const json = byId.get(id);
      if (!json) return null;
      return { operation: rowOf(orm, Operation, json.operation), items: rowsOf(orm, OperationItem, json.items) };
    });
  },
  // One company's thousands of items are not read with the single item of another.
  { keyOf: ({ companyId }) => companyId, lanes: 2, isRead: true },
);
