import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { carrierQueue, PRINTERS_QUEUE } from '../../src/queue/jobs.ts';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { exportCompanies } from '../../src/usecases/setup/export-companies.ts';
import { sweep } from '../../src/usecases/upkeep/sweep.ts';
import { type FakeServer, startFakeServer } from '../support/fake-server.ts';
import { IPP_STATES, ippReply } from '../support/ipp-reply.ts';
import { type PretendPrinter, startPretendPrinter } from '../support/pretend-printer.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';
import { bookOrder, readOrder } from './ship-orders.ts';

let test: TestApp;
let printer: PretendPrinter;
let ippPrinter: FakeServer;

beforeAll(async () => {
  printer = await startPretendPrinter();
  const { pending, processing, completed, aborted } = IPP_STATES;
  ippPrinter = await startFakeServer([
    ...[ippReply(0, pending), ippReply(0, processing), ippReply(0, completed)],
    ...[ippReply(0, pending), ippReply(0, aborted, 'media-empty-report')],
    ippReply(DOCUMENT_FORMAT_NOT_SUPPORTED, 0),
  ]);
  const ippPort = new URL(ippPrinter.url).port;
  test = await startTestApp({
    queues: [carrierQueue('gls-it'), PRINTERS_QUEUE],
    env: { PRINTERS_ALLOW_LOOPBACK: 'true', PRINTER_PORTS: `${printer.port}, ${ippPort}` },
  });
  await declare([
    { key: 'zebra', name: 'Zebra', address: address(), format: 'zpl', stations: ['Banco 1'] },
    { key: 'laser', name: 'Laser', address: address(), format: 'pdf', warehouse: 'bologna' },
    { key: 'office', name: 'Office', address: `ipp://127.0.0.1:${ippPort}/ipp/print`, format: 'pdf' },
    { key: 'old', name: 'Old', address: address(), format: 'zpl', enabled: false },
  ]);
});
afterEach(async () => {
  await printer.switchOn();
  printer.behave('prints');
  printer.received.length = 0;
});
afterAll(async () => {
  await test.stop();
  await printer.close();
  await ippPrinter.close();
});

/** RFC 8011, appendix B. */
const DOCUMENT_FORMAT_NOT_SUPPORTED = 0x040a;
const address = () => `socket://127.0.0.1:${printer.port}`;
async function declare(printers: object[]) {
  const companies = [{ key: 'demo', name: 'Bottega Aurora S.r.l.', printers }];
  const changes = await apply(test.app.deps, ApplyDocument.parse({ companies }));
  await test.app.workers?.refresh();
  return changes.filter(({ what }) => what.includes(' printer '));
}

/** Books an order whose label is ZPL; with `pdf` as the carrier made it. */
async function bookLabel({ isPdf = false } = {}): Promise<{ orderId: number; shipmentId: number; zpl: string }> {
  const booked = await bookOrder(test);
  const zpl = `^XA^FD${booked.shipmentId}^FS^XZ`;
  if (!isPdf) {
    await database(test).execute(
      `update documents set content_type = 'application/zpl', bytes = ? where shipment_id = ?`,
      [Buffer.from(zpl), booked.shipmentId],
    );
  }
  return { ...booked, zpl };
}
const print = (shipmentId: number, body: object = { printer: 'zebra' }, headers = {}) =>
  test.call('POST', `/shipment/${shipmentId}/print`, body, headers);
const printedAt = async (orderId: number) => (await readOrder(test, orderId)).shipments[0].printedAt;
const shown = async (key: string) =>
  (await test.call('GET', '/printers')).body.find((one: { key: string }) => one.key === key);

