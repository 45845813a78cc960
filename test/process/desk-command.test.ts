import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shipmentCommands } from '../../src/cli/shipments.ts';
import { systemEm } from '../../src/db/orm.ts';
import { bookOrder } from '../api/ship-orders.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import type { CommandResult } from './run-command.ts';

describe('smista shipments', () => {
  let test: TestApp;
  let id: string;

  beforeAll(async () => {
    test = await startTestApp();
    const { shipmentId } = await bookOrder(test);
    id = String(shipmentId);
    await systemEm(test.app.deps.orm).execute(
      `update shipments set process_status = 'unknown_outcome', exhausted_at = now(), tracking_number = null where id = ?`,
      [shipmentId],
    );
  });
  afterAll(() => test.stop());

  const run = (...args: string[]): Promise<CommandResult> =>
    runInProcess(test.app, shipmentCommands, ['shipments', ...args]);

  it('attention lists who needs a person, and shows one with its choices, attempts and exchanges', async () => {
    const [list, one, json] = await Promise.all([
      run('attention'),
      run('attention', id),
      run('attention', id, '--json'),
    ]);

    expect(list.stdout).toMatch(/adopt,resubmit,cancel +outcome-unknown/);
    expect(one.stdout).toMatch(
      /What can be chosen:[\s\S]*What was tried:[\s\S]*create +succeeded[\s\S]*AddParcel +200/,
    );
    expect(JSON.parse(json.stdout)).toMatchObject([{ id: Number(id), reasons: [{ reason: 'outcome-unknown' }] }]);
  });

  it.each([
    [['--choice', 'adopt'], /tracking number is missing/],
    [['--choice', 'adopt', '--tracking', 'X', '--label', 'package.json'], /package\.json is not a PDF/],
    [['--choice', 'adopt', '--tracking', 'X', '--label', 'nowhere.pdf'], /nowhere\.pdf cannot be read/],
    [['--choice', 'wait'], /Allowed choices are adopt, resubmit, cancel/],
  ])('resolve says in a sentence what is wrong with %j', async (args, words) => {
    const { code, stdout, stderr } = await run('resolve', id, ...args);

    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(words);
  });

  it('resolve carries a decision out, and the desk is empty once the label is here', async () => {
    const decided = await run('resolve', id, '--choice', 'adopt', '--tracking', 'YA999999999', '--note', 'seen');
    const after = await test.until(
      () => run('attention'),
      ({ stdout }) => !stdout.includes('label-missing'),
    );
    const again = await run('resolve', id, '--choice', 'cancel');

    expect([decided.code, decided.stdout]).toEqual([0, 'Done.\n']);
    expect(after.stdout).toBe('Nothing needs a person.\n');
    expect(again.code).toBe(2);
  });
});
