import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionCommands } from '../../src/cli/connections.ts';
import { Connection } from '../../src/db/entities/index.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';

describe('smista connections', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'] });
  });
  afterAll(() => test.stop());

  const detected = async (): Promise<unknown> =>
    (await database(test).findOneOrFail(Connection, test.connectionId, { refresh: true })).detected;

  it('detect asks the shop and remembers its answer, which the API forgets on request', async () => {
    const { code, stdout } = await runInProcess(test.app, connectionCommands, [
      'connections',
      'detect',
      String(test.connectionId),
    ]);
    const remembered = await detected();
    const forgotten = await test.call('POST', `/marketplace/connected/${test.connectionId}/detect`);

    expect(code).toBe(0);
    expect(remembered).toEqual(JSON.parse(stdout));
    expect(Object.keys(remembered as object)).not.toEqual([]);
    expect(forgotten).toMatchObject({ status: 200, body: { connectionId: test.connectionId, willDetect: true } });
    expect(await detected()).toBeNull();
  });

  it('detect says in a sentence that there is no such connection', async () => {
    const { code, stderr } = await runInProcess(test.app, connectionCommands, ['connections', 'detect', '999999']);

    expect([code, stderr]).toEqual([2, expect.stringContaining('no such marketplace connection')]);
  });
});
