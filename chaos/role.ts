import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const RESTART_MS = 500;
const READY_MS = 60_000;
const LAST_WORDS = 1500;

/** One that ended without being told to. */
export interface Death {
  role: string;
  /** False: it refused to start, for instance because the database was away. */
  wasReady: boolean;
  code: number | null;
  lastWords: string;
}

export interface RoleOptions {
  name: string;
  args: readonly string[];
  env: Record<string, string>;
  logFile: string;
  /** The line that the process prints when it is ready. */
  ready: RegExp;
}

/** One process of the product, started again whenever it ends, as a service manager would. */
export class Role {
  readonly name: string;
  readonly deaths: Death[] = [];
  readonly #options: RoleOptions;
  #child: ChildProcess | undefined;
  #wanted = false;
  #killed = false;
  #frozen = false;

  constructor(options: RoleOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#child !== undefined && !this.#frozen;
  }

  /** Starts it and waits for its word that it is ready. */
  async start(): Promise<RegExpExecArray> {
    this.#wanted = true;
    this.#spawn();
    const deadline = Date.now() + READY_MS;
    for (;;) {
      const said = this.#options.ready.exec(this.#log());
      if (said) return said;
      if (Date.now() > deadline) throw new Error(`${this.name} did not start:\n${this.#log().slice(-LAST_WORDS)}`);
      await delay(50);
    }
  }

  /** SIGKILL: nothing is written down any more. It comes back by itself. */
  kill(): void {
    this.#killed = true;
    this.#child?.kill('SIGKILL');
  }

  /** Stands still for a while and then goes on as if nothing had been. */
  async freeze(ms: number, signal: AbortSignal): Promise<void> {
    const child = this.#child;
    if (!child || this.#frozen) return;
    this.#frozen = true;
    child.kill('SIGSTOP');
    await delay(ms, undefined, { signal }).catch(() => undefined);
    child.kill('SIGCONT');
    this.#frozen = false;
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.#wanted = false;
    const child = this.#child;
    if (!child) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  #log(): string {
    return readFileSync(this.#options.logFile, 'utf8');
  }

  #spawn(): void {
    const { args, env, logFile, name } = this.#options;
    const log = openSync(logFile, 'a');
    const from = statSync(logFile).size;
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { PATH, HOME, ENV_FILE: '/dev/null', ...env },
      stdio: ['ignore', log, log],
      detached: true, // Ctrl-C is for the harness, which then ends everything itself
    });
    closeSync(log);
    this.#child = child;
    this.#killed = false;
    child.once('exit', (code) => {
      if (this.#child === child) this.#child = undefined;
      if (!this.#wanted) return;
      if (!this.#killed) {
        const words = readFileSync(logFile).subarray(from).toString('utf8');
        const wasReady = this.#options.ready.test(words);
        this.deaths.push({ role: name, wasReady, code, lastWords: words.slice(-LAST_WORDS) });
      }
      setTimeout(() => {
        if (this.#wanted) this.#spawn();
      }, RESTART_MS);
    });
  }
}
