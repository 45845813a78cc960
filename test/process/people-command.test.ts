import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personCommands } from '../../src/cli/persons.ts';
import { createOrder } from '../api/ship-orders.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import type { CommandResult } from './run-command.ts';

const PERSON = { customer: { full_name: 'Zzcommand Rossi', email: 'zzcommand@example.com', phone: '' } };
const BY_MAIL = ['--company', 'demo', '--email', 'zzcommand@example.com'];

describe('smista people', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'] });
  });
  afterAll(() => test.stop());

  const run = (...args: string[]): Promise<CommandResult> =>
    runInProcess(test.app, personCommands, ['people', ...args]);

  it('finds, exports and erases a person, and erases again what a backup brings back', async () => {
    const orderId = await createOrder(test, PERSON);
    await test.call('POST', `/orders/${orderId}/cancel`, {});
    const directory = mkdtempSync(path.join(tmpdir(), 'smista-people-'));
    const file = path.join(directory, 'erased.jsonl');

    const found = await run('find', ...BY_MAIL);
    const exported = await run('export', ...BY_MAIL);
    const erased = await run('erase', ...BY_MAIL);
    const gone = await run('find', ...BY_MAIL);
    const listed = await run('list-erased');
    writeFileSync(file, listed.stdout);
    const again = await run('forget-again', file);
    rmSync(directory, { recursive: true });

    expect(found.stdout).toContain(String(orderId));
    expect(JSON.parse(exported.stdout).held.customers).toMatchObject([{ full_name: 'Zzcommand Rossi' }]);
    expect(erased).toMatchObject({ code: 0, stdout: 'Erased from orders: 1.\n' });
    expect(gone.stdout).toBe('Nothing was found.\n');
    expect(listed.stdout.toLowerCase()).not.toContain('zzcommand');
    expect(again).toMatchObject({ code: 0, stdout: 'Erased from orders: 0.\n' });
  });

  it('refuses what is too vague, an unknown company and a file of something else', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'smista-people-'));
    const file = path.join(directory, 'wrong.jsonl');
    writeFileSync(file, '{"orderIds": 1}\n');

    const refused = [
      await run('find', '--company', 'demo', '--name', 'Mario Rossi'),
      await run('find', '--company', 'demo', '--phone', '123'),
      await run('find', '--company', 'no-such', '--email', 'a@example.com'),
      await run('forget-again', file),
    ];
    rmSync(directory, { recursive: true });

    expect(refused.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(refused.map(({ stderr }) => stderr)).toEqual([
      expect.stringContaining('--zip'),
      expect.stringContaining('6 digits'),
      expect.stringContaining('no company no-such'),
      expect.stringContaining('Line 1'),
    ]);
  });
});
