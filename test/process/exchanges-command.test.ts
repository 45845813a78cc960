import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchangeCommands } from '../../src/cli/exchanges.ts';
import { systemEm } from '../../src/db/orm.ts';
import { packBodies } from '../../src/engine/exchange-bodies.ts';
import { addCompany, demoContract, type SecondCompany } from '../api/second-company.ts';
import { bookOrder, createOrder } from '../api/ship-orders.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import type { CommandResult } from './run-command.ts';

describe('smista exchanges', () => {
  let test: TestApp;
  let other: SecondCompany;
  let booked: { orderId: number; shipmentId: number };

  beforeAll(async () => {
    test = await startTestApp();
    booked = await bookOrder(test);
    // The carrier says no to the second company in an answer 200; only the attempt knows that it failed.
    const contract = demoContract(test);
    const account = { ...(contract.account as object), passwordClienteGls: 'errata' };
    other = await addCompany(test, 'altra', { contracts: [{ ...contract, account }] });
    const orderId = await createOrder(test, {}, other.headers);
    await test.call('POST', '/shipment/create', [{ orderId }], other.headers);
  });
  afterAll(() => test.stop());

  const run = (...args: string[]): Promise<CommandResult> =>
    runInProcess(test.app, exchangeCommands, ['exchanges', ...args]);
  // biome-ignore lint/suspicious/noExplicitAny: JSON is read as it is
  const json = async (...args: string[]): Promise<any> => JSON.parse((await run(...args, '--json')).stdout);

  it('lists those of every company in columns, newest first', async () => {
    const { code, stdout, stderr } = await run('list');

    const [head = '', newest = '', oldest = '', ...more] = stdout.split('\n');
    expect([code, stderr, more]).toEqual([0, '', ['']]);
    expect(head).toMatch(/^ID +STARTED +PARTNER +OPERATION +EFFECT +ENDED +MS +SHIPMENT +ATTEMPT +REQUEST$/);
    expect(newest).toMatch(/^\d+ +\d{4}-\d\d-\d\dT[\d:.]+Z +gls-it +AddParcel +write +200 /);
    expect(oldest.indexOf('gls-it')).toBe(head.indexOf('PARTNER'));
    expect(oldest.indexOf('200')).toBe(head.indexOf('ENDED'));
  });

  it('lists only what is asked for', async () => {
    const [byShipment, byOrder, byNobody, failed, newest] = await Promise.all([
      json('list', '--shipment', String(booked.shipmentId)),
      json('list', '--order', String(booked.orderId)),
      json('list', '--provider', 'nobody'),
      json('list', '--failed'),
      json('list', '--limit', '1'),
    ]);

    expect(byShipment).toMatchObject([{ shipmentId: booked.shipmentId, companyId: test.demo.companyId, status: 200 }]);
    expect(byOrder).toEqual(byShipment);
    expect(byNobody).toEqual([]);
    expect(failed).toMatchObject([{ companyId: other.companyId, status: 200, error: null }]);
    expect(newest).toEqual(failed);
  });

  it('shows one with its texts, also one that came in the wrong encoding', async () => {
    await test.fault('gls-it', 'AddParcel', 'wrong-encoding');
    const { shipmentId } = await bookOrder(test);
    const [{ id }] = (await json('list', '--shipment', String(shipmentId))).slice(-1);

    const { code, stdout } = await run('show', String(id));

    expect(code).toBe(0);
    expect(stdout).toMatch(/^operation +AddParcel$/m);
    expect(stdout).toMatch(/^--- request\nXMLInfoParcel=/m);
    expect(stdout).toMatch(/^--- response\n.*<NumeroSpedizione>/ms);
    expect(await json('show', String(id))).toMatchObject({ id, response: expect.stringContaining('Parcel') });
  });

  it('lets no partner write to the terminal', async () => {
    const [{ id }] = await json('list', '--limit', '1');
    const bodies = await packBodies({ request: 'a\tb', response: 'one\r\ntwo\u001b[2J\u009b' }, 8192);
    await systemEm(test.app.deps.orm).execute('update exchanges set bodies = ? where id = ?', [bodies, id]);

    const { stdout } = await run('show', String(id));

    expect(stdout).toContain('--- request\na\tb\n');
    expect(stdout).toContain('--- response\none\ntwo\ufffd[2J\ufffd\n');
  });

  it('says when the texts are not kept any more', async () => {
    const [{ id }] = await json('list', '--shipment', String(booked.shipmentId));
    await systemEm(test.app.deps.orm).execute('update exchanges set bodies = null where id = ?', [id]);

    const { stdout } = await run('show', String(id));

    expect(stdout).toContain('--- request\n(not kept any more)');
    expect(await json('show', String(id))).toMatchObject({ request: null, response: null });
  });

  it.each([
    [['show', '2000000000'], 'There is no such exchange'],
    [['show', '99999999999'], 'It must be from 1 to 2147483647'],
    [['show', 'last'], 'whole number'],
    [['list', '--limit', '0'], 'It must be from 1'],
  ])('%j is a mistake', async (args, message) => {
    const { code, stderr } = await run(...args);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
