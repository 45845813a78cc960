import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const GUIDE = readFileSync('docs/add-a-carrier.md', 'utf8');
const BLOCK = /^```(ts|diff) (\S+)\n([\s\S]*?)^```/gm;

interface Block {
  language: string;
  file: string;
  text: string;
}

/** The files and changes of the guide, in its order. */
const blocks: Block[] = [...GUIDE.matchAll(BLOCK)].map(([, language = '', file = '', text = '']) => ({
  language,
  file,
  text,
}));

/** Follows a change by hand, as a reader would: what begins with a minus gives way to what begins with a plus. */
function followDiff(content: string, diff: string): string {
  const lines = diff.split('\n');
  const taken = (sign: string): string =>
    lines
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n');
  const [before, after] = [taken('-'), taken('+')];
  if (!content.includes(before)) throw new Error(`The guide changes a line that is not there: ${before}`);
  return content.replace(before, after);
}

describe('the guide to a new carrier', { timeout: 120_000 }, () => {
  let directory: string;

  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'smista-guide-'));
    for (const part of ['src', 'test', 'package.json', 'tsconfig.json']) {
      cpSync(part, path.join(directory, part), { recursive: true });
    }
    symlinkSync(path.resolve('node_modules'), path.join(directory, 'node_modules'));
    for (const { language, file, text } of blocks) {
      const target = path.join(directory, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, language === 'diff' ? followDiff(readFileSync(target, 'utf8'), text) : text);
    }
    // Without the servers that every other test needs.
    writeFileSync(path.join(directory, 'vitest.config.ts'), 'export default { test: {} };\n');
    const files = ['src/carriers/index.ts', 'sandbox/src/index.ts', 'test/carriers/acme-it.test.ts'];
    writeFileSync(
      path.join(directory, 'tsconfig.acme.json'),
      JSON.stringify({ extends: './tsconfig.json', include: [], files }),
    );
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  async function inCopy(command: string, ...args: string[]): Promise<string> {
    const bin = path.join(directory, 'node_modules/.bin', command);
    const { stdout } = await run(process.execPath, [bin, ...args], {
      cwd: directory,
      env: { ...process.env, NO_COLOR: '1' },
    }).catch((error: { stdout: string; stderr: string }) => {
      throw new Error(`${command} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`);
    });
    return stdout;
  }

  it('changes one line in each of two registries and nothing else that is there', () => {
    const changed = blocks.filter(({ language }) => language === 'diff');

    expect(changed.map(({ file }) => file)).toEqual(['src/carriers/index.ts', 'sandbox/src/index.ts']);
    for (const { text } of changed) expect(text.split('\n').filter((line) => line.startsWith('-'))).toHaveLength(1);
  });

  it('builds a carrier whose types are right', async () => {
    await inCopy('tsc', '-p', 'tsconfig.acme.json');
  });

  it('builds a carrier that keeps the promises of every carrier', async () => {
    const said = await inCopy('vitest', 'run', 'test/carriers/acme-it.test.ts', '--reporter=verbose');

    expect(said).toContain('acme-it keeps the promises of every carrier');
    expect(said).toMatch(/Tests\s+14 passed \(14\)/);
  });
});
