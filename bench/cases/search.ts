/** How long a search takes among many orders, in the process and in PostgreSQL. */
import { openOrm } from '../../src/db/orm.ts';
import { search } from '../../src/usecases/search/search.ts';
import { digits, type Options, type Section, tableOf } from '../section.ts';
import { openWorld } from '../world.ts';
import { seedOrders } from './search-seed.ts';

const ORDERS = Number(process.env.BENCH_SEARCH_ORDERS ?? 1_000_000);
const CHUNK = 50_000;
const SEARCHES = 100;
const GOAL_MS = 50;

/** Texts that a clerk types, by their kind. `at` is a number below the number of orders. */
const KINDS: Readonly<Record<string, (at: number) => string>> = {
  'order number': (at) => `IT-${2_000_000 + at}`,
  'beginning of an order number': (at) => `it-2${String(at).slice(0, 2)}`,
  'tracking number': (at) => `ya${610_000_000 + at}`,
  'phone number': (at) => `3${100_000_000 + at}`,
  'postal code': (at) => String((at * 7) % 98_000).padStart(5, '0'),
  SKU: (at) => `sku-${String((at * 13) % 4000).padStart(5, '0')}`,
  'name and surname': (at) => pick(at, ['maria rossi', 'beatrice tessanti', 'carlo zorzini', 'rosa galletti']),
  'frequent surname': (at) => pick(at, ['rossi', 'ferrari', 'russo', 'esposito']),
  'misspelt name': (at) => pick(at, ['giusepe ferari', 'beatrise tesanti', 'colmbini', 'rosi', 'francsca bianci']),
  'unknown name': (at) => `zzyzx${at}`,
};

function pick(at: number, texts: readonly string[]): string {
  return texts[at % texts.length] ?? '';
}

export async function benchSearch({ progress }: Options): Promise<Section> {
  await using world = await openWorld({ queue: 'postgres', isProfiled: false });
  await using connection = await world.connect();
  const [known] = await connection.query<{ count: number }>('select count(*)::int as count from orders', []);
  for (let from = (known?.count ?? 0) + 1; from <= ORDERS; from += CHUNK) {
    progress('seeding', from / ORDERS);
    await seedOrders(connection, { ...world, from, to: Math.min(ORDERS, from + CHUNK - 1) });
  }
  await connection.query('vacuum analyze', []);
  await using orm = await openOrm({ databaseUrl: world.databaseUrl, poolSize: 4 }).then((opened) =>
    Object.assign(opened, { [Symbol.asyncDispose]: () => opened.close(true) }),
  );
  const rows: { name: string; p50: number; p95: number }[] = [];
  for (const [name, textAt] of Object.entries(KINDS)) {
    progress(name, rows.length / Object.keys(KINDS).length);
    const times: number[] = [];
    for (let at = -5; at < SEARCHES; at++) {
      const text = textAt(Math.floor(((Math.abs(at) + 0.5) / SEARCHES) * ORDERS) % ORDERS);
      const started = performance.now();
      await search({ orm }, { companyId: world.companyId, text, limit: 20 });
      if (at >= 0) times.push(performance.now() - started);
    }
    times.sort((one, other) => one - other);
    const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
    rows.push({ name, p50: at(0.5), p95: at(0.95) });
  }
  const slowest = Math.max(...rows.map(({ p95 }) => p95));
  return {
    title: 'Search',
    table: tableOf(
      ['Case', 'p50 ms', 'p95 ms', 'goal ms'],
      rows.map(({ name, p50, p95 }) => [
        name,
        digits(p50, 1),
        digits(p95, 1),
        `${GOAL_MS}${p95 > GOAL_MS ? ', missed' : ''}`,
      ]),
    ),
    notes: [
      `${SEARCHES} searches of each kind, one after the other, among ${ORDERS} orders of one company (BENCH_SEARCH_ORDERS), whose names are as unequal as real ones. The times include the process, which takes about a millisecond.`,
    ],
    ratios: [{ name: 'slowest search beside its goal', value: GOAL_MS / slowest, goal: 1 }],
    data: { orders: ORDERS, rows },
  };
}
