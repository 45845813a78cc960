import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../lib/errors.ts';

/** What a person did not have to choose: made once, kept in the data directory, readable by its owner only. */
export interface Secrets {
  databasePassword: string;
  secretKey: string;
  adminPassword: string;
}

/** Reads the secrets of a data directory, or makes them; processes that start together agree on one set. */
export function readSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json');
  const fresh: Secrets = {
    databasePassword: randomBytes(24).toString('base64url'),
    secretKey: randomBytes(32).toString('base64'),
    adminPassword: randomBytes(12).toString('base64url'),
  };
  try {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    return fresh;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new UsageError(`DATA_DIR ${dataDir} cannot be written: ${(error as Error).message}`, { cause: error });
    }
  }
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Secrets;
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: restore it from a backup, the credentials in the database need it`, {
      cause,
    });
  }
}

/** Keeps a second process off the embedded database; a lock whose owner is dead is taken over. Answers how to let go. */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const file = path.join(dataDir, 'smista.pid');
  const owner = readOwner(file);
  if (owner !== null && owner !== process.pid && isAlive(owner)) {
    throw new UsageError(
      `Another smista (process ${owner}) is using ${dataDir}: stop it, or set DATA_DIR to another directory`,
    );
  }
  writeFileSync(file, String(process.pid));
  return () => {
    if (readOwner(file) === process.pid) rmSync(file, { force: true });
  };
}

function readOwner(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null; // no lock
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
