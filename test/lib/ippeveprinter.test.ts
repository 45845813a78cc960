import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/lib/free-port.ts';
import { printIpp } from '../../src/lib/print-ipp.ts';

const PDF = Buffer.from('%PDF-1.4\n%a label for a printer\n%%EOF\n');
const PATIENCE_MS = 10_000;

/** The printer of CUPS for tests (`cups-ipp-utils`) announces itself, so it needs a running Avahi. */
function hasPrinter(): boolean {
  try {
    execFileSync('which', ['ippeveprinter']);
    execFileSync('pgrep', ['-x', 'avahi-daemon']);
    return true;
  } catch {
    console.log('The IPP printer of CUPS is skipped: install cups-ipp-utils, and start dbus and avahi-daemon.');
    return false;
  }
}

describe.skipIf(!hasPrinter())('printIpp with the printer of CUPS', () => {
  let directory: string;
  let printer: ChildProcess;
  let port: number;

  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'smista-ipp-'));
    port = await freePort();
    const formats = 'application/pdf,application/octet-stream';
    printer = spawn('ippeveprinter', ['-p', String(port), '-d', directory, '-k', '-f', formats, `smista ${port}`]);
    const end = Date.now() + PATIENCE_MS;
    while (Date.now() < end && !(await fetch(`http://127.0.0.1:${port}/`).catch(() => null))) await delay(50);
  });
  afterAll(() => {
    printer.kill();
    rmSync(directory, { recursive: true, force: true });
  });

  const print = (contentType: string) =>
    printIpp({
      address: { scheme: 'ipp', host: 'localhost', port, path: '/ipp/print' },
      ...{ ip: '127.0.0.1', bytes: PDF, contentType, jobName: 'Spedizione 1' },
      signal: new AbortController().signal,
    });

  it('prints what the printer then has, byte for byte', async () => {
    expect(await print('application/pdf')).toEqual({ outcome: 'printed' });
    expect(readdirSync(directory).map((name) => readFileSync(path.join(directory, name)))).toEqual([PDF]);
  });

  it('is refused a format that the printer does not take', async () => {
    expect(await print('image/urf')).toMatchObject({ outcome: 'not-printed', error: 'refused' });
  });
});
