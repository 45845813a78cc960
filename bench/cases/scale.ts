/** Measures the gain of more workers, the cost of reads while they are busy, and whether memory stays flat. */
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { closedLoop, median, percentiles, rssMb } from '../measure.ts';
import { digits, type Options, percent, type Section, tableOf } from '../section.ts';
import { openWorld, type RunningProcess, type World } from '../world.ts';
import { askForShipments, BATCH, SLOW_MS, seedOrders, settled, slowDown } from './create.ts';

const WORKERS = [1, 2, 4, 8];
/** The default of WORKER_CONCURRENCY. */
const CALLS = 10;
const READERS = 4;
const READ_SECONDS = 4;
const READ_ROUNDS = 3;
/** More batches than 4 workers finish during the measurement. */
const BATCHES_WAITING = 6;
const MEMORY_REQUESTS = Number(process.env.BENCH_MEMORY_REQUESTS ?? 100_000);
const MEMORY_JOBS = Number(process.env.BENCH_MEMORY_JOBS ?? 10_000);
const PARTS = 5;

export async function benchScale({ progress }: Options): Promise<Section> {
  await using world = await openWorld({ queue: 'redis', isProfiled: false });
  const api = await world.startRole('api');
  const workers: RunningProcess[] = [];
  const labels: { count: number; fast: number; slow: number }[] = [];
  for (const count of WORKERS) {
    while (workers.length < count) {
      workers.push(await world.startRole('worker', { WORKER_CONCURRENCY: String(CALLS) }));
    }
    progress(`${count} workers`, 0);
    await bookBatch(world, api); // warms the new ones
    const fast = await bookBatch(world, api);
    progress(`${count} workers`, 0.5);
    await slowDown(world);
    labels.push({ count, fast, slow: await bookBatch(world, api) });
  }
  for (const other of workers.splice(4)) await other.stop();
  const reading = await readWhileBusy(world, { api, progress });
  // One of them does all that follows.
  for (const other of workers.splice(1)) await other.stop();
  const memory = await memoryOf(world, { api, worker: workers[0] as RunningProcess, progress });
  const first = labels[0] ?? { fast: 1, slow: 1 };
  const line = (name: string, value: number, one: number) => [name, digits(value, 0), percent(value / one)];
  const lines = [
    ...labels.map(({ count, slow }) =>
      line(`labels with ${count} worker processes, carrier of ${SLOW_MS} ms`, slow, first.slow),
    ),
    ...labels.map(({ count, fast }) =>
      line(`labels with ${count} worker processes, carrier without delay`, fast, first.fast),
    ),
    ...reading.lines,
    ...memory.lines,
  ];
  return {
    title: 'Scale and memory',
    table: tableOf(['Case', 'value', 'to the first'], lines),
    notes: [
      `Labels a second: batches of ${BATCH} orders by one api process and the workers, each with ${CALLS} calls at a time. Two cores are shared by all of them, PostgreSQL, Redis and the pretend carrier: without a delay one worker fills them.`,
      `Reading: ${READERS} clients, before and while 4 workers run through ${BATCHES_WAITING} batches that were accepted before. It shows the p99 in the median of ${READ_ROUNDS} rounds, in turns with the floor.`,
      `Memory: MiB in use after each fifth of ${MEMORY_REQUESTS} requests to the api and of ${MEMORY_JOBS} jobs of a worker (BENCH_MEMORY_REQUESTS, BENCH_MEMORY_JOBS).`,
    ],
    ratios: reading.ratios,
    data: { labels, memory: memory.data, reading: reading.data },
  };
}

async function bookBatch(world: World, api: RunningProcess): Promise<number> {
  const orderIds = await seedOrders(world);
  const started = performance.now();
  const { operationId } = await askForShipments(world, api, orderIds);
  await settled(world, operationId);
  return (BATCH * 1000) / (performance.now() - started);
}

