import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { isDatabaseRestarting } from '../lib/database-away.ts';
import { UsageError } from '../lib/errors.ts';
import { withClient } from '../lib/with-client.ts';
import { migrations } from './migrations/index.ts';
import type { Orm } from './orm.ts';
import { secureRows } from './row-security.ts';

const LOCK = 0x736d6967;

const LOOK_MS = 500;

export interface DatabaseWait {
  /** Milliseconds to wait for a server that restarts; 0 to ask once. */
  waitMs: number;
  /** Called once, when the first answer is that of a server that restarts. */
  onWait?: (reason: string) => void;
}

/** Throws one sentence when a database cannot be used. Waits for a server that restarts. */
export async function checkDatabase(databaseUrl: string, { waitMs, onWait }: DatabaseWait): Promise<void> {
  const until = Date.now() + waitMs;
  let hasWaited = false;
  for (;;) {
    const cause = await lookAt(databaseUrl);
    if (cause === null) return;
    const { code, message } = cause as { code?: string; message?: string };
    const reason = message || code || 'it does not answer';
    if (!isDatabaseRestarting(cause) || Date.now() + LOOK_MS > until) {
      const url = new URL(databaseUrl);
      const after = hasWaited ? ` (asked for ${Math.round(waitMs / 1000)} seconds)` : '';
      throw new UsageError(`The database at ${url.hostname}:${url.port || 5432} cannot be used: ${reason}${after}`, {
        cause,
      });
    }
    if (!hasWaited) onWait?.(reason);
    hasWaited = true;
    await setTimeout(LOOK_MS);
  }
}

/** Returns why a database cannot be used; null when it can. */
async function lookAt(databaseUrl: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined); // the connect or query below fails with it
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
    if (Number(rows[0]?.server_version_num) < 140000) throw new Error('it is older than PostgreSQL 14');
    return null;
  } catch (cause) {
    return cause;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Applies the missing migrations; processes that start together wait for the first one. */
export async function migrateDatabase(orm: Orm, databaseUrl: string): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await refuseNewer(orm);
    await requireTrigrams(client);
    const applied = await orm.migrator.up();
    await secureRows(client);
    return applied.map((migration) => migration.name);
  });
}

/** Creates the extension that search uses. Throws one sentence when the server lacks it or the user may not create it. */
async function requireTrigrams(client: pg.ClientBase): Promise<void> {
  try {
    await client.query('create extension if not exists pg_trgm');
  } catch (cause) {
    const { message } = cause as Error;
    throw new UsageError(
      `PostgreSQL's extension pg_trgm cannot be created: ${message}. Ask an administrator for \`create extension pg_trgm\` in this database; Debian has it in postgresql-contrib`,
      { cause },
    );
  }
}

/** Throws when migrations are missing, for processes that do not migrate. */
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
