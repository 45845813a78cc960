import { readFileSync } from 'node:fs';
import { UsageError } from './lib/errors.ts';

/** Settings that hold a secret. Each may come from the file that `<NAME>_FILE` names, as Docker and Kubernetes give secrets. */
export const SECRET_SETTINGS: readonly string[] = [
  'DATABASE_URL',
  'REDIS_URL',
  'SECRET_KEY',
  'ADMIN_PASSWORD',
  'DOCUMENTS_S3_KEY',
  'DOCUMENTS_S3_SECRET',
  'OIDC_CLIENT_SECRET',
  'SMISTA_TOKEN',
];

type Settings = Record<string, string | undefined>;

/**
 * Returns the environment with every secret of a file under its own name, without the file's last line break. Throws a
 * `UsageError` that lists every variable whose file cannot be read or is empty, or that is given twice.
 */
export function readSecretFiles(environment: Settings): Settings {
  const faults: string[] = [];
  const secrets: Settings = {};
  for (const name of SECRET_SETTINGS) {
    const file = environment[`${name}_FILE`];
    if (!file) continue;
    if (environment[name]) {
      faults.push(`  ${name}: set it or ${name}_FILE, not both`);
      continue;
    }
    try {
      secrets[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      // Without this, an empty file would count as unset, and a generated secret would take its place.
      if (!secrets[name]) faults.push(`  ${name}_FILE: ${file} is empty`);
    } catch (cause) {
      faults.push(`  ${name}_FILE: cannot read ${file} (${(cause as NodeJS.ErrnoException).code})`);
    }
  }
  if (faults.length > 0) throw new UsageError(`Invalid settings in the environment:\n${faults.join('\n')}`);
  return { ...environment, ...secrets };
}
