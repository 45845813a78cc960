import type { Connection, MarketplaceRow } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { type Counted, counted, READ_ROWS } from '../../lib/counted.ts';
import { isImporting } from '../marketplaces/import-orders.ts';
import { listConnections } from '../partners/read-lists.ts';

const DAY_MS = 86_400_000;
const SHOWN = 5;

/** An order that could not be imported. */
export interface LateOrder {
  externalId: string;
  message: string;
  tries: number;
  nextTryAt: Date;
}

export interface ImportState {
  connection: Connection;
  marketplace: MarketplaceRow;
  isRunning: boolean;
  /** Orders that came since then. */
  since: Date;
  imported: Counted;
  failed: Counted;
  /** The last five of them. */
  late: LateOrder[];
}

type Late = Omit<LateOrder, 'nextTryAt'> & { connectionId: number; nextTryAt: string };

/** Reads what the imports of each connection brought within a day, and what they could not bring. */
export async function readImportStates(deps: Deps, em: Em, companyId: number): Promise<ImportState[]> {
  const now = deps.now().getTime();
  const since = new Date(now - DAY_MS);
  const counts = await em.execute<{ id: number; imported: number; failed: number }[]>(
    `select c.id,
            (select count(*)::int from (select 1 from orders o
              where o.company_id = ? and o.connection_id = c.id and o.created_at >= ? limit ?) x) as imported,
            (select count(*)::int from (select 1 from import_failures f
              where f.company_id = ? and f.connection_id = c.id limit ?) x) as failed
       from connections c where c.company_id = ?`,
    [companyId, since, READ_ROWS, companyId, READ_ROWS, companyId],
  );
  const late = await em.execute<Late[]>(
    `select f.* from connections c cross join lateral (
       select f.connection_id as "connectionId", f.external_id as "externalId", f.message, f.tries, f.next_try_at as "nextTryAt"
         from import_failures f where f.company_id = ? and f.connection_id = c.id order by f.id desc limit ?) f
      where c.company_id = ?`,
    [companyId, SHOWN, companyId],
  );
  return (await listConnections(deps, companyId)).map(({ connection, marketplace }) => {
    const { imported = 0, failed = 0 } = counts.find(({ id }) => id === connection.id) ?? {};
    return {
      connection,
      marketplace,
      isRunning: isImporting(connection, deps.now()),
      since,
      imported: counted(imported),
      failed: counted(failed),
      late: late
        .filter(({ connectionId }) => connectionId === connection.id)
        .map(({ externalId, message, tries, nextTryAt }) => ({
          ...{ externalId, message, tries },
          nextTryAt: new Date(nextTryAt),
        })),
    };
  });
}
