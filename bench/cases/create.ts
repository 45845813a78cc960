/** A thousand orders booked by one worker, beside a bare BullMQ worker that makes the same calls and writes the same rows. */
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { cpuSeconds, cpuSecondsOfTree, median, rssMb } from '../measure.ts';
import { comparison, type Options, percent, type Row, type Section } from '../section.ts';
import { type FloorWorker, openWorld, type RunningProcess, type World } from '../world.ts';

export const BATCH = 1000;
const CONCURRENCY = 50;
export const SLOW_MS = 200;
const LOOK_MS = 25;
const ACCEPT_GOAL_MS = 300;

export async function benchCreate(options: Options): Promise<Section> {
  const rows: Row[] = [];
  const accepted: number[] = [];
  let bareShare = 0;
  for (const queue of ['redis', 'postgres'] as const) {
    await using world = await openWorld({ queue, isProfiled: options.isProfiled });
    const api = await world.startRole('api');
    const worker = await world.startRole('worker', { WORKER_CONCURRENCY: String(CONCURRENCY) });
    const floor = await world.startFloorWorker(CONCURRENCY);
    const bench = { world, api, worker, floor, options, accepted };
    rows.push(
      await compare(bench, { name: `${BATCH} shipments, queue in ${queue}`, goal: queue === 'redis' ? 0.75 : 0.6 }),
    );
    if (queue === 'redis') {
      const slow = await compareSlow(bench);
      rows.push(slow.row);
      bareShare = slow.bareShare;
    }
  }
  const acceptedMs = median(accepted);
  const section = comparison('Booking', rows, [
    `POST /shipment/create with ${BATCH} orders and respond-async, until the last item is settled. One api process and one worker process of ${CONCURRENCY} concurrent calls. The simulated GLS makes labels in ZPL, in a process of its own on the same cores.`,
    'The floor is a bare BullMQ worker. It reads the same rows, claims, makes the same call, keeps the exchange and settles, with one statement each.',
    `With the slow carrier the floor is ${BATCH} calls of ${SLOW_MS} ms, ${CONCURRENCY} at a time; the bare worker reaches ${percent(bareShare)} of it.`,
    `Accepted within ${Math.round(acceptedMs)} ms (median).`,
  ]);
  section.ratios.push({ name: 'booking accepted', value: ACCEPT_GOAL_MS / acceptedMs, goal: 1 });
  return section;
}

interface Bench {
  world: World;
  api: RunningProcess;
  worker: RunningProcess;
  floor: FloorWorker;
  options: Options;
  accepted: number[];
}

async function compare(bench: Bench, { name, goal }: { name: string; goal: number }): Promise<Row> {
  const { options } = bench;
  const ours: Batch[] = [];
  const bare: Batch[] = [];
  options.progress(name, 0);
  for (let at = -1; at < options.rounds; at++) {
    const [one, other] = [await bookBare(bench), await bookOurs(bench)];
    if (at < 0) continue; // the first ones warm caches and the compiler
    bare.push(one);
    ours.push(other);
    options.progress(name, (at + 1) / options.rounds);
  }
  const { perSecond, ...cost } = middleOf(bare);
  return { ...rowOf(bench, ours), name, floor: { perSecond, p99Ms: null, ...cost }, goal };
}

/**
 * The carrier alone takes so long that everything else should hide behind it. Told beside it, what a bare worker makes of that on
 * the same cores.
 */
async function compareSlow(bench: Bench): Promise<{ row: Row; bareShare: number }> {
  const { options } = bench;
  const name = `${BATCH} shipments, carrier of ${SLOW_MS} ms`;
  const ours: Batch[] = [];
  const bare: Batch[] = [];
  for (let at = 0; at < Math.min(3, options.rounds); at++) {
    options.progress(name, at / 3);
    await slowDown(bench.world);
    bare.push(await bookBare(bench));
    await slowDown(bench.world);
    ours.push(await bookOurs(bench));
  }
  const perSecond = (CONCURRENCY * 1000) / SLOW_MS;
  const floor = { perSecond, p99Ms: null, cpuMs: null, databaseCpuMs: null };
  return {
    row: { ...rowOf(bench, ours), name, floor, goal: 1 / 1.1 },
    bareShare: middleOf(bare).perSecond / perSecond,
  };
}

function rowOf({ worker }: Bench, batches: readonly Batch[]): Omit<Row, 'name' | 'floor' | 'goal'> {
  return { ...middleOf(batches), p50Ms: null, p99Ms: null, rssMb: rssMb(worker.pid) };
}

function middleOf(batches: readonly Batch[]): Batch {
  const middle = (of: keyof Batch) => median(batches.map((batch) => batch[of]));
  return { perSecond: middle('perSecond'), cpuMs: middle('cpuMs'), databaseCpuMs: middle('databaseCpuMs') };
}

/** Slows the simulated carrier down for the next batch. */
export async function slowDown(world: World): Promise<void> {
  const body = { partner: 'gls-it', operation: 'AddParcel', fault: 'delay', times: BATCH, delayMs: SLOW_MS };
  const answer = await request(`${world.sandbox.url}/_control/faults`, { method: 'POST', body: JSON.stringify(body) });
  if (answer.statusCode >= 400) throw new Error(`The sandbox refused: ${await answer.body.text()}`);
}

