import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeOrder } from '../../src/api/routes/orders/judge-order.ts';
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
    runInProcess(
      test.app,
      (program, withCore, withDatabase) =>
        orderCommands(program, { withCore, withDatabase }, async () => ({ readPatch, judgeOrder })),
      ['orders', ...args],
    );

  it('import creates the orders of the example, and a second time none', async () => {
    const args = ['import', 'examples/orders.csv', '--company', 'demo'];

    const [tried, made, again] = [await run(...args, '--dry-run'), await run(...args), await run(...args)];

    expect([tried, made, again]).toMatchObject([
      { code: 0, stdout: 'Nothing was written. Without --dry-run: 3 created, 0 existing, 0 refused.\n' },
      { code: 0, stdout: '3 created, 0 existing, 0 refused.\n' },
      { code: 0, stdout: '0 created, 3 existing, 0 refused.\n' },
    ]);
    const { body } = await test.call('GET', '/orders?orderNumber=W-1002');
    expect(body).toHaveLength(1);
  });

  it('import prints faults by row and column, takes a mapping, and ends with 1', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'smista-sheet-'));
    const [sheet, mapping, wrong] = ['orders.csv', 'mapping.yaml', 'wrong.yaml'].map((name) =>
      path.join(directory, name),
    );
    writeFileSync(String(sheet), 'Rif.,Name,Street,ZIP,City,SKU,Shelf\nX-1,Anna,Via Po 1,1X1,Torino,A,7\n');
    writeFileSync(String(mapping), 'order_number: Rif.\n');
    writeFileSync(String(wrong), 'order_number: Rif.\nzipp: ZIP\n');
    const args = ['import', String(sheet), '--company', 'demo'];

    const [faulty, unmapped, misspelt, elsewhere] = [
      await run(...args, '--mapping', String(mapping)),
      await run(...args),
      await run(...args, '--mapping', String(wrong)),
      await run('import', String(sheet), '--company', 'no-such'),
    ];
    rmSync(directory, { recursive: true });

    expect(faulty.code).toBe(1);
    expect(faulty.stdout.split('\n')).toEqual([
      'ROW  COLUMN  MESSAGE',
      '2    ZIP     must be a five-digit Italian postal code',
      '',
      'Ignored columns: Shelf',
      '',
      '0 created, 0 existing, 1 refused.',
      '',
    ]);
    expect([unmapped, misspelt, elsewhere].map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(unmapped.stderr).toContain('A column is missing. Its header is one of: order number, ');
    expect(misspelt.stderr).toContain(':2:1 zipp: is no field of ours');
    expect(elsewhere.stderr).toContain('There is no company no-such');
  });

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