/** Reads a shipment while nothing else runs and while workers are busy. The floor does the same, which shows the machine's share. */
async function readWhileBusy(world: World, { api, progress }: { api: RunningProcess; progress: Options['progress'] }) {
  const floor = await world.startFloor();
  const targets = {
    ours: { url: `${api.url}/api/v1/external`, headers: { 'x-api-key': world.apiKey } },
    floor: { url: floor.url, headers: {} },
  };
  const readAll = async () => ({
    ours: await readP99(world, targets.ours),
    floor: await readP99(world, targets.floor),
  });
  await readAll(); // warms both
  const rounds: { calm: Reads; busy: Reads }[] = [];
  for (let at = 0; at < READ_ROUNDS; at++) {
    progress('reading', at / READ_ROUNDS);
    const calm = await readAll();
    const batches: number[][] = [];
    while (batches.length < BATCHES_WAITING) batches.push(await seedOrders(world));
    const operations: number[] = [];
    for (const orderIds of batches) operations.push((await askForShipments(world, api, orderIds)).operationId);
    const busy = await readAll();
    if (!(await isOpen(world, operations))) throw new Error('The workers were done before the readers');
    for (const operationId of operations) await settled(world, operationId);
    rounds.push({ calm, busy });
  }
  await floor.stop();
  const middle = (when: 'calm' | 'busy', who: keyof Reads) => median(rounds.map((round) => round[when][who]));
  const line = (who: keyof Reads, of: string) => [
    [`reading a shipment${of}, p99 ms, workers idle`, digits(middle('calm', who), 1), '100 %'],
    [
      `reading a shipment${of}, p99 ms, workers flat out`,
      digits(middle('busy', who), 1),
      percent(middle('busy', who) / middle('calm', who)),
    ],
  ];
  return {
    lines: [...line('ours', ''), ...line('floor', ' from the floor')],
    ratios: [
      { name: 'reading while workers run', value: middle('calm', 'ours') / middle('busy', 'ours'), goal: 0.5 },
      {
        name: 'reading while workers run, beside the floor',
        value: middle('busy', 'floor') / middle('busy', 'ours'),
        goal: 0.7,
      },
    ],
    data: rounds,
  };
}

interface Reads {
  ours: number;
  floor: number;
}

async function isOpen(world: World, operationIds: readonly number[]): Promise<boolean> {
  await using connection = await world.connect();
  const rows = await connection.query(
    `select 1 from operation_items where operation_id = any($1::int[]) and status in ('pending', 'running') limit 1`,
    [operationIds],
  );
  return rows.length > 0;
}

async function readP99(world: World, target: { url: string; headers: Record<string, string> }): Promise<number> {
  await using connection = await world.connect();
  const rows = await connection.query<{ id: number }>('select id from shipments order by id limit 1000', []);
  const agent = new Agent({ connections: READERS, pipelining: 1 });
  const durations: number[] = [];
  await closedLoop({ clients: READERS, seconds: READ_SECONDS }, async (index) => {
    const url = `${target.url}/shipment/${rows[index % rows.length]?.id}/tracking`;
    const started = performance.now();
    const answer = await request(url, { dispatcher: agent, headers: target.headers });
    if (answer.statusCode !== 200) throw new Error(`It answered ${answer.statusCode}`);
    await answer.body.dump();
    durations.push(performance.now() - started);
    await delay(5); // as clients that read now and then: their own queue is not what is measured
  });
  await agent.close();
  return percentiles(durations).p99Ms;
}

async function memoryOf(
  world: World,
  { api, worker, progress }: { api: RunningProcess; worker: RunningProcess; progress: Options['progress'] },
) {
  await using connection = await world.connect();
  const [row] = await connection.query<{ id: number; order_id: number }>(
    'select max(id) as id, max(order_id) as order_id from shipments',
    [],
  );
  // Nine of ten ask for one thing, as clients do; one for a list.
  const paths = Array.from({ length: 10 }, (_, at) =>
    at === 0 ? 'orders?limit=5' : at % 2 === 0 ? `orders/${row?.order_id}` : `shipment/${row?.id}/tracking`,
  );
  const agent = new Agent({ connections: 16, pipelining: 1 });
  const ofApi: number[] = [];
  let next = 0;
  for (let part = 0; part < PARTS; part++) {
    progress('memory of the api', part / PARTS);
    const end = Math.round((MEMORY_REQUESTS * (part + 1)) / PARTS);
    const client = async (): Promise<void> => {
      while (next++ < end) {
        const answer = await request(`${api.url}/api/v1/external/${paths[next % paths.length]}`, {
          dispatcher: agent,
          headers: { 'x-api-key': world.apiKey },
        });
        if (answer.statusCode !== 200)
          throw new Error(`The api answered ${answer.statusCode}: ${await answer.body.text()}`);
        await answer.body.dump();
      }
    };
    await Promise.all(Array.from({ length: 16 }, client));
    ofApi.push(rssMb(api.pid));
  }
  await agent.close();
  const ofWorker: number[] = [];
  for (let part = 0; part < PARTS; part++) {
    progress('memory of a worker', part / PARTS);
    for (let jobs = 0; jobs < MEMORY_JOBS / PARTS; jobs += BATCH) await bookBatch(world, api);
    ofWorker.push(rssMb(worker.pid));
  }
  const line = (name: string, values: readonly number[]) => [
    name,
    values.map((value) => digits(value, 0)).join(', '),
    percent((values.at(-1) ?? 0) / (values[0] ?? 1)),
  ];
  return {
    lines: [line('memory of the api', ofApi), line('memory of a worker', ofWorker)],
    data: { ofApi, ofWorker },
  };
}
