import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Sheet } from '../domain/pricing/sheets/sheet.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { WorkbookError } from './xlsx-table.ts';

const CHILD = fileURLToPath(new URL(`./xlsx-child${path.extname(import.meta.filename)}`, import.meta.url));
/** A workbook of 10,000 rows and 60 columns takes a third of it. */
const MAX_HEAP_MB = 512;
const MAX_MS = 10_000;
/** Each holds its memory, whatever is uploaded at the same moment. */
const permits = new Semaphore(2);

type Message = { sheets: Sheet[] } | { refusal: string };

/**
 * Reads a workbook in a process with bounded memory and time. A small archive may name a cell a million columns away,
 * and out of memory in a thread ends the whole process. Throws a `WorkbookError`.
 */
export async function readXlsxApart(bytes: Buffer): Promise<Sheet[]> {
  const release = await permits.acquire();
  const child = fork(CHILD, {
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // It needs no settings, and none of the secrets in them.
    env: {},
  });
  try {
    const message = await answerOf(child, bytes);
    if ('refusal' in message) throw new WorkbookError(message.refusal);
    return message.sheets;
  } finally {
    child.kill('SIGKILL');
    release();
  }
}

function answerOf(child: ChildProcess, bytes: Buffer): Promise<Message> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new WorkbookError('takes too long to read')), MAX_MS);
    const settled = (settle: () => void): void => {
      clearTimeout(late);
      settle();
    };
    child.once('message', (message) => settled(() => resolve(message as Message)));
    child.once('error', (error) => settled(() => reject(error)));
    child.once('exit', () => settled(() => reject(new WorkbookError('holds too much to read'))));
    // A failed send is followed by the exit or the error that caused it.
    child.send(bytes, () => undefined);
  });
}
