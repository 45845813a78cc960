/** Measures whether lists, reads and ticks stay as fast as they were while years of orders gather, also after a restore. */
import { readConfig } from '../../src/config.ts';
import { openCore } from '../../src/core.ts';
import type { Deps } from '../../src/engine/deps.ts';
import { silentLog } from '../../src/lib/log.ts';
import { SCHEDULE } from '../../src/scheduler/schedule.ts';
import { keepStatistics } from '../../src/usecases/upkeep/keep-statistics.ts';
import { buildOrder } from '../../test/support/build-order.ts';
import { median } from '../measure.ts';
import { digits, type Options, percent, type Section, tableOf } from '../section.ts';
import { openWorld, type World } from '../world.ts';
import { forgetStatistics, ORDERS_OF_TODAY, seedHistory, seedToday } from './growth-seed.ts';

const MOST = Number(process.env.BENCH_GROWTH_ORDERS ?? 2_000_000);
const SIZES = [MOST / 100, MOST / 10, MOST];
const CHUNK = 50_000;
const TIMES = 15;
/** Times below this say more about the machine than about the rows. */
const NOISE_MS = 3;
const GOAL = 0.5;
/** The nightly ones delete what is old, which is work of another kind. */
const NIGHTLY = ['purge', 'old-documents'];

const RECENT = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

/** Paths of the api by the name of their case; `order` and `shipment` are those of one old order. */
const READS: readonly string[] = [
  '/overview',
  '/orders',
  '/orders?status=pending',
  '/orders?status=error',
  '/orders?problem=true',
  '/orders?needsAttention=true',
  '/orders?hasLabel=false',
  '/orders?printed=false',
  `/orders?createdFrom=${RECENT}`,
  '/orders?orderNumber=IT-2000007',
  '/orders?q=rossi',
  '/orders/7',
  '/shipments',
  '/shipments?status=created',
  '/shipments?manifest=none',
  '/shipments?printed=false',
  `/shipments?deliveredFrom=${RECENT}`,
  `/shipments?transmittedFrom=${RECENT}`,
  '/shipments?direction=return',
  '/shipment/7',
  '/shipment/7/tracking',
  '/shipment/7/exchanges',
  '/shipments/held',
  '/attention',
  '/bordero?limit=5',
  '/bordero/open',
  '/events?limit=100',
  '/events?limit=100&types=order.cancelled',
  '/operations',
  '/operations?open=true',
  '/audit',
  '/search?q=YA610000007',
  '/search?q=maria%20rossi',
];

type Times = Map<string, number>;

interface Phase {
  orders: number;
  /** Seconds in which the service brought the statistics back after a restore; null: they were there. */
  analyzedIn: number | null;
  times: Times;
}

export async function benchGrowth({ progress }: Options): Promise<Section> {
  await using world = await openWorld({ queue: 'postgres', isProfiled: false });
  await using connection = await world.connect();
  // Else it would bring the statistics back at any moment.
  await connection.query('alter system set autovacuum = off', []);
  await connection.query('select pg_reload_conf()', []);
  await seedToday(connection, world);
  const phases: Phase[] = [];
  let from = 1;
  for (const orders of SIZES) {
    for (; from <= orders; from += CHUNK) {
      progress(`seeding ${orders} orders`, from / MOST);
      await seedHistory(connection, { ...world, from, to: Math.min(orders, from + CHUNK - 1) });
    }
    from = orders + 1;
    progress(`${orders} orders`, orders / MOST);
    await connection.query('vacuum analyze', []);
    phases.push({ orders, analyzedIn: null, times: await measure(world) });
    progress(`${orders} orders after a restore`, orders / MOST);
    await forgetStatistics(connection);
    const started = performance.now();
    await withCore(world, keepStatistics);
    const analyzedIn = (performance.now() - started) / 1000;
    phases.push({ orders, analyzedIn, times: await measure(world) });
  }
  return sectionOf(phases);
}

/** Measures each case in a fresh process: plans of prepared statements would outlive the statistics that they were made from. */
async function measure(world: World): Promise<Times> {
  const times: Times = new Map();
  const api = await world.startRole('api');
  const call = async (method: string, path: string, body?: unknown): Promise<void> => {
    const answer = await fetch(`${api.url}/api/v1/external${path}`, {
      method,
      headers: { 'x-api-key': world.apiKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  };
  for (const path of READS) times.set(`GET ${path}`, await timed(() => call('GET', path)));
  times.set('POST /orders', await timed(() => call('POST', '/orders', buildOrder())));
  await api.stop();

  await withCore(world, async (deps) => {
    for (const { name, run } of SCHEDULE) {
      if (NIGHTLY.includes(name)) continue;
      times.set(`tick ${name}`, await timed(() => run(deps)));
    }
  });
  return times;
}

async function withCore(world: World, run: (deps: Deps) => Promise<unknown>): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const config = readConfig({ DATABASE_URL: world.databaseUrl, DATA_DIR: world.dataDir });
  const { deps } = await openCore(stack, { config, log: silentLog, migrate: false });
  await run(deps);
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let at = -3; at < TIMES; at++) {
    const started = performance.now();
    await run();
    if (at >= 0) times.push(performance.now() - started);
  }
  return median(times);
}

function sectionOf(phases: readonly Phase[]): Section {
  const [few] = phases;
  const names = [...(few?.times.keys() ?? [])];
  const base = (name: string): number => Math.max(NOISE_MS, few?.times.get(name) ?? 0);
  const growth = (name: string, { times }: Phase): number => Math.max(NOISE_MS, times.get(name) ?? 0) / base(name);
  const worst = (own: readonly Phase[]): number =>
    Math.max(...own.flatMap((phase) => names.map((name) => growth(name, phase))));
  const headOf = ({ orders, analyzedIn }: Phase): string =>
    `${orders.toLocaleString('en')}${analyzedIn === null ? '' : ', restored'}`;
  const slowest = Math.max(...phases.map(({ analyzedIn }) => analyzedIn ?? 0));
  return {
    title: 'Growth',
    table: tableOf(
      ['Case, p50 in ms by the number of old orders', ...phases.map(headOf), 'worst'],
      names.map((name) => [
        name,
        ...phases.map(({ times }) => digits(times.get(name) ?? null, 1)),
        percent(Math.max(...phases.map((phase) => growth(name, phase)))),
      ]),
    ),
    notes: [
      `One company with ${ORDERS_OF_TODAY.toLocaleString('en')} orders of today, and years of delivered ones behind them (BENCH_GROWTH_ORDERS). Each has a shipment with label, attempt, exchange, operation, two lines, two events and four tracking events. Medians of ${TIMES} calls, one after the other; autovacuum is off.`,
      `Restored: all that PostgreSQL knew about the tables was deleted, and the service analyzed them by itself. That took ${digits(slowest, 1)} s at the most; in a running service it begins within a minute.`,
      `"Worst" is the slowest column beside the first one. Times below ${NOISE_MS} ms count as ${NOISE_MS} ms there.`,
    ],
    ratios: [
      { name: 'slowest growth', value: 1 / worst(phases.filter(({ analyzedIn }) => analyzedIn === null)), goal: GOAL },
      { name: 'slowest growth after a restore', value: 1 / worst(phases), goal: GOAL },
    ],
    data: phases.map(({ times, ...phase }) => ({ ...phase, times: Object.fromEntries(times) })),
  };
}
