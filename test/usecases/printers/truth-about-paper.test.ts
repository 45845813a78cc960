import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../../chaos/random.ts';
import { Printer, Shipment } from '../../../src/db/entities/index.ts';
import type { Deps } from '../../../src/engine/deps.ts';
import { carrierQueue, type JobRequest } from '../../../src/queue/jobs.ts';
import { RetryLater } from '../../../src/queue/retry.ts';
import { printLabel } from '../../../src/usecases/printers/print-label.ts';
import { requestPrint } from '../../../src/usecases/printers/request-print.ts';
import { bookOrder } from '../../api/ship-orders.ts';
import { type Mood, type PretendPrinter, startPretendPrinter } from '../../support/pretend-printer.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { database, jobContext, recordingDeps } from '../engine.ts';

const PRINTERS = 20;
/** More than printers, so that some find theirs busy. */
const WORKERS = 25;
const LABELS = 700;
const BREAKS = 1000;
const MOODS: readonly Mood[] = ['prints', 'cuts', 'loses', 'ends-early'];

let test: TestApp;
let printers: PretendPrinter[];

beforeAll(async () => {
  printers = await Promise.all(Array.from({ length: PRINTERS }, () => startPretendPrinter()));
  test = await startTestApp({
    queues: [carrierQueue('gls-it')],
    env: { PRINTERS_ALLOW_LOOPBACK: 'true', PRINTER_PORTS: printers.map(({ port }) => port).join(',') },
  });
  const { companyId } = test.demo;
  for (const [at, { port }] of printers.entries()) {
    const address = `socket://127.0.0.1:${port}`;
    const now = new Date();
    await database(test).insert(Printer, {
      ...{ companyId, key: `p${at}`, name: `p${at}`, address, format: 'zpl', stations: [], warehouseId: null },
      ...{ createdAt: now, updatedAt: now },
    } as never);
  }
});
afterAll(async () => {
  await test.stop();
  await Promise.all(printers.map((printer) => printer.close()));
});

const keyOf = (shipmentId: number): string => `p${shipmentId % PRINTERS}`;
const printerOf = (shipmentId: number): PretendPrinter => printers[shipmentId % PRINTERS] as PretendPrinter;

/** Makes shipments with ZPL labels like a booked one, without a carrier. */
async function makeLabels(count: number): Promise<number[]> {
  const { orderId, shipmentId } = await bookOrder(test);
  const em = database(test);
  const copies = await em.execute<{ id: number }[]>(
    `with o as (insert into orders select r.* from orders o, generate_series(1, ?) n, jsonb_populate_record(o,
                  jsonb_build_object('id', nextval('orders_id_seq'), 'number', 'N' || n)) r where o.id = ? returning id)
     insert into shipments select r.* from shipments s, o, jsonb_populate_record(s,
              jsonb_build_object('id', nextval('shipments_id_seq'), 'order_id', o.id, 'reference', null)) r
      where s.id = ? returning id`,
    [count, orderId, shipmentId],
  );
  await em.execute(
    `insert into documents select r.* from documents d, unnest(string_to_array(?, ',')::int[]) s(id),
            jsonb_populate_record(d, jsonb_build_object('id', nextval('documents_id_seq'),
              'shipment_id', s.id, 'content_type', 'application/zpl', 'bytes', '\\x' ||
              encode(convert_to('^XA^FD' || s.id || '^FS' || repeat('.', 3000) || '^XZ', 'utf8'), 'hex'))) r
      where d.shipment_id = ? and d.kind = 'label'`,
    [copies.map(({ id }) => id).join(','), shipmentId],
  );
  return copies.map(({ id }) => id);
}

/** Runs jobs as workers do, also those that jobs add, until none is left. */
async function work(
  deps: Deps,
  jobs: JobRequest[],
  { retried }: { retried: (itemId: number) => Promise<void> },
): Promise<void> {
  let running = 0;
  let ended = Promise.withResolvers<void>();
  const run = async (itemId: number): Promise<RetryLater | null> => {
    running += 1;
    try {
      await printLabel(deps, { itemId, ...jobContext() });
      return null;
    } catch (error) {
      if (error instanceof RetryLater) return error;
      throw error;
    } finally {
      running -= 1;
      ended.resolve();
      ended = Promise.withResolvers();
    }
  };
  const worker = async (): Promise<void> => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const { itemId } = job.payload as { itemId: number };
      const failed = await run(itemId);
      if (!failed) continue;
      jobs.push(job);
      // A busy printer may be free once another run has ended.
      if (failed.message.includes('busy') && running > 0) await ended.promise;
      else await retried(itemId);
    }
  };
  // A worker may find nothing while another one still adds a job.
  while (jobs.length > 0) await Promise.all(Array.from({ length: WORKERS }, worker));
}

