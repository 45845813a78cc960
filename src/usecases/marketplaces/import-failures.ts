import { type Connection, ImportFailure } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';

const FIRST_PAUSE_SECONDS = 300;
const LONGEST_PAUSE_SECONDS = 86_400;
/** Maximum retries per run, so that many bad orders of a shop do not delay its good ones. */
const MAX_PER_RUN = 50;

/** Stores an order that could not be imported. Its backoff doubles, from minutes up to a day. */
export async function keepImportFailure(
  deps: Pick<Deps, 'orm'>,
  connection: Connection,
  failure: { externalId: string; reason: string },
): Promise<void> {
  await systemEm(deps.orm).execute(
    `insert into import_failures as f (company_id, connection_id, external_id, message, next_try_at)
       values (?, ?, ?, ?, now() + make_interval(secs => ?))
     on conflict (connection_id, external_id) do update set message = excluded.message, tries = f.tries + 1,
       next_try_at = now() + make_interval(secs => least(?, ? * power(2, least(f.tries, 20))))`,
    [
      connection.companyId,
      connection.id,
      failure.externalId,
      failure.reason,
      FIRST_PAUSE_SECONDS,
      LONGEST_PAUSE_SECONDS,
      FIRST_PAUSE_SECONDS,
    ],
  );
}

export async function forgetImportFailure(
  deps: Pick<Deps, 'orm'>,
  connection: Connection,
  externalId: string,
): Promise<void> {
  const { id: connectionId, companyId } = connection;
  await systemEm(deps.orm).nativeDelete(ImportFailure, { companyId, connectionId, externalId });
}

export async function readImportFailures(deps: Pick<Deps, 'orm'>, connection: Connection): Promise<Set<string>> {
  const { id: connectionId, companyId } = connection;
  const failures = await systemEm(deps.orm).find(
    ImportFailure,
    { companyId, connectionId },
    { fields: ['externalId'] },
  );
  return new Set(failures.map((failure) => failure.externalId));
}

/** Lists failed orders whose retry is due. */
export async function dueImportFailures(deps: Pick<Deps, 'orm'>, connection: Connection): Promise<string[]> {
  const { id: connectionId, companyId } = connection;
  const due = await systemEm(deps.orm).find(
    ImportFailure,
    { companyId, connectionId, nextTryAt: { $lte: new Date() } },
    { orderBy: { nextTryAt: 'asc' }, limit: MAX_PER_RUN },
  );
  return due.map((failure) => failure.externalId);
}

/** Returns why an order could not be imported, null when it was. */
export async function readImportFailure(
  deps: Pick<Deps, 'orm'>,
  { id: connectionId, companyId }: Pick<Connection, 'id' | 'companyId'>,
  externalId: string,
): Promise<string | null> {
  const failure = await systemEm(deps.orm).findOne(ImportFailure, { companyId, connectionId, externalId });
  return failure?.message ?? null;
}
