import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchangeCommands } from '../../src/cli/exchanges.ts';
import { systemEm } from '../../src/db/orm.ts';
import { packBodies } from '../../src/usecases/exchange-bodies.ts';
import { bookOrder, createOrder } from '../api/ship-orders.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import type { CommandResult } from './run-command.ts';

const PERSON = {
  full_name: 'Eleonora Duse',
  phone: '+39 347 9988776',
  address: 'Via Garibaldi, 5',
  city: 'Milano',
  zip: '20123',
  province: 'MI',
  country_code: 'IT',
};

describe('smista exchanges export and replay', () => {
  let test: TestApp;
  let directory: string;
  let booked: { orderId: number; shipmentId: number };

  beforeAll(async () => {
    test = await startTestApp();
    directory = mkdtempSync(path.join(tmpdir(), 'smista-recordings-'));
    booked = await bookOrder(test);
  });
  afterAll(async () => {
    await test.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const run = (...args: string[]): Promise<CommandResult> =>
    runInProcess(test.app, exchangeCommands, ['exchanges', ...args]);

  it('tries', async () => {
    const file = path.join(directory, 'one.json');
    const out = await run('export', '--shipment', String(booked.shipmentId), '--redacted', '--output', file);
    console.error(out, readFileSync(file, 'utf8').slice(0, 9000));
    console.error(await run('replay', file));
    console.error(await run('replay', '--since', '7d'));
  });
});
