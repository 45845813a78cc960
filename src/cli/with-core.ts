import { type Config, readConfig } from '../config.ts';
import type { Core } from '../core.ts';
import type { Log } from '../lib/log.ts';
import type { Registries } from '../load-adapters.ts';

/** Opens the database, runs a command on it, and closes it again. */
export type WithCore = (options: { migrate?: boolean }, run: (core: Core) => Promise<void>) => Promise<void>;

/** Reads the environment and opens the log of a process that keeps running. */
export async function settings(): Promise<{ config: Config; log: Log }> {
  const config = readConfig(process.env);
  const { createLog } = await import('../lib/log.ts');
  return { config, log: createLog({ level: config.logLevel, pretty: config.logPretty }) };
}

/** Loads the adapters for commands that run them without a database. */
export async function registries(): Promise<Registries> {
  const { loadAdapters } = await import('../load-adapters.ts');
  return loadAdapters(readConfig(process.env).adapters);
}

/** Runs a short command on the running service's database, or on the embedded one, which it starts and stops. */
export const withCore: WithCore = async (options, run) => {
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env });
  const [{ openCore }, { createLog }] = await Promise.all([import('../core.ts'), import('../lib/log.ts')]);
  // Scripts read a short command's standard output, so it holds the answer and nothing else.
  const log = createLog({ level: config.logLevel, destination: process.stderr });
  await using stack = new AsyncDisposableStack();
  await run(
    await openCore(stack, {
      config,
      log,
      isCommand: true,
      migrate: options.migrate ?? config.databaseUrl === undefined,
    }),
  );
};
