/** `npm run bench -- tracking`: picking due work and reading one parcel among ten thousand and among a million, and polls per second. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../../src/config.ts';
import { openCore } from '../../src/core.ts';
import { Company, Contract } from '../../src/db/entities/index.ts';
import { systemEm } from '../../src/db/orm.ts';
import type { Deps } from '../../src/engine/deps.ts';
import { readCompany } from '../../src/engine/find.ts';
import { silentLog } from '../../src/lib/log.ts';
import { readTracking } from '../../src/usecases/orders/read-orders.ts';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { queueDueTracking } from '../../src/usecases/tracking/queue-tracking.ts';
import { trackShipments } from '../../src/usecases/tracking/track-shipments.ts';
import { closedLoop, cpuSeconds, cpuSecondsOfTree, percentiles } from '../measure.ts';
import { type Options, percent, type Section, tableOf } from '../section.ts';
import { launchProcess } from '../world.ts';

const SIZES = [10_000, 1_000_000];
const TICKS = 10;
const DUE = 1000;
const CLIENTS = 4;
const CARRIER_MS = 50;
const POLLED = 4000;
/** Parcels per job, as the scheduler makes them for a carrier that answers about one at a time. */
const CHUNK = 20;
const CONCURRENCY = 10;

interface TrackingCost {
  shipments: number;
  /** One tick that picks a thousand due parcels. */
  tickP50Ms: number;
  tickP99Ms: number;
  readP50Ms: number;
  readP99Ms: number;
  rssMb: number;
}

interface TrackingBench {
  rows: TrackingCost[];
  polls: PollCost;
  /** The rate that the carrier's delay alone allows at this concurrency. */
  possiblePerSecond: number;
}

interface PollCost {
  perSecond: number;
  /** Milliseconds per poll, of the worker and of PostgreSQL. */
  cpuMs: number;
  databaseCpuMs: number;
  /** Growth of the database per poll. */
  bytes: number;
}

/** Measures polling in a database that grows to a million open shipments, with a slow carrier. */
export async function benchTracking({ progress }: Options): Promise<Section> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'smista-bench-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const { deps } = await openCore(stack, { config: readConfig({ DATA_DIR: dataDir }), log: silentLog, migrate: true });
  // A process of its own, whose work is not ours.
  const sandbox = await launchProcess(stack, {
    args: ['src/main.ts', 'sandbox'],
    ready: /ready at (\S+?);/,
    env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, SANDBOX_PORT: '0' },
    logFile: path.join(dataDir, 'sandbox.log'),
  });
  const company = await declare(deps, `${sandbox.url}/gls-it`);
  const rows: TrackingCost[] = [];
  for (const [at, size] of SIZES.entries()) {
    progress(`${size} shipments`, at / (SIZES.length + 1));
    await seed(deps, company, size - (SIZES[at - 1] ?? 0));
    rows.push(await measure(deps, company, size));
  }
  progress('polls', SIZES.length / (SIZES.length + 1));
  const [postgresPid] = readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n').map(Number);
  const polls = await poll(deps, `${sandbox.url}/_control/faults`, postgresPid ?? 0);
  return sectionOf({ rows, polls, possiblePerSecond: (CONCURRENCY * 1000) / CARRIER_MS });
}

interface Bench {
  companyId: number;
  contractId: number;
  carrierId: number;
}

async function declare(deps: Deps, baseUrl: string): Promise<Bench> {
  const account = {
    sedeGls: 'YA',
    codiceClienteGls: '1',
    passwordClienteGls: 'sandbox',
    codiceContrattoGls: '1',
    baseUrl,
  };
  const contracts = [{ key: 'gls', label: 'GLS', carrier: 'gls-it', account }];
  await apply(deps, ApplyDocument.parse({ companies: [{ key: 'bench', name: 'Bench', contracts }] }));
  const em = systemEm(deps.orm);
  const { id: companyId } = await em.findOneOrFail(Company, { key: 'bench' });
  const { id: contractId, carrierId } = await em.findOneOrFail(Contract, { companyId });
  return { companyId, contractId, carrierId };
}

/** Shipments on their way, none due for an hour, with three events each. */
async function seed(deps: Deps, { companyId, contractId, carrierId }: Bench, count: number): Promise<void> {
  const em = systemEm(deps.orm);
  await em.execute(
    `with n as (select generate_series(1, ${count}) as i),
          c as (insert into customers (company_id, full_name) values (${companyId}, 'Bench') returning id),
          a as (insert into customer_addresses (company_id, customer_id, full_name, address, city, state, zip, country, country_code)
                select ${companyId}, c.id, 'Bench', 'Via 1', 'Bologna', 'BO', '40121', 'Italia', 'IT' from c returning id, customer_id),
          o as (insert into orders (company_id, order_number, status, payment_method, net_cents, vat_cents, gross_cents, customer_id,
                                    customer_address_id, parcels, carrier_options, problems)
                select ${companyId}, 'B' || n.i, 'shipped', 'PREPAID', 1000, 220, 1220, a.customer_id, a.id, '[]', '[]', '[]'
                  from n cross join a returning id),
          s as (insert into shipments (company_id, order_id, contract_id, carrier_id, process_status, tracking_status, tracking_number,
                                       parcel_count, weight_grams, options, warnings, next_poll_at)
                select ${companyId}, o.id, ${contractId}, ${carrierId}, 'transmitted', 'in_transit', 'YA' || o.id, 1, 1200, '[]', '[]',
                       now() + interval '1 hour' + (o.id % 3600) * interval '1 second' from o returning id)
     insert into tracking_events (company_id, shipment_id, fingerprint, occurred_at, code, description, status)
     select ${companyId}, s.id, s.id || '-' || e, now() - e * interval '5 hours', '903', 'In transito', 'in_transit'
       from s cross join generate_series(1, 3) e`,
  );
  await em.execute('vacuum analyze');
}

