import { setTimeout as delay } from 'node:timers/promises';
import type { FaultName } from '../src/sandbox/partner.ts';
import { Client } from './client.ts';
import { type Cluster, type QueueEngine, SETTLING_MS, startCluster } from './cluster.ts';
import { type Books, compareBooks } from './compare-books.ts';
import { countOpen, readDatabase } from './database-book.ts';
import { Random } from './random.ts';
import type { RunReport } from './report.ts';
import { SandboxJudge } from './sandbox-judge.ts';
import { Storm } from './storm.ts';
import { ClientBook } from './told.ts';

export interface ChaosOptions {
  seed: number;
  orders: number;
  /** New orders are made until so many faults were injected, also beyond `orders`. */
  faults: number;
  /** After this nothing new is begun. */
  minutes: number;
  queue: QueueEngine;
  companies: number;
  /** Share of the carrier's calls that fail. */
  rate: number;
  stormPauseMs: { min: number; max: number };
  only: string;
  processes: { apis: number; workers: number; schedulers: number };
  /** How long everything may take to come to rest. */
  settleSeconds: number;
  /** Leaves logs and database behind, to look into. */
  keep: boolean;
  log(line: string): void;
  signal: AbortSignal;
}

/** Every way the pretend carrier can fail, the nasty ones more often. */
const FAULTS: FaultName[] = [
  'accept-then-hang',
  'accept-then-hang',
  'accept-then-500',
  'accept-then-500',
  'accept-twice',
  'reset',
  'truncated',
  'malformed',
  'html',
  'empty',
  'wrong-encoding',
  'proxy-200',
  'proxy-202',
  'proxy-403',
  'proxy-404',
  'status-500',
  'status-503',
  'status-429',
  'delay',
  'huge',
];
const HANG_MS = SETTLING_MS / 4;
const PROGRESS_MS = 5000;
const CLIENTS_PER_COMPANY = 8;

/** One run: hurt, calm down, compare the three books. */
export async function runChaos(options: ChaosOptions): Promise<{ report: RunReport; books: Books }> {
  const started = Date.now();
  const random = new Random(options.seed);
  options.log(`starting, seed ${options.seed}, queue in ${options.queue}`);
  const cluster = await startCluster({
    ...options.processes,
    queue: options.queue,
    companies: options.companies,
    keep: options.keep,
  });
  try {
    return await drive(options, { cluster, random, started });
  } finally {
    await cluster.stop();
  }
}

async function drive(
  options: ChaosOptions,
  { cluster, random, started }: { cluster: Cluster; random: Random; started: number },
): Promise<{ report: RunReport; books: Books }> {
  const judge = new SandboxJudge(cluster.sandboxUrl);
  const book = new ClientBook();
  const storm = new Storm({
    cluster,
    random: random.fork('storm'),
    pauseMs: options.stormPauseMs,
    only: options.only,
    log: options.log,
  });
  const endOfTraffic = Date.now() + options.minutes * 60_000;
  let injected = 0;
  let taken = 0;
  let deadline = Number.POSITIVE_INFINITY;
  const take = (wanted: number): number => {
    const isEnough = taken >= options.orders && injected >= options.faults;
    if (isEnough || options.signal.aborted || Date.now() > endOfTraffic) return 0;
    const left = options.orders - taken;
    const given = left > 0 ? Math.min(wanted, left) : wanted;
    taken += given;
    return given;
  };
  const progress = setInterval(() => {
    judge.counts().then(
      (counts) => {
        injected = counts.total + storm.total;
        const seconds = Math.round((Date.now() - started) / 1000);
        options.log(`${seconds} s: ${book.orders.size} orders, ${book.tellings.length} answers, ${injected} faults`);
      },
      (error) => options.log(`the judge does not answer: ${(error as Error).message}`),
    );
  }, PROGRESS_MS);
  try {
    await judge.startFaults({ seed: options.seed, rate: options.rate, faults: FAULTS, delayMs: HANG_MS });
    storm.start();
    const clients = cluster.companies.flatMap((company) =>
      Array.from({ length: CLIENTS_PER_COMPANY }, (_, index) => {
        const name = `${company.name}-${index + 1}`;
        const own = { name, company, apiUrls: cluster.apiUrls, random: random.fork(name), book, take };
        return new Client({ ...own, deadline: () => deadline }).run();
      }),
    );
    const traffic = Promise.all(clients);
    await Promise.race([traffic, delay(Math.max(0, endOfTraffic - Date.now())), aborted(options.signal)]);
    options.signal.throwIfAborted();
    options.log('the storm ends, everything may come to rest');
    await storm.stop();
    await judge.stopFaults();
    deadline = Date.now() + options.settleSeconds * 1000;
    await Promise.race([traffic, aborted(options.signal)]);
    options.signal.throwIfAborted();
    await comeToRest(cluster, deadline, options);
  } finally {
    deadline = 0; // also when something failed or somebody pressed Ctrl-C: clients stop asking
    clearInterval(progress);
    await storm.stop();
  }
  const books: Books = {
    clients: book,
    database: await readDatabase(cluster.databaseUrl),
    ledger: await judge.ledger(),
  };
  const carrier = await judge.counts();
  const report: RunReport = {
    seed: options.seed,
    queue: options.queue,
    seconds: Math.round((Date.now() - started) / 1000),
    storm: Object.fromEntries(storm.counts),
    carrier: { ...carrier, total: carrier.total - (carrier.byFault.refuse ?? 0) },
    verdict: compareBooks(books),
    strange: Object.fromEntries(book.strange),
    deaths: [...cluster.apis, ...cluster.workers, ...cluster.schedulers].flatMap((role) => role.deaths),
    stormFailures: storm.failures,
    tellings: book.tellings.length,
    slowestCarrierMs: Math.round(judge.slowestMs),
    replay: `npm run chaos -- --seed ${options.seed} --orders ${options.orders} --faults ${options.faults} --minutes ${options.minutes} --queue ${options.queue} --rate ${options.rate} --pause ${options.stormPauseMs.min / 1000}-${options.stormPauseMs.max / 1000}`,
  };
  return { report, books };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

async function comeToRest(cluster: Cluster, deadline: number, options: ChaosOptions): Promise<void> {
  for (;;) {
    const open = await countOpen(cluster.databaseUrl);
    if (open === 0) return;
    options.signal.throwIfAborted();
    if (Date.now() > deadline) return options.log(`${open} rows are still open`);
    await delay(500);
  }
}
