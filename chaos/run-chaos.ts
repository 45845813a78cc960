import { setTimeout as delay } from 'node:timers/promises';
import { type Clockwork, startClockwork } from './clockwork.ts';
import { type Cluster, type QueueEngine, SETTLING_MS, startCluster } from './cluster.ts';
import { type Books, compareBooks, type Finding, type Verdict } from './compare-books.ts';
import { countOpen, readDatabase } from './database-book.ts';
import { Desk, isWanting } from './desk.ts';
import { Random } from './random.ts';
import { type EventReceiver, startReceiver } from './receiver.ts';
import type { RunReport } from './report.ts';
import { SandboxJudge } from './sandbox-judge.ts';
import { remindOf } from './shops.ts';
import { Storm } from './storm.ts';
import { ClientBook } from './told.ts';
import { runClock, runTraffic } from './traffic.ts';

export interface ChaosOptions {
  seed: number;
  orders: number;
  /** New orders are made until this many faults were injected, even beyond `orders`. */
  faults: number;
  /** After this nothing new is begun. */
  minutes: number;
  queue: QueueEngine;
  companies: number;
  /** Share of the carriers' calls that fail; of the shops', half of it. */
  rate: number;
  stormPauseMs: { min: number; max: number };
  /** Corrections per order of the clients, on average. */
  edits: number;
  only: string;
  processes: { apis: number; workers: number; schedulers: number };
  /** How long everything may take to come to rest. */
  settleSeconds: number;
  /** Shops in which customers buy. */
  shops: readonly string[];
  /** Leaves logs and database behind, to look into. */
  keep: boolean;
  log(line: string): void;
  signal: AbortSignal;
}

export const CARRIERS = ['gls-it', 'brt', 'poste-it', 'inpost-it', 'dhl-express', 'ups', 'fedex'];
export const SHOPS = ['amazon', 'ebay', 'kaufland', 'magento', 'mirakl', 'prestashop', 'shopify', 'woocommerce'];
const HANG_MS = SETTLING_MS / 4;
const PROGRESS_MS = 5000;
const DESK_ROUNDS = 4;
/** Purchases in shops, as a share of the orders that clients create. */
const SHOP_SHARE = 0.25;

interface Scene {
  cluster: Cluster;
  receiver: EventReceiver;
  clockwork: Clockwork;
  judge: SandboxJudge;
  random: Random;
  book: ClientBook;
  started: number;
}

/** Runs once: injects faults, calms down, compares the books, lets a person work off the desk, and compares again. */
export async function runChaos(options: ChaosOptions): Promise<{ report: RunReport; books: Books }> {
  const started = Date.now();
  const random = new Random(options.seed);
  options.log(`starting, seed ${options.seed}, queue in ${options.queue}`);
  await using stack = new AsyncDisposableStack();
  const receiver = await startReceiver(random.fork('receiver'));
  stack.defer(() => receiver.close());
  const { queue, companies, keep, processes } = options;
  const cluster = await startCluster({ ...processes, queue, companies, keep, receiverUrl: receiver.url });
  stack.defer(() => cluster.stop());
  const clockwork = await startClockwork(cluster.env);
  stack.defer(() => clockwork.close());
  const judge = new SandboxJudge(cluster.sandboxUrl);
  return await drive(options, { cluster, receiver, clockwork, judge, random, book: new ClientBook(), started });
}

async function drive(options: ChaosOptions, scene: Scene): Promise<{ report: RunReport; books: Books }> {
  const { cluster, receiver, judge, random, book, started } = scene;
  const { stormPauseMs: pauseMs, only, log } = options;
  const storm = new Storm({ cluster, random: random.fork('storm'), pauseMs, only, log });
  const endOfTraffic = Date.now() + options.minutes * 60_000;
  let injected = 0;
  let taken = 0;
  let deadline = Number.POSITIVE_INFINITY;
  let isStormy = true;
  const isEnough = (): boolean => taken >= options.orders && injected >= options.faults;
  const isOpen = (): boolean => isStormy && !options.signal.aborted && Date.now() < endOfTraffic && !isEnough();
  /** From 0 to 1: how much of the run is over by its work or by its time, whichever is further. */
  const progress = (): number => {
    const time = 1 - (endOfTraffic - Date.now()) / (options.minutes * 60_000);
    return Math.max(time, Math.min(taken / options.orders, options.faults === 0 ? 1 : injected / options.faults));
  };
  const take = (wanted: number): number => {
    if (!isOpen()) return 0;
    const left = options.orders - taken;
    const given = left > 0 ? Math.min(wanted, left) : wanted;
    taken += given;
    return given;
  };
  let bought = 0;
  const buy = (wanted: number): number => {
    const given = isOpen() ? Math.min(wanted, Math.ceil(options.orders * SHOP_SHARE) - bought) : 0;
    bought += given;
    return given;
  };
  const reporting = setInterval(() => {
    judge.counts().then(
      (counts) => {
        injected = counts.total + storm.total;
        const seconds = Math.round((Date.now() - started) / 1000);
        log(
          `${seconds} s: ${book.orders.size} orders, ${book.tellings.length} answers, ${countEdits(book).asked} corrections, ${injected} faults`,
        );
      },
      (error) => log(`the judge does not answer: ${(error as Error).message}`),
    );
  }, PROGRESS_MS);
  const desk = new Desk({ ...cluster, random: random.fork('desk'), book, deadline: () => deadline });
  try {
    const rates = Object.fromEntries([
      ...CARRIERS.map((carrier) => [carrier, options.rate]),
      ...SHOPS.map((shop) => [shop, options.rate / 2]),
    ]);
    await judge.startFaults({ seed: options.seed, rates, delayMs: HANG_MS });
    storm.start();
    const { shops, minutes, edits } = options;
    const traffic = runTraffic({
      cluster,
      random,
      book,
      shops,
      minutes,
      edits,
      isOpen,
      take,
      buy,
      deadline: () => deadline,
    });
    const clock = runClock({ isOpen, progress, judge, clockwork: scene.clockwork });
    await Promise.race([traffic, delay(Math.max(0, endOfTraffic - Date.now())), aborted(options.signal)]);
    options.signal.throwIfAborted();
    log('the storm ends, everything may come to rest');
    isStormy = false;
    await storm.stop();
    await judge.stopFaults();
    receiver.calmDown();
    deadline = Date.now() + options.settleSeconds * 1000;
    await Promise.race([Promise.all([traffic, clock]), aborted(options.signal)]);
    options.signal.throwIfAborted();
    await comeToRest(scene, deadline, options);
    // The person has time of their own, also when settling took all of its time.
    deadline = Date.now() + options.settleSeconds * 1000;
    const atRest = compareBooks(await readBooks(scene, desk));
    log(`at rest: ${atRest.findings.length} findings, ${atRest.needingPerson} at the desk`);
    await workOffDesk(scene, desk, { ...options, deadline });
    const books = await readBooks(scene, desk);
    return { report: await reportOf(options, { scene, storm, desk, books, atRest }), books };
  } finally {
    isStormy = false;
    deadline = 0; // also when something failed or Ctrl-C was pressed: clients stop asking
    clearInterval(reporting);
    await storm.stop();
  }
}

