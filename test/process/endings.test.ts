import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BASH_ARGS } from '../support/bash.ts';
import { command, ROOT, type RunningCommand, smista, start, startSmista } from './run-command.ts';

const LONG = { timeout: 120_000 };
const PATIENCE = { timeout: 30_000, interval: 100 };
const STACK = /^\s+at /m;
const LAUNCHER = path.join(ROOT, 'bin', 'smista.js');

let directory: string;
let env: Record<string, string>;
let running: RunningCommand | undefined;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'smista-endings-'));
  env = { DATA_DIR: directory, PORT: '0', SANDBOX_PORT: '0', LOG_LEVEL: 'info', TMPDIR: directory };
});
afterEach(async () => {
  await running?.end('SIGKILL');
  running = undefined;
  rmSync(directory, { recursive: true, force: true });
});

/** The warnings and errors of a log in JSON lines. */
function warnings(output: string): string[] {
  return output.split('\n').filter((line) => /"level":[45]0/.test(line));
}

/** The processes whose command line names the directory of this test. */
function left(): string[] {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(directory));
}

describe('a closed standard output', LONG, () => {
  it.each([
    ['start', {}],
    ['start', { LOG_PRETTY: 'true' }],
    ['demo', {}],
  ])('stops %s in order (%o)', async (what, extra) => {
    const script = `"${process.execPath}" "${LAUNCHER}" ${what} | head -n 1`;

    const { code, stdout, stderr } = await command('bash', [...BASH_ARGS, script], { ...env, ...extra });

    expect(code).toBe(0);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stderr).toBe('smista: standard output was closed, stopping\n');
    expect(left()).toEqual([]);
    expect(existsSync(path.join(directory, 'smista.pid'))).toBe(false);
    expect(readdirSync(directory).filter((name) => name.startsWith('smista-demo-'))).toEqual([]);
  });
});

describe('an interruption', LONG, () => {
  it('undoes a start that is not over', async () => {
    running = startSmista(['start'], env);
    await vi.waitFor(() => expect(existsSync(path.join(directory, 'secrets.json'))).toBe(true), PATIENCE);

    const code = await running.end('SIGINT');

    expect(code).toBe(0);
    expect(running.output()).toContain('"msg":"stopping"');
    expect(running.output()).not.toContain('"msg":"ready"');
    expect(warnings(running.output())).toEqual([]);
    expect(running.output()).not.toMatch(STACK);
    expect(left()).toEqual([]);
  });

  it('stops a service without a warning', async () => {
    running = startSmista(['start'], env);
    await running.says(/"msg":"ready"/);

    const code = await running.end('SIGINT');

    expect(code).toBe(0);
    expect(warnings(running.output())).toEqual([]);
  });

  it('of npm start reaches the service, which stops in order', async () => {
    running = start('npm', ['start'], env);
    await running.says(/"msg":"ready"/);
    const npmEnded = once(running.child, 'exit');

    running.child.kill('SIGTERM');

    expect(await npmEnded).toEqual([0, null]);
    expect(running.output()).toContain('"msg":"stopping"');
    expect(left()).toEqual([]);
  });
});

describe('a data directory that cannot be used', LONG, () => {
  it('is named in one sentence', async () => {
    const file = path.join(directory, 'file');
    writeFileSync(file, '');

    const results = [
      await smista(['start'], { ...env, DATA_DIR: path.join(file, 'data') }),
      await smista(['key', 'list'], { ...env, DATA_DIR: path.join(file, 'data') }),
    ];

    for (const { code, stderr } of results) {
      expect(code).toBe(2);
      expect(stderr).toMatch(/^DATA_DIR \S+ cannot be written: .*set DATA_DIR to another directory\n$/);
    }
  });
});

describe('a file .env', LONG, () => {
  it('is read from the working directory, and the environment wins', async () => {
    writeFileSync(path.join(directory, '.env'), 'PORT=many\nSANDBOX_PORT=few\n');
    const script = `cd "${directory}" && unset ENV_FILE && "${process.execPath}" "${LAUNCHER}" key list`;

    const result = await command('bash', [...BASH_ARGS, script], { DATA_DIR: directory, SANDBOX_PORT: '0' });

    expect(result.code).toBe(2);
    expect(result.stderr).toBe('Invalid settings in the environment:\n  PORT: must be a whole number\n');
  });

  it('that is named and not there is a mistake', async () => {
    const result = await smista(['key', 'list'], { ...env, ENV_FILE: path.join(directory, 'none.env') });

    expect(result.code).toBe(2);
    expect(result.stderr).toContain('none.env cannot be read: ');
  });
});

describe('the printed text', LONG, () => {
  it('is JSON lines and nothing else where there is no terminal', async () => {
    running = startSmista(['start'], env);
    await running.says(/"msg":"ready"/);
    await running.end();

    const lines = running.output().trim().split('\n');
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    const { apiKey } = JSON.parse(readFileSync(path.join(directory, 'demo.json'), 'utf8')) as { apiKey: string };

    expect(messages).toEqual(expect.arrayContaining(['database migrated', 'workers started', 'ready']));
    expect(messages.filter((one) => one === 'workers started')).toHaveLength(1);
    expect(running.output()).not.toContain(apiKey);
  });

  it('is short for people, and the box comes last', async () => {
    running = startSmista(['start'], { ...env, LOG_PRETTY: 'true' });
    await running.says(/Simulated partners +http\S+\n/);

    const before = running.output().split('smista is ready')[0] ?? '';

    expect(before.trim().split('\n').length).toBeLessThan(8);
    expect(before).toContain('workers started');
  });
});

describe('a queue that does not exist', () => {
  it('is refused with the nearest name', async () => {
    const typed = await smista(['start', '--role', 'worker', '--queues', 'carrier-gls'], env);
    const swapped = await smista(['start', '--role', 'worker', '--queues', 'events,tracking-bert'], env);

    expect(typed.code).toBe(2);
    expect(typed.stderr).toContain('There is no queue carrier-gls. Did you mean carrier-gls-it?');
    expect(swapped.stderr).toContain('There is no queue tracking-bert. Did you mean tracking-brt?');
  });
});
