import path from 'node:path';
import type { Config } from './config.ts';
import { checkDatabase, migrateDatabase, requireMigrated } from './db/migrate.ts';
import { closeOrm, type Orm, openOrm } from './db/orm.ts';
import { lockDataDir, readSecrets } from './embedded/data-dir.ts';
import { joinRunningService } from './embedded/join-running-service.ts';
import { startEmbeddedPostgres } from './embedded/postgres.ts';
import { UsageError } from './lib/errors.ts';
import type { Log } from './lib/log.ts';
import { Shutdown } from './lib/shutdown.ts';

export interface DatabaseOptions {
  config: Config;
  log: Log;
  /** True: apply migrations; false: refuse a database that needs some. */
  migrate: boolean;
  /** How long to wait for a database that restarts. Default 0, because a person waits for a short command. */
  databaseWaitMs?: number;
  /** Absent: this call makes its own. */
  shutdown?: Shutdown;
  /** True for a short command, which may join the embedded database of a running service. */
  isCommand?: boolean;
  /** Aborts the start. */
  signal?: AbortSignal;
}

export interface OpenedDatabase {
  orm: Orm;
  databaseUrl: string;
  /** True when the embedded database belongs to a running service. */
  isJoined: boolean;
}

/** Opens the configured or the embedded database. Throws a `UsageError` when this release cannot work on it. */
export async function openDatabase(stack: AsyncDisposableStack, options: DatabaseOptions): Promise<OpenedDatabase> {
  const { config, log } = options;
  const shutdown = options.shutdown ?? new Shutdown({ log, totalMs: config.shutdownSeconds * 1000 });
  const joined = options.isCommand && !config.databaseUrl ? await joinRunningService(config.dataDir) : null;
  const databaseUrl = joined?.databaseUrl ?? config.databaseUrl ?? (await startEmbedded(stack, options, shutdown));
  options.signal?.throwIfAborted();
  await checkDatabase(databaseUrl, {
    waitMs: options.databaseWaitMs ?? 0,
    onWait: (reason) => log.warn({ reason }, 'waiting for the database'),
  });
  const orm = await openOrm({ databaseUrl, poolSize: config.databasePool });
  stack.defer(shutdown.step('database pool', () => closeOrm(orm)));
  if (joined) {
    await requireMigrated(orm).catch((cause) => {
      throw new UsageError(joined.staleMessage, { cause });
    });
  } else if (options.migrate) {
    const applied = await migrateDatabase(orm, databaseUrl);
    if (applied.length > 0) log.info({ migrations: applied.length }, 'database migrated');
    log.debug({ applied }, 'migrations');
  } else {
    await requireMigrated(orm);
  }
  return { orm, databaseUrl, isJoined: joined !== null };
}

async function startEmbedded(
  stack: AsyncDisposableStack,
  { config, isCommand }: DatabaseOptions,
  shutdown: Shutdown,
): Promise<string> {
  stack.defer(await lockDataDir(config.dataDir, isCommand ? 'command' : 'service'));
  const postgres = await startEmbeddedPostgres({
    directory: path.join(config.dataDir, 'postgres'),
    password: readSecrets(config.dataDir).databasePassword,
  });
  stack.defer(shutdown.step('embedded database', () => postgres.stop()));
  return postgres.url;
}
