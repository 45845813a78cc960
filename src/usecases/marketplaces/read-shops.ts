import { type Connection, ImportFailure, type MarketplaceRow } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { before, equal } from '../../db/queries/conditions.ts';
import { listRows } from '../../db/queries/list-rows.ts';
import type { Deps } from '../../engine/deps.ts';
import { type Counted, counted, READ_ROWS } from '../../lib/counted.ts';
import { listConnections } from '../partners/read-lists.ts';
import { countConfirmations } from './confirmations.ts';
import { findConnectionOf } from './find-connection.ts';
import { isImporting, onlyOrdersFailed } from './import-orders.ts';

/** A connection with what its shop and we know of each other. */
export interface Shop {
  connection: Connection;
  marketplace: MarketplaceRow;
  isRunning: boolean;
  /** Why the last run as a whole failed. */
  error: string | null;
  /** Null: no import is to come. */
  nextRunAt: Date | null;
  failed: Counted;
  missing: Counted;
  toldAnother: Counted;
}

/** Reads the state of the company's connections. */
export async function readShops(deps: Deps, companyId: number): Promise<Shop[]> {
  const em = companyEm(deps.orm, companyId);
  const now = deps.now().getTime();
  const shops: Shop[] = [];
  for (const { connection, marketplace } of await listConnections(deps, companyId)) {
    const { importEnabled, isConnected, importedUntil, lastImportError } = connection;
    const next = Math.max(now, (importedUntil?.getTime() ?? 0) + deps.settings.importIntervalMs);
    shops.push({
      connection,
      marketplace,
      isRunning: isImporting(connection, deps.now()),
      error: lastImportError !== null && onlyOrdersFailed(lastImportError) ? null : lastImportError,
      nextRunAt: importEnabled && isConnected ? new Date(next) : null,
      failed: await countFailures(em, connection),
      ...(await countConfirmations(deps, em, connection)),
    });
  }
  return shops;
}

async function countFailures(em: Em, { id, companyId }: Connection): Promise<Counted> {
  const [row] = await em.execute<{ count: number }[]>(
    `select count(*)::int as count from (select 1 from import_failures where company_id = ? and connection_id = ? limit ?) x`,
    [companyId, id, READ_ROWS],
  );
  return counted(row?.count ?? 0);
}

/** Lists the orders of a connection that could not be imported, newest first. Throws a 404 for a foreign connection. */
export async function listImportFailures(
  deps: Deps,
  { companyId, connectionId, limit, beforeId }: Listed,
): Promise<ImportFailure[]> {
  const em = companyEm(deps.orm, companyId);
  await findConnectionOf(em, connectionId);
  const where = [...equal({ connection_id: connectionId }), ...before(beforeId)];
  return listRows(em, ImportFailure, { companyId, where, limit });
}

interface Listed {
  companyId: number;
  connectionId: number;
  limit: number;
  beforeId: number | null;
}
