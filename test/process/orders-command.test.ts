import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPatch } from '../../src/api/routes/orders/order-patch.ts';
import { orderCommands } from '../../src/cli/orders.ts';
import { bookOrder, createOrder, readOrder } from '../api/ship-orders.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import type { CommandResult } from './run-command.ts';

describe('smista orders', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.stop());

  const run = (...args: string[]): Promise<CommandResult> =>
    runInProcess(test.app, (program, withCore) => orderCommands(program, withCore, async () => readPatch), [
      'orders',
      ...args,
    ]);

  it('edit corrects the fields that are named, and says when nothing changes', async () => {
    const id = await createOrder(test);
    const fields = ['--zip', '40122', '--name', 'Anna Neri', '--note', 'scala B'];

    const [first, again] = [await run('edit', String(id), ...fields), await run('edit', String(id), ...fields)];

    expect([first.stdout, again.stdout]).toEqual(['Corrected.\n', 'Nothing changes.\n']);
    const { customerAddress, order } = await readOrder(test, id);
    expect(customerAddress).toMatchObject({ zip: '40122', fullName: 'Anna Neri' });
    expect(order.buyerOrderNote).toBe('scala B');
  });

  it('edit says in a sentence what is wrong', async () => {
    const { orderId } = await bookOrder(test);

    const [faulty, labelled, missing] = [
      await run('edit', String(orderId), '--zip', '4012'),
      await run('edit', String(orderId), '--zip', '40122'),
      await run('edit', '2000000000', '--zip', '40122'),
    ];

    expect([faulty, labelled, missing].map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(faulty.stderr).toContain('must be a five-digit Italian postal code');
    expect(labelled.stderr).toContain('The order has a label');
    expect(missing.stderr).toContain('no such order');
  });

  it('edit --rebook replaces the label, cancel cancels it, and reopen takes that back', async () => {
    const { orderId } = await bookOrder(test);
    const id = String(orderId);

    const edited = await run('edit', id, '--zip', '40122', '--rebook');
    await test.until(
      () => readOrder(test, orderId),
      ({ order, customerAddress }) => order.status === 'shipment_created' && customerAddress.zip === '40122',
    );
    const cancelled = await run('cancel', id, '--reason', 'doppio');
    const after = await test.until(
      () => readOrder(test, orderId),
      ({ order }) => order.status === 'cancelled',
    );
    const reopened = await run('reopen', id);

    expect([edited.stdout, cancelled.stdout]).toEqual([
      expect.stringMatching(/^Queued as operation \d+/),
      expect.stringMatching(/^Queued as operation \d+/),
    ]);
    expect(after.cancelReason).toBe('doppio');
    expect(reopened.stdout).toBe('Open.\n');
    expect((await readOrder(test, orderId)).order.status).toBe('pending');
  });
});
