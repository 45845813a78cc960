import { type Config, readConfig } from '../config.ts';
import type { Core } from '../core.ts';
import type { Deps } from '../engine/deps.ts';
import type { Log } from '../lib/log.ts';
import type { Registries } from '../load-adapters.ts';
import type { DatabaseOptions } from '../open-database.ts';
import { audited } from './audited.ts';

/** Opens database, queue and adapters, runs a command on them, and closes them again. */
export type WithCore = (options: { migrate?: boolean }, run: (core: Core) => Promise<void>) => Promise<void>;

/** Opens the database alone. A `WithCore` can stand in for it. */
export type WithDatabase = (
  options: Record<string, never>,
  run: (core: { deps: Pick<Deps, 'orm' | 'priceBooks' | 'now'> }) => Promise<void>,
) => Promise<void>;

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
  const { openCore } = await import('../core.ts');
  await using stack = new AsyncDisposableStack();
  const core = await openCore(stack, await commandOptions(options.migrate));
  await audited(core.deps, () => run(core));
};

/** Runs a short command as `withCore` does, and loads neither queue nor adapters. */
export const withDatabase: WithDatabase = async (_options, run) => {
  const [{ openDatabase }, { createPriceBooks }, { systemClock }] = await Promise.all([
    import('../open-database.ts'),
    import('../engine/price-book.ts'),
    import('../lib/clock.ts'),
  ]);
  await using stack = new AsyncDisposableStack();
  const { orm } = await openDatabase(stack, await commandOptions());
  const deps = { orm, priceBooks: createPriceBooks(), now: systemClock };
  await audited(deps, () => run({ deps }));
};

async function commandOptions(migrate?: boolean): Promise<DatabaseOptions> {
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env });
  const { createLog } = await import('../lib/log.ts');
  // Scripts read a short command's standard output, so it holds the answer and nothing else.
  const log = createLog({ level: config.logLevel, destination: process.stderr });
  return { config, log, isCommand: true, migrate: migrate ?? config.databaseUrl === undefined };
}
