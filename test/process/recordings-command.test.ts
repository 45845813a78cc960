import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchangeCommands } from '../../src/cli/exchanges.ts';
import { Document, Shipment } from '../../src/db/entities/index.ts';
import { systemEm } from '../../src/db/orm.ts';
import type { Recording } from '../../src/usecases/exchanges/recording.ts';
import { fetchLabels } from '../../src/usecases/shipments/fetch-labels.ts';
import { trackNow } from '../../src/usecases/tracking/queue-tracking.ts';
import { addCompany, demoContract } from '../api/second-company.ts';
import { bookOrder, createOrder } from '../api/ship-orders.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { jobContext } from '../usecases/engine.ts';
import type { CommandResult } from './run-command.ts';

const DUSE = {
  customer: { full_name: 'Eleonora Dùse', email: 'eleonora.duse@posta.example', phone: '+39 347 9988776' },
  shipping: {
    full_name: 'Eleonora Dùse',
    address: 'Via Garibaldi, 57',
    city: 'Abbiategrasso',
    province: 'MI',
    zip: '20081',
    country_code: 'IT',
    phone: '+39 347 9988776',
  },
  note: 'Suonare da Zacconi',
};
const PLACE = { provincia: 'MI', city: 'Milano', address: 'Via Torino, 5', zip: '20123' };
/** What must not be in a file that is given away: of the person, of the demo company, of its contract. */
const TELLING = /duse|dùse|eleonora|garibaldi|abbiategrasso|9988776|zacconi|bottega|999901|sandbox"/i;

