import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const MODULE = new URL('../../src/embedded/data-dir.ts', import.meta.url).href;
/** A pid that no process has: above what the kernel gives out. */
const DEAD = 2 ** 22 + 1;

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'smista-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Takes the lock several times in a process of its own, and notes when it has it and when it gives it back. */
function hold(use: 'service' | 'command', rounds: number): Promise<unknown> {
  const script = `
    import { appendFileSync } from 'node:fs';
    import { lockDataDir } from ${JSON.stringify(MODULE)};
    const note = (text) => appendFileSync(${JSON.stringify(path.join(directory, 'log'))}, text);
    for (let round = 0; round < ${rounds}; round++) {
      const release = await lockDataDir(${JSON.stringify(directory)}, '${use}');
      note('in\\n');
      await new Promise((resolve) => setImmediate(resolve));
      note('out\\n');
      release();
    }`;
  return run(process.execPath, ['--input-type=module', '-e', script]);
}

describe('the lock of a data directory', { timeout: 120_000 }, () => {
  it('is held by one of many commands at a time, each in its turn, and the first take over that of a dead process', async () => {
    writeFileSync(path.join(directory, 'smista.pid'), `${DEAD}\nservice\n`);
    const [processes, rounds] = [4, 15];

    await Promise.all(Array.from({ length: processes }, () => hold('command', rounds)));

    expect(readFileSync(path.join(directory, 'log'), 'utf8')).toBe('in\nout\n'.repeat(processes * rounds));
    expect(readdirSync(directory)).toEqual(['log']);
  });

  it('is not waited for while a service has it', async () => {
    writeFileSync(path.join(directory, 'smista.pid'), `${process.pid}\nservice\n`);

    await expect(hold('command', 1)).rejects.toThrow(`Another smista (process ${process.pid}) is using ${directory}`);
    expect(readdirSync(directory)).toEqual(['smista.pid']);
  });
});
