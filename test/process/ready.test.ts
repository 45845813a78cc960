import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../src/lib/free-port.ts';
import { type RunningCommand, startSmista } from './run-command.ts';

const LONG = { timeout: 120_000 };
const LOOK_MS = 20;

let directory: string;
let running: RunningCommand | undefined;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'smista-ready-'));
});
afterEach(async () => {
  await running?.end();
  rmSync(directory, { recursive: true, force: true });
});

it('answers 503 from its first moment until the demo company can be used', LONG, async () => {
  const port = String(await freePort());
  running = startSmista(['start'], { DATA_DIR: directory, PORT: port, SANDBOX_PORT: '0' });
  const before: number[] = [];
  let hadCompany = false;

  for (;;) {
    const wasWritten = existsSync(path.join(directory, 'demo.json'));
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
    if (response?.ok) {
      hadCompany = wasWritten || existsSync(path.join(directory, 'demo.json'));
      break;
    }
    if (response) before.push(response.status);
    await delay(LOOK_MS);
  }

  expect(hadCompany).toBe(true);
  expect(new Set(before)).toEqual(new Set([503]));
});
