/** `npm run bench -- import`: orders per second into PostgreSQL from a shop without delay, and the memory that it takes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { OrderBody } from '../../src/api/routes/orders/order-fields.ts';
import { readConfig } from '../../src/config.ts';
import { openCore } from '../../src/core.ts';
import { Connection } from '../../src/db/entities/index.ts';
import { systemEm } from '../../src/db/orm.ts';
import type { Deps } from '../../src/engine/deps.ts';
import { silentLog } from '../../src/lib/log.ts';
import { importOrders } from '../../src/usecases/marketplaces/import-orders.ts';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { buildOrder } from '../../test/support/build-order.ts';
import { createFloor } from '../floor.ts';
import { closedLoop } from '../measure.ts';
import { type Options, percent, type Section, tableOf } from '../section.ts';

const SIZES = [1_000, 100_000];
const SAMPLE_MS = 200;
const ORDER = OrderBody.parse(buildOrder());

interface ImportCost {
  orders: number;
  perSecond: number;
  floorPerSecond: number;
  /** The most that the process took, and what of its heap was still held afterwards beyond what was before, in MiB. */
  peakMb: number;
  keptMb: number;
}

/** Measures one row per size of shop. The floor is one prepared statement per order over one connection, in the same database. */
export async function benchImport({ progress }: Options): Promise<Section> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'smista-bench-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const config = readConfig({ DATA_DIR: dataDir });
  const { deps, databaseUrl } = await openCore(stack, { config, log: silentLog, migrate: true });
  const rows: ImportCost[] = [];
  for (const [at, size] of SIZES.entries()) {
    progress(`${size} orders`, at / SIZES.length);
    rows.push(await measure(deps, { size, databaseUrl }));
  }
  return sectionOf(rows);
}

async function measure(deps: Deps, { size, databaseUrl }: { size: number; databaseUrl: string }): Promise<ImportCost> {
  const shop = spawn(process.execPath, ['bench/cases/shop.ts', String(size)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(shop.stdout, 'data');
  const connection = await connect(deps, `shop-${size}`, `http://127.0.0.1:${String(port).trim()}`);
  const before = heapMb();
  let peak = 0;
  const sample = (): void => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const timer = setInterval(sample, SAMPLE_MS);
  const started = performance.now();
  const input = {
    connectionId: connection.id,
    requestId: 'bench',
    signal: new AbortController().signal,
    isLastTry: true,
    endTurn: () => undefined,
  };
  const count = await importOrders(deps, input);
  const seconds = (performance.now() - started) / 1000;
  clearInterval(timer);
  sample();
  shop.kill();
  const keptMb = heapMb() - before;
  if (count.created !== size) throw new Error(`${count.created} of ${size} orders were imported`);
  const floor = createFloor(databaseUrl, { companyId: connection.companyId, connections: 1 });
  const bare = await closedLoop({ clients: 1, seconds: 2 }, async () => void (await floor.createOrder(ORDER)));
  await floor.close();
  return { orders: size, perSecond: size / seconds, floorPerSecond: bare.perSecond, peakMb: peak / 2 ** 20, keptMb };
}

/** Returns the heap in use after a full garbage collection. */
function heapMb(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

async function connect(deps: Deps, key: string, url: string): Promise<Connection> {
  const account = { url, consumerKey: 'ck_bench', consumerSecret: 'cs_bench' };
  const declared = { key, label: key, marketplace: 'woocommerce', account, import_orders: true };
  await apply(deps, ApplyDocument.parse({ companies: [{ key: 'bench', name: 'Bench', connections: [declared] }] }));
  return systemEm(deps.orm).findOneOrFail(Connection, { key });
}

function sectionOf(rows: readonly ImportCost[]): Section {
  const lines = rows.map(({ orders, perSecond, floorPerSecond, peakMb, keptMb }) => [
    String(orders),
    perSecond.toFixed(0),
    floorPerSecond.toFixed(0),
    percent(perSecond / floorPerSecond),
    peakMb.toFixed(0),
    keptMb.toFixed(1),
  ]);
  return {
    title: 'Orders from a shop',
    table: tableOf(['Orders', 'per second', 'floor per second', 'ratio', 'peak memory MiB', 'heap kept MiB'], lines),
    notes: ['The floor is one prepared statement per order over one connection, on the same database.'],
    ratios: rows.map(({ orders, perSecond, floorPerSecond }) => ({
      name: `import of ${orders}`,
      value: perSecond / floorPerSecond,
      goal: null,
    })),
    data: rows,
  };
}