async function workOffDesk(scene: Scene, desk: Desk, options: ChaosOptions & { deadline: number }): Promise<void> {
  for (let round = 1; round <= DESK_ROUNDS; round++) {
    const ledgers = await scene.judge.ledgers();
    const made = await desk.workOff(ledgers, { isLastRound: round === DESK_ROUNDS });
    options.log(`desk, round ${round}: ${made} decisions`);
    if (made === 0) return;
    await comeToRest(scene, options.deadline, options);
  }
}

async function readBooks({ cluster, judge, receiver, book }: Scene, desk: Desk): Promise<Books> {
  return {
    clients: book,
    desk: await desk.read(),
    ledgers: await judge.ledgers(),
    pickups: await judge.pickups(),
    database: await readDatabase(cluster.databaseUrl),
    taken: [...receiver.taken],
  };
}

async function reportOf(
  options: ChaosOptions,
  run: { scene: Scene; storm: Storm; desk: Desk; books: Books; atRest: Verdict },
): Promise<RunReport> {
  const { scene, storm, desk, books, atRest } = run;
  const { cluster, judge, receiver, book, started } = scene;
  const carrier = await judge.counts();
  const settled = compareBooks(books);
  const leftOver = books.desk.filter(isWanting).map(({ orderId, shipmentId, reasons }): Finding => {
    return { kind: 'lost', orderId, text: `shipment ${shipmentId} is still at the desk: ${reasons.join(', ')}` };
  });
  const findings = [
    ...atRest.findings.map((finding) => ({ ...finding, text: `at rest: ${finding.text}` })),
    ...[...settled.findings, ...leftOver].map((finding) => ({ ...finding, text: `after the desk: ${finding.text}` })),
  ];
  const { seed, orders, faults, minutes, queue, rate, edits, stormPauseMs } = options;
  const pause = `${stormPauseMs.min / 1000}-${stormPauseMs.max / 1000}`;
  return {
    seed,
    queue,
    seconds: Math.round((Date.now() - started) / 1000),
    storm: Object.fromEntries(storm.counts),
    carrier: { ...carrier, total: carrier.total - (carrier.byFault.refuse ?? 0) },
    verdict: { ...settled, needingPerson: atRest.needingPerson, stillUnknown: atRest.stillUnknown, findings },
    decided: Object.fromEntries(desk.decided),
    receiver: { forged: receiver.forged, failures: receiver.failures, taken: receiver.taken.length },
    strange: Object.fromEntries(book.strange),
    deaths: [...cluster.apis, ...cluster.workers, ...cluster.schedulers].flatMap((role) => role.deaths),
    stormFailures: storm.failures,
    tellings: book.tellings.length,
    edits: countEdits(book),
    slowestCarrierMs: Math.round(judge.slowestMs),
    replay: `npm run chaos -- --seed ${seed} --orders ${orders} --faults ${faults} --minutes ${minutes} --queue ${queue} --rate ${rate} --edits ${edits} --pause ${pause}`,
  };
}

function countEdits({ edits }: ClientBook): RunReport['edits'] {
  const all = [...edits.values()].flat();
  return { asked: all.length, done: all.filter(({ outcome }) => outcome === 'done').length };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

async function comeToRest({ cluster, clockwork, book }: Scene, deadline: number, options: ChaosOptions): Promise<void> {
  let ticks = 0;
  for (;;) {
    const open = await countOpen(cluster.databaseUrl, book);
    if (open === 0) return;
    options.signal.throwIfAborted();
    if (Date.now() > deadline) return options.log(`${open} rows are still open`);
    if (ticks++ % 10 === 0) {
      await remindOf(book.placed, cluster.apiUrls);
      await clockwork.tick();
    }
    await delay(1000);
  }
}