describe('smista exchanges export and replay', () => {
  let test: TestApp;
  let directory: string;

  beforeAll(async () => {
    test = await startTestApp();
    directory = mkdtempSync(path.join(tmpdir(), 'smista-recordings-'));
  });
  afterAll(async () => {
    await test.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const run = (...args: string[]): Promise<CommandResult> =>
    runInProcess(test.app, exchangeCommands, ['exchanges', ...args]);
  const file = (name: string): string => path.join(directory, name);

  async function exportOf(shipmentId: number, name: string): Promise<Recording> {
    const { code, stderr } = await run('export', '--shipment', `${shipmentId}`, '--redacted', '--output', file(name));
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(readFileSync(file(name), 'utf8')) as Recording;
  }

  function save(recording: Recording, name: string): string {
    writeFileSync(file(name), JSON.stringify(recording));
    return file(name);
  }

  async function look(shipmentId: number): Promise<void> {
    const read = () => systemEm(test.app.deps.orm).findOneOrFail(Shipment, shipmentId);
    const { polledAt } = await read();
    await trackNow(test.app.deps, [shipmentId]);
    await test.until(read, (shipment) => shipment.polledAt?.getTime() !== polledAt?.getTime());
  }

  it('refuses to write what names people', async () => {
    const { code, stdout, stderr } = await run('export', '--shipment', '1');

    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('hold names and addresses: add --redacted');
  });

  it('exports a booking that replays the same, and nothing that names anybody', async () => {
    const { shipmentId } = await bookOrder(test, DUSE);

    const recording = await exportOf(shipmentId, 'booked.json');
    const { code, stdout } = await run('replay', file('booked.json'));

    expect(JSON.stringify(recording)).not.toMatch(TELLING);
    expect(recording.source).toBe('pretend');
    expect(recording.calls).toMatchObject([
      {
        method: 'createShipment',
        input: { draft: { recipient: { zip: '20081', province: 'MI', countryCode: 'IT' } } },
        made: { kind: 'booked', trackingNumber: expect.stringMatching(/^YA\d{9}$/) },
        exchanges: [{ operation: 'AddParcel', effect: 'write', method: 'POST', status: 200 }],
      },
    ]);
    expect(recording.calls[0]?.exchanges[0]?.response).toContain('[');
    expect(stdout).toMatch(/createShipment +same +booked YA\d{9} +booked YA\d{9}/);
    expect([code, stdout.split('\n').at(-2)]).toEqual([0, '1 same, 0 different, 0 not replayable']);
  });

  it('knows each method that a shipment went through', async () => {
    const { orderId, shipmentId } = await bookOrder(test, DUSE);
    await test.call('POST', '/shipment/transmit', [{ orderId }]);
    await test.advance(30);
    await look(shipmentId);
    const cancelled = await bookOrder(test, DUSE);
    await test.call('DELETE', `/shipment/${cancelled.shipmentId}`);

    const recording = await exportOf(shipmentId, 'life.json');
    const second = await exportOf(cancelled.shipmentId, 'cancelled.json');
    const replays = [await run('replay', file('life.json')), await run('replay', file('cancelled.json'))];

    const methods = recording.calls.map(({ method, made, isFromThen }) => [method, made?.kind, isFromThen]);
    expect(methods).toEqual([
      ['createShipment', 'booked', true],
      ['transmitShipments', 'transmitted', true],
      ['track', 'report', true],
    ]);
    expect(second.calls.map(({ method, made }) => [method, made?.kind])).toEqual([
      ['createShipment', 'booked'],
      ['cancelShipment', 'done'],
    ]);
    expect(replays.map(({ stdout }) => stdout.split('\n').at(-2))).toEqual([
      '3 same, 0 different, 0 not replayable',
      '2 same, 0 different, 0 not replayable',
    ]);
  });

  it('knows a release, and labels that came late', async () => {
    const shipping = { ...DUSE.shipping, address: 'Via GIACENZA, 5', city: 'Milano', zip: '20123' };
    const { orderId, shipmentId } = await bookOrder(test, { ...DUSE, shipping });
    await test.call('POST', '/shipment/transmit', [{ orderId }]);
    await test.advance(60);
    await look(shipmentId);
    const released = await test.call('POST', `/shipment/${shipmentId}/release-held`, {
      action: 'REDISPATCH_SAME_ADDRESS',
    });
    expect(released.body).toMatchObject({ success: true });
    const em = systemEm(test.app.deps.orm);
    await em.nativeDelete(Document, { shipmentId });
    await em.nativeUpdate(Shipment, { id: shipmentId }, { labelMissingSince: new Date() });
    await fetchLabels(test.app.deps, { shipmentId, ...jobContext() });

    const { calls } = await exportOf(shipmentId, 'released.json');
    const { stdout } = await run('replay', file('released.json'));

    expect(calls.map(({ method, made, isFromThen }) => [method, made?.kind, isFromThen])).toEqual(
      expect.arrayContaining([
        ['track', 'report', true],
        ['releaseHeld', 'done', true],
        ['fetchLabels', 'labels', false],
      ]),
    );
    expect(stdout).toContain('5 same, 0 different, 0 not replayable');
  });

  it('prints what the adapter makes of a changed answer beside what it made then', async () => {
    const recording = await exportOf((await bookOrder(test)).shipmentId, 'changed.json');
    const [exchange] = recording.calls[0]?.exchanges ?? [];
    if (exchange) exchange.response = exchange.response.replaceAll(/<(NumeroSpedizione)>\d+/g, '<$1>123456789');

    const { code, stdout } = await run('replay', save(recording, 'changed.json'));

    expect(stdout).toMatch(/createShipment +different +booked YA\d{9} +booked YA123456789 +-/);
    expect(code).toBe(1);
  });

  it('names the request that the recording does not have', async () => {
    const recording = await exportOf((await bookOrder(test)).shipmentId, 'missing.json');
    const [exchange] = recording.calls[0]?.exchanges ?? [];
    if (exchange) exchange.operation = 'SomethingElse';

    const { code, stdout } = await run('replay', save(recording, 'missing.json'));

    expect(stdout).toMatch(/different .+ the recording has no answer to AddParcel \(POST \S+AddParcel\)$/m);
    expect(code).toBe(1);
  });

  it('says what cannot be run again, and does not count it as a difference', async () => {
    const recording = await exportOf((await bookOrder(test)).shipmentId, 'cut.json');
    const [exchange] = recording.calls[0]?.exchanges ?? [];
    if (exchange) exchange.response = `${exchange.response.slice(0, 200)}[cut after 200 of 900 characters]`;

    const { code, stdout } = await run('replay', save(recording, 'cut.json'));

    expect(stdout).toMatch(/not-replayable .+ an answer was kept only in part$/m);
    expect(code).toBe(0);
  });

  it.each([
    [['replay'], 'Give either a file or --since'],
    [['replay', 'nowhere.json'], 'nowhere.json cannot be read'],
    [['replay', 'package.json'], 'package.json is not a recording'],
    [['replay', '--since', 'yesterday'], 'such as 7d'],
    [['export', '--shipment', '2000000000', '--redacted'], 'There is no such shipment'],
  ])('%j is a mistake', async (args, message) => {
    const { code, stderr } = await run(...args);

    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('smista exchanges replay --since', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ env: { SETTLING_SECONDS: '0' } });
    // A refusal, an answer that got lost and was looked for, an address, a marketplace that was told.
    const contract = demoContract(test);
    const account = { ...(contract.account as object), passwordClienteGls: 'errata' };
    const other = await addCompany(test, 'altra', { contracts: [{ ...contract, account }] });
    const orderId = await createOrder(test, {}, other.headers);
    await test.call('POST', '/shipment/create', [{ orderId }], other.headers);
    await test.fault('gls-it', 'AddParcel', 'accept-then-500');
    await bookOrder(test, DUSE);
    await test.call('POST', '/shipment/check-address', { carrierCompanyId: test.contractId, ...PLACE });
    const bought = await fetch(`${test.app.sandboxUrl}/woocommerce/_seed/orders`, {
      method: 'POST',
      body: JSON.stringify({
        line_items: [{ name: 'Tazza', sku: 'MUG-01', quantity: 2, total: '25.00', total_tax: '0.00' }],
      }),
    });
    const { id } = (await bought.json()) as { id: number };
    const marketplace = { connection_id: test.connectionId, order_id: String(id), order_number: String(id) };
    const sold = await bookOrder(test, { ...DUSE, marketplace });
    const sent = await test.call('POST', `/orders/${sold.orderId}/send-to-marketplace`);
    expect(sent.body).toMatchObject({ Result: 'OK' });
  });
  afterAll(() => test.stop());

  const run = (...args: string[]): Promise<CommandResult> =>
    runInProcess(test.app, exchangeCommands, ['exchanges', ...args]);
  const sql = (text: string, values: unknown[] = []) => systemEm(test.app.deps.orm).execute(text, values);

  it('finds no difference where nothing changed, without asking anybody', async () => {
    const asked: unknown[] = [];
    const note = (message: unknown): void => void asked.push(message);
    const before = await sql('select count(*)::int as rows from exchanges');
    subscribe('undici:request:create', note);

    const { code, stdout } = await run('replay', '--since', '7d');

    unsubscribe('undici:request:create', note);
    expect(asked).toEqual([]);
    expect(await sql('select count(*)::int as rows from exchanges')).toEqual(before);
    // Refused, lost, found, asked about, booked, told.
    expect(stdout).toMatch(/\n?6 same, 0 different, \d not replayable\n$/);
    expect(stdout).toMatch(/not replayable, 1 times, woocommerce: it is about no shipment/);
    expect(code).toBe(0);
  });

  it("prints what today's adapter makes otherwise", async () => {
    await sql("update shipment_attempts set code = 'throttled' where result = 'failed'");

    const { code, stdout } = await run('replay', '--since', '7d');
    await sql("update shipment_attempts set code = 'credentials-refused' where result = 'failed'");

    expect(stdout).toMatch(/createShipment +different +failed throttled; .+ +failed credentials-refused; /);
    expect(stdout).toContain('5 same, 1 different');
    expect(code).toBe(1);
  });

  it('keeps an attempt together whose look-up came long after', async () => {
    const filler = `insert into exchanges (company_id, request_id, provider, operation, effect, method, url, status, duration_ms, bodies, started_at)
      select company_id, 'filler-' || n, provider, operation, effect, method, url, status, duration_ms, bodies, now()
        from (select * from exchanges where operation = 'CheckAddress' limit 1) one, generate_series(1, 1100) n`;
    const later = `update exchanges set id = id + 5000 where attempt_id is not null and effect = 'read' and provider = 'gls-it' returning id`;
    const moved = await sql(later);
    await sql(filler);

    const { code, stdout } = await run('replay', '--since', '7d');
    await sql("delete from exchanges where request_id like 'filler-%'");

    expect(moved.length).toBeGreaterThan(0);
    expect(stdout).toContain('6 same, 0 different, 11');
    expect(code).toBe(0);
  });

  it('reads no further back than asked, and any number of rows', async () => {
    await sql("update exchanges set started_at = started_at - interval '30 days'");
    const rows = await sql(
      `insert into exchanges (company_id, shipment_id, request_id, provider, operation, effect, method, url, status, duration_ms, bodies, started_at)
       select company_id, shipment_id, 'many-' || n, provider, operation, effect, method, url, status, duration_ms, bodies, now()
         from (select * from exchanges where operation = 'CheckAddress' limit 1) one, generate_series(1, 1201) n returning id`,
    );

    const { stdout } = await run('replay', '--since', '1h');

    expect(rows).toHaveLength(1201);
    expect(stdout).toMatch(/^not replayable, 1201 times, .+\n0 same, 0 different, 1201 not replayable\n$/);
  });
});
