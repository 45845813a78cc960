import type { OperationKind } from '../../db/entities/index.ts';
import { companyEm } from '../../db/orm.ts';
import { IS_OPEN_ITEM } from '../../db/queries/stages.ts';
import type { Deps } from '../../engine/deps.ts';

export { OPERATION_KINDS } from '../../db/entities/index.ts';

/** Null: any. */
export interface OperationFilter {
  companyId: number;
  kind: OperationKind | null;
  /** True: some items have no answer yet. */
  isOpen: boolean | null;
  limit: number;
  beforeId: number | null;
}

export interface OperationSummary {
  id: number;
  kind: OperationKind;
  requestId: string;
  createdAt: Date;
  /** Null while an item has no answer. */
  finishedAt: Date | null;
  total: number;
  open: number;
  succeeded: number;
  failed: number;
}

interface Row extends Omit<OperationSummary, 'createdAt' | 'finishedAt'> {
  createdAt: string;
  settledAt: string | null;
}

/** Narrows down the operations `o` to the few that a partial index knows as open. */
const HAS_OPEN_ITEM = `o.id in (select i.operation_id from operation_items i where i.company_id = o.company_id and ${IS_OPEN_ITEM})`;

/** Lists the company's operations, newest first. */
export async function listOperations(
  deps: Pick<Deps, 'orm'>,
  { companyId, kind, isOpen, limit, beforeId }: OperationFilter,
): Promise<OperationSummary[]> {
  const rows = await companyEm(deps.orm, companyId).execute<Row[]>(
    `select o.id, o.kind, o.request_id as "requestId", o.created_at as "createdAt", i.*
       from operations o
            cross join lateral (select coalesce(jsonb_array_length(o.input #> '{unknownOrders,orderIds}'), 0) as count) unknown
            cross join lateral (
         select count(*)::int + unknown.count as total, count(*) filter (where status in ('pending', 'running'))::int as open,
                count(*) filter (where status = 'succeeded')::int as succeeded,
                count(*) filter (where status = 'failed')::int + unknown.count as failed, max(settled_at) as "settledAt"
           from operation_items where operation_id = o.id and company_id = o.company_id) i
      where o.company_id = ? and o.id < coalesce(?, 2147483647) and (?::text is null or o.kind = ?)
        and (?::boolean is null or (i.open > 0) = ?) ${isOpen ? `and ${HAS_OPEN_ITEM}` : ''}
      order by o.id desc limit ?`,
    [companyId, beforeId, kind, kind, isOpen, isOpen, limit],
  );
  return rows.map(({ createdAt, settledAt, ...row }) => ({
    ...row,
    createdAt: new Date(createdAt),
    finishedAt: row.open > 0 || settledAt === null ? null : new Date(settledAt),
  }));
}
