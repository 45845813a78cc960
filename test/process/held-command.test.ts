import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shipmentCommands } from '../../src/cli/shipments.ts';
import { systemEm } from '../../src/db/orm.ts';
import { bookOrder } from '../api/ship-orders.ts';
import { buildOrder } from '../support/build-order.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import type { CommandResult } from './run-command.ts';

describe('smista shipments held', () => {
  let test: TestApp;
  let id: string;

  beforeAll(async () => {
    test = await startTestApp({ queues: ['carrier-brt'] });
    const contracts = (await test.call('GET', '/carriers/contracts')).body;
    const brt = contracts.find((one: { carrier: { code: string } }) => one.carrier.code === 'brt');
    const { shipmentId } = await bookOrder(test, buildOrder({ carrier_company_id: brt.id }));
    id = String(shipmentId);
    await systemEm(test.app.deps.orm).execute(
      `insert into held_cases (company_id, shipment_id, opened_at, reason_code, reason_text, cause)
       select company_id, id, now(), '017', 'ASSENTE DOPO AVVISO', 'absent' from shipments where id = ?`,
      [shipmentId],
    );
  });
  afterAll(() => test.stop());

  const run = (...args: string[]): Promise<CommandResult> =>
    runInProcess(test.app, shipmentCommands, ['shipments', ...args]);

  it('lists what is held, and shows one with what can be decided and how', async () => {
    const [list, none, one, json, desk] = await Promise.all([
      run('held'),
      run('held', '--status', 'decided'),
      run('held', id),
      run('held', '--json'),
      run('attention', id),
    ]);

    expect(list.stdout).toMatch(/brt .*open .*unknown +unknown .*017 ASSENTE DOPO AVVISO/);
    expect(none.stdout).toBe('Nothing is held.\n');
    expect(one.stdout).toMatch(/recipient was not there[\s\S]*RETURN_TO_SENDER +in the portal[\s\S]*vas\.brt\.it/);
    expect(JSON.parse(json.stdout)).toMatchObject([{ shipmentId: Number(id), status: 'open', deadline: null }]);
    expect(desk.stdout).toContain('held: The carrier holds the parcel. The recipient was not there.');
  });

  it.each([
    [['--action', 'PICKUP_AT_LOCKER'], /must be one of REDISPATCH_SAME_ADDRESS/],
    [['--action', 'BURN'], /Allowed choices are REDISPATCH_SAME_ADDRESS/],
    [[], /required option '--action <action>'/],
  ])('done-in-portal says in a sentence what is wrong with %j', async (args, words) => {
    const { code, stdout, stderr } = await run('done-in-portal', id, ...args);

    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(words);
  });

  it('done-in-portal closes the task', async () => {
    const done = await run('done-in-portal', id, '--action', 'RETURN_TO_SENDER', '--note', 'by Anna');
    const after = await run('held', '--status', 'decided');
    const unknown = await run('done-in-portal', '999999', '--action', 'DESTROY');

    expect([done.code, done.stdout]).toEqual([0, 'Done: it counts as decided until tracking shows it.\n']);
    expect(after.stdout).toMatch(/decided .*RETURN_TO_SENDER/);
    expect(unknown.code).toBe(2);
  });
});