describe('a printer', () => {
  it('prints a label once, and the label counts as printed', async () => {
    const { orderId, shipmentId, zpl } = await bookLabel();
    const { status, body } = await print(shipmentId);

    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ shipmentId, printer: 'zebra', copies: 1, isCopy: false, status: 'printed', error: null, reason: null },
    });
    expect(printer.received).toEqual([zpl]);
    expect(await printedAt(orderId)).not.toBeNull();
    expect(await shown('zebra')).toMatchObject({ isReachable: true, lastError: null, lastJobAt: expect.any(String) });
  });

  it('prints a label again only as a copy', async () => {
    const { shipmentId, zpl } = await bookLabel();
    await print(shipmentId);
    const again = await print(shipmentId);
    const copy = await print(shipmentId, { printer: 'zebra', isCopy: true, copies: 2 });

    expect(again).toMatchObject({ status: 409, body: { code: 'already-printed' } });
    expect(copy).toMatchObject({ status: 200, body: { status: 'printed', isCopy: true, copies: 2 } });
    expect(printer.received).toEqual([zpl, zpl + zpl]);
  });

  it('that does not answer is tried again, and then the label is not printed', async () => {
    const { orderId, shipmentId, zpl } = await bookLabel();
    await printer.switchOff();
    const gone = await print(shipmentId);
    const state = await shown('zebra');
    await printer.switchOn();
    const later = await print(shipmentId);

    expect(gone).toMatchObject({ status: 200, body: { status: 'not-printed', error: 'unreachable' } });
    expect(state).toMatchObject({ isReachable: false, lastError: 'unreachable' });
    expect(later.body.status).toBe('printed');
    expect(printer.received).toEqual([zpl]);
    expect(await printedAt(orderId)).not.toBeNull();
  });

  it('that is lost in the middle leaves a decision to a person, who prints a copy or marks the label', async () => {
    const one = await bookLabel();
    const two = await bookLabel();
    printer.behave('cuts');
    const lost = await print(one.shipmentId);
    printer.behave('loses');
    const unconfirmed = await print(two.shipmentId);
    printer.behave('prints');
    const silently = await print(one.shipmentId);
    const given = await test.call('GET', '/labels?printed=false&layout=zpl');
    const marks = [await printedAt(one.orderId), await printedAt(two.orderId)];
    const waiting = (await test.call('GET', '/shipments?printed=false')).body.map(({ id }: { id: number }) => id);
    const copy = await print(one.shipmentId, { printer: 'zebra', isCopy: true });
    await test.call('POST', `/shipment/${two.shipmentId}/printed`);

    expect(lost.body).toMatchObject({
      status: 'unknown',
      error: expect.stringMatching(/connection-lost|closed-early/),
    });
    expect(unconfirmed.body).toMatchObject({ status: 'unknown' });
    expect(silently).toMatchObject({ status: 409, body: { code: 'already-printed' } });
    // A file of everything that waits must not print it a second time.
    expect(given.status).toBe(422);
    expect(marks).toEqual([null, null]);
    expect(waiting).toEqual(expect.arrayContaining([one.shipmentId, two.shipmentId]));
    expect(copy.body).toMatchObject({ status: 'printed', isCopy: true });
    expect([await printedAt(one.orderId), await printedAt(two.orderId)]).not.toContain(null);
  });

  it('prints the labels that wait for it one after the other', async () => {
    const labels = await Promise.all(Array.from({ length: 6 }, () => bookLabel()));
    const answers = await Promise.all(labels.map(({ shipmentId }) => print(shipmentId)));

    expect(answers.map(({ body }) => body.status)).toEqual(labels.map(() => 'printed'));
    expect(printer.received.toSorted()).toEqual(labels.map(({ zpl }) => zpl).toSorted());
  });

  it('with IPP says how its job ended, in its own words', async () => {
    const labels = [
      await bookLabel({ isPdf: true }),
      await bookLabel({ isPdf: true }),
      await bookLabel({ isPdf: true }),
    ];
    const answers = [];
    for (const { shipmentId } of labels) answers.push((await print(shipmentId, { printer: 'office' })).body);

    expect(answers).toMatchObject([
      { status: 'printed', error: null, reason: null },
      { status: 'unknown', error: 'job-stopped', reason: 'media-empty-report' },
      { status: 'not-printed', error: 'refused' },
    ]);
    expect(await shown('office')).toMatchObject({ isReachable: true, lastError: 'refused' });
  });

  it('gets the copies of a PDF as one file', async () => {
    const { shipmentId } = await bookLabel({ isPdf: true });
    const { body } = await print(shipmentId, { printer: 'laser', copies: 3 });

    expect(body).toMatchObject({ status: 'printed', copies: 3 });
    expect(printer.received).toHaveLength(1);
    expect(printer.received[0]?.match(/\/Type\s*\/Page\b/g)).toHaveLength(3);
  });

  it('gets an equal request once while it is open', async () => {
    const { shipmentId, zpl } = await bookLabel();
    const answers = await Promise.all([print(shipmentId), print(shipmentId), print(shipmentId)]);
    const printed = answers.filter(({ status }) => status === 200);

    expect(printed.length).toBeGreaterThan(0);
    expect(answers.every(({ status }) => [200, 409].includes(status))).toBe(true);
    expect(printer.received).toEqual([zpl]);
  });

  it('takes the labels of its format, from a company that has it, while it is switched on', async () => {
    const pdf = await bookLabel({ isPdf: true });
    const wrong = await print(pdf.shipmentId);
    const right = await print(pdf.shipmentId, { printer: 'laser' });
    const cancelled = await bookLabel();
    await test.call('DELETE', `/shipment/${cancelled.shipmentId}`);

    expect(wrong).toMatchObject({ status: 422, body: { violations: [{ in: 'body', pointer: '/printer' }] } });
    expect(right.body.status).toBe('printed');
    expect(printer.received[0]).toMatch(/^%PDF/);
    expect((await print(pdf.shipmentId, { printer: 'none' })).status).toBe(422);
    expect((await print(pdf.shipmentId, { printer: 'old' })).body.detail).toContain('switched off');
    expect((await print(cancelled.shipmentId)).status).toBe(422);
    expect((await print(99_999_999)).status).toBe(404);
    expect((await print(pdf.shipmentId, { printer: 'zebra', copies: 11 })).body.violations[0].pointer).toBe('/copies');
  });

  it('gets a label from the sweep that the queue lost, and none of a worker that was lost', async () => {
    const [lost, torn] = [await bookLabel(), await bookLabel()];
    await test.app.deps.queues.queue(PRINTERS_QUEUE).pause();
    const asked = [
      await print(lost.shipmentId, { printer: 'zebra' }, { prefer: 'respond-async' }),
      await print(torn.shipmentId, { printer: 'zebra' }, { prefer: 'respond-async' }),
    ];
    await test.app.deps.queues.queue(PRINTERS_QUEUE).obliterate({ force: true });
    await database(test).execute(
      `update operation_items set updated_at = now() - interval '1 hour',
              status = case when shipment_id = ? then 'running' else status end
        where kind = 'print' and status = 'pending'`,
      [torn.shipmentId],
    );
    await test.app.deps.queues.queue(PRINTERS_QUEUE).resume();
    await sweep(test.app.deps);
    const [found, unknown] = await Promise.all(
      asked.map(({ headers }) =>
        test.until(
          () => test.call('GET', headers.get('location')?.replace('/api/v1/external', '') ?? ''),
          ({ status }) => status === 200,
        ),
      ),
    );

    expect(found?.body.result ?? found?.body).toMatchObject({ status: 'printed' });
    expect(unknown?.body.result ?? unknown?.body).toMatchObject({ status: 'unknown', error: 'worker-lost' });
    expect(printer.received).toEqual([lost.zpl]);
  });
});

