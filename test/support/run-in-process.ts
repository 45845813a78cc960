import { Command } from 'commander';
import type { App } from '../../src/app.ts';
import type { WithCore, WithDatabase } from '../../src/cli/with-core.ts';
import type { Core } from '../../src/core.ts';
import { Problem, UsageError } from '../../src/lib/errors.ts';
import type { CommandResult } from '../process/run-command.ts';

/**
 * Runs commands of `smista` in this process on a running app: no second start for each. Ends as `main.ts` does; that it really does is
 * for the tests that start the command.
 */
export function runInProcess(app: App, commands: Commands, args: readonly string[]): Promise<CommandResult> {
  const result = last.then(() => runNow(app, commands, args));
  last = result.catch(() => undefined);
  return result;
}

type Commands = (program: Command, withCore: WithCore, withDatabase: WithDatabase) => void;

/** One after the other: they share the console and the exit code. */
let last: Promise<unknown> = Promise.resolve();

async function runNow(app: App, commands: Commands, args: readonly string[]): Promise<CommandResult> {
  const result: CommandResult = { code: 0, stdout: '', stderr: '' };
  const out = (text: string): void => {
    result.stdout += text;
  };
  const err = (text: string): void => {
    result.stderr += text;
  };
  const program = new Command('smista').exitOverride().configureOutput({ writeOut: out, writeErr: err });
  const withApp: WithCore = (_options, run) => run({ deps: app.deps } as Core);
  commands(program, withApp, withApp);
  const { log, error } = console;
  console.log = (text: string) => out(`${text}\n`);
  console.error = (text: string) => err(`${text}\n`);
  try {
    await program.parseAsync([...args], { from: 'user' });
    result.code = Number(process.exitCode ?? 0);
  } catch (cause) {
    result.code = 2;
    if (cause instanceof UsageError || cause instanceof Problem) err(`${cause.message}\n`);
    else if (!(cause as { code?: string }).code?.startsWith('commander.')) throw cause;
  } finally {
    process.exitCode = undefined;
    Object.assign(console, { log, error });
  }
  return result;
}
