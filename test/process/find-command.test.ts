import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCommand } from '../../src/cli/find.ts';
import { bookOrder } from '../api/ship-orders.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

describe('smista find', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.stop());

  it('prints a table of what it finds, and says when there is nothing', async () => {
    const { orderId, shipmentId } = await bookOrder(test, { order_number: 'CLI-7' });
    const run = (...args: string[]) => runInProcess(test.app, findCommand, ['find', ...args]);
    const { reference } = (await test.call('GET', `/orders/${orderId}`)).body.shipments[0];

    const [byNumber, byName, json, none] = [
      await run('cli-7'),
      await run('chara', 'prova', '--limit', '1'),
      await run(reference, '--json'),
      await run('zzyzx'),
    ];

    expect(byNumber.stdout).toMatch(
      new RegExp(
        `^COMPANY +TYPE +ID +ORDER[^]*order +${orderId} +${orderId} +CLI-7 +shipment_created +exact +orderNumber +CLI-7`,
      ),
    );
    expect(byName.stdout).toMatch(/similar +name +Chiara Prova/);
    expect(JSON.parse(json.stdout)).toMatchObject([{ type: 'shipment', id: shipmentId, matched: 'reference' }]);
    expect([none.stdout.trim(), none.code]).toEqual(['Nothing was found.', 0]);
  });
});
