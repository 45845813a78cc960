import { randomBytes } from 'node:crypto';
import { accessSync, constants, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { UsageError } from '../lib/errors.ts';

/** Secrets that a person need not choose: generated once, kept in the data directory, readable by its owner only. */
export interface Secrets {
  databasePassword: string;
  secretKey: string;
  adminPassword: string;
}

/** Reads the secrets of a data directory, or generates them. Processes that start together agree on one set. */
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
      rmSync(file, { force: true }); // a full disk may leave half a file
      throw unwritable(dataDir, error);
    }
  }
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Secrets;
  } catch (cause) {
    const isForbidden = (cause as NodeJS.ErrnoException).code === 'EACCES';
    const step = isForbidden
      ? 'it belongs to another user, who must run this'
      : 'restore it from a backup, the credentials in the database need it';
    throw new UsageError(`${file} cannot be read: ${step}`, { cause });
  }
}

/** The process that holds a data directory. A short command holds it only while it runs. */
export interface Holder {
  pid: number;
  isService: boolean;
}

/** Longer than a short command takes; the first one also creates the database. */
const COMMAND_PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 100;

/**
 * Locks the embedded database against a second process, and takes over a lock whose owner is dead. Waits while a short command
 * has the lock. Returns the release.
 */
export async function lockDataDir(dataDir: string, use: 'service' | 'command'): Promise<() => void> {
  makeDataDir(dataDir);
  const file = lockFile(dataDir);
  const own = `${file}.${process.pid}`;
  try {
    writeFileSync(own, `${process.pid}\n${use}\n`);
    do {
      await requireFreeDataDir(dataDir);
      removeAbandoned(file, `${own}.old`);
    } while (!isLinked(own, file));
  } catch (cause) {
    throw cause instanceof UsageError ? cause : unwritable(dataDir, cause);
  } finally {
    rmSync(own, { force: true });
  }
  return () => {
    if (readLock(dataDir)?.pid === process.pid) rmSync(file, { force: true });
  };
}

/** Makes the lock appear with its content. Returns false when another process that starts at this moment was faster. */
function isLinked(own: string, file: string): boolean {
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Takes away the lock of a dead process. One that a living process made since the look is put back. */
function removeAbandoned(file: string, aside: string): void {
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return; // there is none
    throw error;
  }
  if (livingHolder(readLockFile(aside))) isLinked(aside, file);
  rmSync(aside, { force: true });
}

/** Waits for a short command to end. Throws when a service uses the directory. */
export async function requireFreeDataDir(dataDir: string): Promise<void> {
  const deadline = Date.now() + COMMAND_PATIENCE_MS;
  for (;;) {
    const holder = readHolder(dataDir);
    if (holder === null) return;
    if (holder.isService || Date.now() > deadline) {
      throw new UsageError(
        `Another smista (process ${holder.pid}) is using ${dataDir}: stop it, or set DATA_DIR to another directory`,
      );
    }
    await delay(LOOK_AGAIN_MS);
  }
}

/** Returns the living process that holds a data directory; null when it is free. */
export function readHolder(dataDir: string): Holder | null {
  return livingHolder(readLock(dataDir));
}

function livingHolder(holder: Holder | null): Holder | null {
  // Our own id in the file belongs to an earlier process: every start of a container has the same id.
  return holder !== null && holder.pid !== process.pid && isAlive(holder.pid) ? holder : null;
}

function readLock(dataDir: string): Holder | null {
  return readLockFile(lockFile(dataDir));
}

function readLockFile(file: string): Holder | null {
  try {
    const [text, use] = readFileSync(file, 'utf8').split('\n');
    const pid = Number(text);
    return Number.isInteger(pid) && pid > 0 ? { pid, isService: use !== 'command' } : null;
  } catch {
    return null; // no lock
  }
}

function lockFile(dataDir: string): string {
  return path.join(dataDir, 'smista.pid');
}

function makeDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw unwritable(dataDir, cause);
  }
}

function unwritable(dataDir: string, cause: unknown): UsageError {
  return new UsageError(
    `DATA_DIR ${dataDir} cannot be written: ${(cause as Error).message}. Change its owner or its mode, or set DATA_DIR to another directory`,
    { cause },
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