async function measure(deps: Deps, { companyId }: Bench, shipments: number): Promise<TrackingCost> {
  const em = systemEm(deps.orm);
  const [range] = await em.execute<{ first: number; last: number }[]>(
    'select min(id) as first, max(id) as last from shipments',
  );
  const { first = 1, last = 1 } = range ?? {};
  const silent = { ...deps, queues: { add: async () => undefined, revive: async () => undefined } };
  const ticks: number[] = [];
  for (let at = 0; at <= TICKS; at++) {
    const from = first + Math.floor(((last - first - DUE) / TICKS) * (at % TICKS));
    await em.execute('update shipments set next_poll_at = now() where id >= ? and id < ?', [from, from + DUE]);
    const started = performance.now();
    const due = await queueDueTracking(silent);
    if (at > 0) ticks.push(performance.now() - started); // the first one warms
    if (due !== DUE) throw new Error(`${due} parcels were due`);
  }
  const company = await readCompany(deps.orm, companyId);
  const reading = { ...deps, company: async () => company };
  let seedOf = 1;
  const read = await closedLoop({ clients: CLIENTS, seconds: 3 }, async () => {
    seedOf = (seedOf * 48_271) % 2_147_483_647;
    await readTracking(reading, { companyId, shipmentId: first + (seedOf % (last - first)) });
  });
  const tick = percentiles(ticks);
  const rssMb = process.memoryUsage.rss() / 2 ** 20;
  return {
    shipments,
    tickP50Ms: tick.p50Ms,
    tickP99Ms: tick.p99Ms,
    readP50Ms: read.p50Ms,
    readP99Ms: read.p99Ms,
    rssMb,
  };
}

/** Ten jobs at a time, as one worker runs them, against a carrier that takes its time to say that it knows nothing yet. */
async function poll(deps: Deps, faults: string, postgresPid: number): Promise<PollCost> {
  const body = { partner: 'gls-it', operation: 'Tracking', fault: 'delay', times: POLLED * 3, delayMs: CARRIER_MS };
  const answer = await fetch(faults, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`The sandbox refused: ${await answer.text()}`);
  const em = systemEm(deps.orm);
  const rows = await em.execute<{ id: number }[]>(`select id from shipments order by id limit ${POLLED}`);
  const wealthy = { ...deps, budgets: { take: async () => 0, report: async () => undefined } };
  const ids = rows.map(({ id }) => id);
  const context = {
    requestId: 'bench',
    signal: new AbortController().signal,
    isLastTry: true,
    endTurn: () => undefined,
  };
  const used = () => ({ ours: cpuSeconds(process.pid), database: cpuSecondsOfTree(postgresPid) });
  const pollAll = async (jobs: number[][]): Promise<void> => {
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
          await trackShipments(wealthy, { shipmentIds: job, ...context });
        }
      }),
    );
  };
  const jobsOf = (count: number) =>
    Array.from({ length: count / CHUNK }, (_each, at) => ids.slice(at * CHUNK, (at + 1) * CHUNK));
  await pollAll(jobsOf(POLLED / 10)); // warms
  const sizeBefore = await sizeOf(deps);
  const before = used();
  const started = performance.now();
  await pollAll(jobsOf(POLLED));
  const seconds = (performance.now() - started) / 1000;
  const after = used();
  return {
    perSecond: POLLED / seconds,
    cpuMs: ((after.ours - before.ours) * 1000) / POLLED,
    databaseCpuMs: ((after.database - before.database) * 1000) / POLLED,
    bytes: ((await sizeOf(deps)) - sizeBefore) / POLLED,
  };
}

/** Returns the bytes of the tables that polls write to; the rows of shipments are written again in place. */
async function sizeOf(deps: Deps): Promise<number> {
  const [row] = await systemEm(deps.orm).execute<{ bytes: string }[]>(
    `select pg_total_relation_size('exchanges') + pg_total_relation_size('tracking_events') as bytes`,
  );
  return Number(row?.bytes);
}

function sectionOf({ rows, polls, possiblePerSecond }: TrackingBench): Section {
  const lines = rows.map((row) => [
    String(row.shipments),
    ...[row.tickP50Ms, row.tickP99Ms, row.readP50Ms, row.readP99Ms].map((value) => value.toFixed(1)),
    row.rssMb.toFixed(0),
  ]);
  const [few, many] = rows;
  const heads = ['Open shipments', `tick for ${DUE} due p50 ms`, 'p99 ms', 'read one p50 ms', 'p99 ms', 'process MiB'];
  return {
    title: 'Tracking',
    table: tableOf(heads, lines),
    notes: [
      `One worker, ${CONCURRENCY} jobs of ${CHUNK} parcels at a time, a carrier that takes ${CARRIER_MS} ms and has no news: ${polls.perSecond.toFixed(0)} polls a second, ${percent(polls.perSecond / possiblePerSecond)} of what the delay alone allows.`,
      `Each poll takes ${polls.cpuMs.toFixed(2)} ms of CPU, ${polls.databaseCpuMs.toFixed(2)} ms of PostgreSQL's and ${polls.bytes.toFixed(0)} bytes.`,
    ],
    ratios: [
      { name: 'polls', value: polls.perSecond / possiblePerSecond, goal: null },
      ...(few && many
        ? [{ name: 'read among ten thousand to a million', value: few.readP99Ms / many.readP99Ms, goal: null }]
        : []),
    ],
    data: { rows, polls },
  };
}
