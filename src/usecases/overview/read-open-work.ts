import type { OperationKind } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { IS_OPEN_ITEM } from '../../db/queries/stages.ts';
import { type Counted, counted, MAX_COUNTED, READ_ROWS } from '../../lib/counted.ts';

/** Work of one kind that waits for a partner. */
export interface OpenWork {
  /** Null: it waits for a shop, or for no partner. */
  contractId: number | null;
  connectionId: number | null;
  kind: OperationKind;
  open: Counted;
  oldestAt: Date;
}

type Row = Omit<OpenWork, 'open' | 'oldestAt'> & { count: number; oldestAt: string };

/** Reads the company's own items without an answer, by partner. A queue holds those of all companies, so it is not asked. */
export async function readOpenWork(em: Em, companyId: number): Promise<OpenWork[]> {
  const rows = await em.execute<Row[]>(
    `select x."contractId", x."connectionId", x.kind, count(*)::int as count, min(x.created_at) as "oldestAt"
       from (select coalesce(i.contract_id, case when i.connection_id is null then s.contract_id end) as "contractId",
                    i.connection_id as "connectionId", i.kind, i.created_at
               from operation_items i left join shipments s on s.company_id = i.company_id and s.id = i.shipment_id
              where i.company_id = ? and ${IS_OPEN_ITEM} limit ?) x
      group by 1, 2, 3 order by min(x.created_at)`,
    [companyId, READ_ROWS],
  );
  const isCapped = rows.reduce((sum, { count }) => sum + count, 0) > MAX_COUNTED;
  return rows.map(({ count, oldestAt, ...work }) => ({
    ...work,
    open: { count: counted(count).count, isCapped },
    oldestAt: new Date(oldestAt),
  }));
}