interface Truth {
  id: number;
  status: string;
  failureKind: string | null;
  tries: number;
}

describe('a label', () => {
  it('ends printed, not printed, or as a decision, while printers break 1,000 times', {
    timeout: 240_000,
  }, async () => {
    const chance = new Random(20_261_123);
    const { deps, jobs } = recordingDeps(test);
    const ids = await makeLabels(LABELS);
    const ask = (shipmentId: number, isCopy = false) =>
      requestPrint(deps, {
        ...{ companyId: test.demo.companyId, requestId: 'test', shipmentId },
        ...{ printer: keyOf(shipmentId), copies: 1, isCopy },
      });
    for (const [at, printer] of printers.entries()) {
      const own = chance.fork(`printer ${at}`);
      printer.moods = () => MOODS[own.int(0, MOODS.length - 1)] ?? 'prints';
      printer.leaves = () => own.chance(0.3);
    }
    for (const id of ids) await ask(id);
    // Some jobs come twice, as after a lost lock of the queue.
    jobs.push(...jobs.filter(() => chance.chance(0.1)));

    await work(deps, jobs, {
      retried: async (itemId) => {
        const [item] = await database(test).execute<{ shipment_id: number }[]>(
          'select shipment_id from operation_items where id = ?',
          [itemId],
        );
        if (chance.chance(0.2)) await printerOf(item?.shipment_id ?? 0).switchOn();
      },
    });
    const truths = await database(test).execute<Truth[]>(
      `select shipment_id as id, status, failure_kind as "failureKind", attempt as tries from operation_items where kind = 'print'`,
    );
    const printed = new Set(
      (await database(test).find(Shipment, { printedAt: { $ne: null } }, { fields: ['id'] })).map(({ id }) => id),
    );
    const tries = truths.reduce((sum, one) => sum + one.tries, 0);
    const wrong = truths.filter((truth) => !isTrue(truth, printed));
    const unknown = truths.filter(({ failureKind }) => failureKind === 'unknown-outcome').map(({ id }) => id);
    const notPrinted = truths.filter(({ failureKind }) => failureKind === 'permanent').map(({ id }) => id);

    expect(truths).toHaveLength(LABELS);
    expect(wrong).toEqual([]);
    expect(tries - printed.size).toBeGreaterThan(BREAKS);
    expect(Math.min(printed.size, unknown.length, notPrinted.length)).toBeGreaterThan(10);

    // A person looks at the printers, which work again. Only the decision prints a label that may be on paper.
    for (const printer of printers) {
      printer.moods = () => 'prints';
      printer.leaves = () => false;
      await printer.switchOn();
    }
    const refused = await Promise.allSettled([...unknown, ...printed].map((id) => ask(id)));
    for (const id of notPrinted) await ask(id);
    for (const id of unknown) await ask(id, true);
    await work(deps, jobs, { retried: async () => undefined });
    const waiting = await database(test).count(Shipment, { id: { $in: ids }, printedAt: null });

    expect(refused.every(({ status }) => status === 'rejected')).toBe(true);
    expect(waiting).toBe(0);
    expect(printers.map(({ most }) => most)).toEqual(printers.map(() => 1));
    expect([...printed, ...notPrinted].filter((id) => papers(id) !== 1)).toEqual([]);
    expect(unknown.filter((id) => papers(id) < 1 || papers(id) > 2)).toEqual([]);
  });
});

/** Counts the whole labels of a shipment that its printer read. */
function papers(shipmentId: number): number {
  const label = `^XA^FD${shipmentId}^FS${'.'.repeat(3000)}^XZ`;
  return printerOf(shipmentId).received.filter((bytes) => bytes === label).length;
}

/** Tells whether a label is what its item says. */
function isTrue({ id, status, failureKind }: Truth, printed: ReadonlySet<number>): boolean {
  if (status === 'succeeded') return printed.has(id) && papers(id) === 1;
  if (status !== 'failed' || printed.has(id)) return false;
  return failureKind === 'unknown-outcome' ? papers(id) <= 1 : papers(id) === 0;
}
