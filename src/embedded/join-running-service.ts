import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { UsageError } from '../lib/errors.ts';
import { readHolder, readSecrets } from './data-dir.ts';
import { findRunningDatabase } from './postgres.ts';

export interface RunningService {
  databaseUrl: string;
  /** Why this database must not be migrated under the running service. */
  staleMessage: string;
}

const START_PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 100;

/**
 * Returns the database of the service that runs on a data directory, once it takes connections; null when none runs.
 */
export async function joinRunningService(dataDir: string): Promise<RunningService | null> {
  const deadline = Date.now() + START_PATIENCE_MS;
  for (;;) {
    const holder = readHolder(dataDir);
    if (!holder?.isService) return null;
    const databaseUrl = findRunningDatabase(path.join(dataDir, 'postgres'), readSecrets(dataDir).databasePassword);
    if (databaseUrl !== null) {
      const staleMessage = `The running smista (process ${holder.pid}) is older than this one and would break if its database were migrated: stop it first`;
      return { databaseUrl, staleMessage };
    }
    if (Date.now() > deadline) {
      throw new UsageError(
        `smista (process ${holder.pid}) is using ${dataDir}, and its database does not answer: try again in a moment`,
      );
    }
    await delay(LOOK_AGAIN_MS);
  }
}