interface Batch {
  perSecond: number;
  /** Per shipment. */
  cpuMs: number;
  databaseCpuMs: number;
}

async function bookOurs({ world, api, worker, accepted }: Bench): Promise<Batch> {
  const orderIds = await seedOrders(world);
  return timed(world, worker, async () => {
    const { operationId, acceptedMs } = await askForShipments(world, api, orderIds);
    accepted.push(acceptedMs);
    await settled(world, operationId);
  });
}

export async function askForShipments(
  world: World,
  api: RunningProcess,
  orderIds: readonly number[],
): Promise<{ operationId: number; acceptedMs: number }> {
  const started = performance.now();
  const answer = await request(`${api.url}/api/v1/external/shipment/create`, {
    method: 'POST',
    headers: { 'x-api-key': world.apiKey, 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify(orderIds.map((orderId) => ({ orderId }))),
  });
  const body = await answer.body.text();
  if (answer.statusCode !== 202) throw new Error(`The batch was answered ${answer.statusCode}: ${body}`);
  const operationId = Number(/\d+$/.exec(String(answer.headers.location))?.[0]);
  return { operationId, acceptedMs: performance.now() - started };
}

/** Waits until nothing of an operation is open; one that failed is an error. */
export async function settled(world: World, operationId: number): Promise<void> {
  await using connection = await world.connect();
  for (;;) {
    const [row] = await connection.query<{ open: number; failed: number }>(
      `select count(*) filter (where status in ('pending', 'running'))::int as open, count(*) filter (where status = 'failed')::int as failed
         from operation_items where operation_id = $1`,
      [operationId],
    );
    if (row?.failed) throw new Error(`${row.failed} shipments were not booked`);
    if (row?.open === 0) return;
    await delay(LOOK_MS);
  }
}

async function bookBare({ world, floor }: Bench): Promise<Batch> {
  const orderIds = await seedOrders(world);
  await using connection = await world.connect();
  const rows = await connection.query<{ id: number }>(
    `with s as (insert into shipments (company_id, order_id, contract_id, carrier_id, reference, parcel_count, weight_grams, options, warnings)
                select $1, o, k.id, k.carrier_id, 'F' || o, 1, 1000, '[]', '[]' from unnest($3::int[]) o cross join contracts k where k.id = $2
                returning id, order_id),
          p as (insert into parcels (company_id, shipment_id, position, weight_grams) select $1, id, 1, 1000 from s),
          n as (insert into operations (company_id, kind, request_id, input) values ($1, 'create', 'floor', '{}') returning id),
          i as (insert into operation_items (company_id, operation_id, kind, order_id, shipment_id) select $1, n.id, 'create', s.order_id, s.id from s, n)
     select id from s`,
    [world.companyId, world.contractId, orderIds],
  );
  return await timed(world, floor, () => floor.book(rows.map(({ id }) => id)));
}

async function timed(world: World, worker: RunningProcess, run: () => Promise<void>): Promise<Batch> {
  const used = () => ({
    worker: cpuSeconds(worker.pid),
    database: world.postgresPid === null ? 0 : cpuSecondsOfTree(world.postgresPid),
  });
  const [before, started] = [used(), performance.now()];
  await run();
  const seconds = (performance.now() - started) / 1000;
  const after = used();
  return {
    perSecond: BATCH / seconds,
    cpuMs: ((after.worker - before.worker) * 1000) / BATCH,
    databaseCpuMs: ((after.database - before.database) * 1000) / BATCH,
  };
}

/** Inserts orders to places that differ, so that the carrier merges none of them. */
export async function seedOrders(world: World, count = BATCH): Promise<number[]> {
  await using connection = await world.connect();
  const rows = await connection.query<{ id: number }>(
    `with c as (insert into customers (company_id, full_name, email, phone)
                select $1, 'Chiara Prova', 'chiara@example.com', '0510000002' from generate_series(1, $2::int) returning id),
          a as (insert into customer_addresses (company_id, customer_id, full_name, address, city, state, zip, country, country_code)
                select $1, id, 'Chiara Prova ' || id, 'Via Torino, 5', 'Milano', 'MI', '20123', 'IT', 'IT' from c returning id, customer_id),
          o as (insert into orders (company_id, order_number, net_cents, vat_cents, gross_cents, customer_id, customer_address_id,
                                    parcels, carrier_options, problems)
                select $1, id::text, 2533, 557, 3090, customer_id, id, '[]', '[]', '[]' from a returning id),
          i as (insert into order_items (company_id, order_id, position, sku, title, quantity, unit_price_gross, unit_price_net,
                                         total_gross_cents, total_net_cents)
                select $1, id, position, 'MUG-01', 'Tazza in ceramica', 1, 12.5, 10.2459, 1250, 1025 from o, generate_series(1, 2) position)
     select id from o`,
    [world.companyId, count],
  );
  await connection.query('analyze', []);
  return rows.map(({ id }) => id);
}
