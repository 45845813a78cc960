import { statfsSync } from 'node:fs';

/** PostgreSQL stops itself when it cannot write its write-ahead log, which grows by 16 MB at a time. */
const SCARCE_BYTES = 32 * 2 ** 20;

/** Returns a sentence when a directory has no room for a database; null when it has. */
export function describeFullDisk(directory: string): string | null {
  const { bavail, bsize } = statfsSync(directory);
  const free = bavail * bsize;
  if (free > SCARCE_BYTES) return null;
  return `The disk is full: ${Math.floor(free / 2 ** 20)} MB are free in ${directory}`;
}

/** Returns true when the file system or PostgreSQL (53100) had no room, at any depth of causes. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' || code === '53100' || isDiskFull(error.cause);
}
