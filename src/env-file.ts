import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { UsageError } from './lib/errors.ts';

/** Reads `.env` of the working directory, or the file that ENV_FILE names, into the environment. Variables that are set already win. */
export function readEnvFile(): void {
  const named = process.env.ENV_FILE;
  const file = named || '.env';
  if (!named && !existsSync(file)) return;
  try {
    loadEnvFile(file);
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
