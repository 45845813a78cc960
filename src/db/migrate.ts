import pg from 'pg';
import { UsageError } from '../lib/errors.ts';
import { withClient } from '../lib/with-client.ts';
import { migrations } from './migrations/index.ts';
import type { Orm } from './orm.ts';

const LOCK = 0x736d6967;

/** Says in one sentence why a database cannot be used. */
export async function checkDatabase(databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined); // the connect or query below fails with it
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
    if (Number(rows[0]?.server_version_num) < 140000) throw new Error('it is older than PostgreSQL 14');
  } catch (cause) {
    const { code, message } = cause as { code?: string; message?: string };
    throw new UsageError(`The database at ${url.hostname}:${url.port || 5432} cannot be used: ${message || code}`, {
      cause,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Applies what is missing; processes that start together wait for the first one. */
export async function migrateDatabase(orm: Orm, databaseUrl: string): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await refuseNewer(orm);
    const applied = await orm.migrator.up();
    return applied.map((migration) => migration.name);
  });
}

/** For processes that leave migrating to somebody else. */
export async function requireMigrated(orm: Orm): Promise<void> {
  await refuseNewer(orm);
  const pending = await orm.migrator.getPending();
  if (pending.length > 0) {
    throw new UsageError('The database is older than this smista: run `smista migrate` first');
  }
}

async function refuseNewer(orm: Orm): Promise<void> {
  const known = new Set(migrations.map((migration) => migration.name));
  const executed = await orm.migrator.getExecuted();
  const unknown = executed.find((row) => !known.has(row.name));
  if (unknown) {
    throw new UsageError(`The database is newer than this smista (it has ${unknown.name}): update smista`);
  }
}