describe('the apply file', () => {
  it('declares printers, exports them as they are, and is refused with the field at fault', async () => {
    const { companies } = await exportCompanies(test.app.deps, 'demo');
    const printers = companies[0]?.printers as object[];
    const again = await declare(printers);
    const refuse = (change: object) =>
      declare([{ key: 'new', name: 'New', address: 'socket://10.0.0.9', format: 'zpl', ...change }]).catch(
        (error: Error) => error.message,
      );

    expect(printers).toEqual([
      { key: 'zebra', name: 'Zebra', address: address(), format: 'zpl', stations: ['Banco 1'], enabled: true },
      { key: 'laser', name: 'Laser', address: address(), format: 'pdf', warehouse: 'bologna', enabled: true },
      { key: 'office', name: 'Office', address: expect.stringMatching(/^ipp:/), format: 'pdf', enabled: true },
      { key: 'old', name: 'Old', address: address(), format: 'zpl', enabled: false },
    ]);
    expect(again.map(({ change }) => change)).toEqual(Array(4).fill('unchanged'));
    expect(await refuse({ address: 'socket://169.254.169.254' })).toContain('printers[0].address');
    expect(await refuse({ address: 'socket://10.0.0.9:22' })).toContain('must have one of the ports');
    expect(await refuse({ address: 'http://10.0.0.9' })).toContain('must start with');
    expect(await refuse({ warehouse: 'moon' })).toContain('printers[0].warehouse: there is no warehouse moon');
    expect((await test.call('GET', '/printers')).body).toHaveLength(4);
  });
});
