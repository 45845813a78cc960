import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BLOCK = /^```(ts|diff|jsonc) (\S+)\n([\s\S]*?)^```/gm;

export interface GuideBlock {
  language: string;
  file: string;
  text: string;
}

/** Lists the files and changes of a guide, in its order. */
export function guideBlocks(guide: string): GuideBlock[] {
  return [...readFileSync(guide, 'utf8').matchAll(BLOCK)].map(([, language = '', file = '', text = '']) => ({
    language,
    file,
    text,
  }));
}

/** Without the servers that every other test needs. */
export const PLAIN_VITEST = 'export default { test: {} };\n';

/** Arguments of a type check beside other tests: it takes as long on one thread, and a third less of the processor. */
export const TSC_ARGS = ['--singleThreaded', '-p'] as const;

/** Runs a program of this project in another folder; what it printed is in the error. */
export async function runIn(directory: string, command: string, ...args: string[]): Promise<string> {
  const bin = path.resolve('node_modules/.bin', command);
  const { stdout } = await run(process.execPath, [bin, ...args], {
    cwd: directory,
    env: { ...process.env, NO_COLOR: '1' },
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}
