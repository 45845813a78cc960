import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const PATIENCE_MS = 100_000;

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

export type Environment = Record<string, string>;

/** Where Node itself would keep compiled modules; starting takes half the time with it. */
const COMPILED = path.join(tmpdir(), 'node-compile-cache');

/** Where nothing is read from: a developer's own .env must not decide about a test. */
const NO_FILE = '/dev/null';

/** Nothing of the environment of the tests themselves but where to find programs. */
function environmentOf(given: Environment): Environment {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE: COMPILED, ENV_FILE: NO_FILE, LOG_LEVEL: 'warn', ...given };
}

/** Runs `smista` with these arguments until it ends. */
export function smista(args: readonly string[], env: Environment = {}): Promise<CommandResult> {
  return command(process.execPath, [MAIN, ...args], env);
}

export function command(file: string, args: readonly string[], env: Environment = {}): Promise<CommandResult> {
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env: environmentOf(env), timeout: PATIENCE_MS };
    execFile(file, [...args], options, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
      resolve({ code, stdout, stderr });
    });
  });
}

export interface RunningCommand {
  child: ChildProcess;
  /** Everything it printed so far. */
  output(): string;
  /** The first match in what it prints. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal and answers the exit code; null when the signal killed it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `smista` and leaves it running. */
export function startSmista(args: readonly string[], env: Environment = {}): RunningCommand {
  return start(process.execPath, [MAIN, ...args], env);
}

export function start(file: string, args: readonly string[], env: Environment = {}): RunningCommand {
  const child = spawn(file, [...args], { cwd: ROOT, env: environmentOf(env), stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const look = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      for (const one of look) one();
    });
  }
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      resolve(code);
      for (const one of look) one();
    });
  });
  return {
    child,
    output: () => text,
    says(pattern) {
      const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
      const late = setTimeout(() => reject(new Error(`It never said ${pattern}, but:\n${text}`)), PATIENCE_MS);
      const check = (): void => {
        const found = pattern.exec(text);
        if (found) resolve(found);
        else if (child.exitCode !== null) reject(new Error(`It ended with ${child.exitCode}:\n${text}`));
      };
      look.add(check);
      check();
      return promise.finally(() => {
        clearTimeout(late);
        look.delete(check);
      });
    },
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
  };
}
