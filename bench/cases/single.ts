/** One label per request, beside an Express handler that inserts the same rows, queues one job for a bare worker, and waits for it. */
import { Agent, request } from 'undici';
import { closedLoop, cpuSeconds, cpuSecondsOfTree, type Measured, median, rssMb } from '../measure.ts';
import { comparison, type Options, type Row, type Section } from '../section.ts';
import { openWorld, type RunningProcess, type World } from '../world.ts';
import { seedOrders } from './create.ts';

const CLIENTS = [1, 8, 64];
const CONCURRENCY = 50;
const GOAL = 0.75;
/** More than a second takes. */
const ORDERS_PER_SECOND = 600;

export async function benchSingle(options: Options): Promise<Section> {
  const rows: Row[] = [];
  for (const queue of ['redis', 'postgres'] as const) {
    await using world = await openWorld({ queue, isProfiled: options.isProfiled });
    const api = await world.startRole('api');
    const worker = await world.startRole('worker', { WORKER_CONCURRENCY: String(CONCURRENCY) });
    const server = await world.startFloor();
    const floorWorker = await world.startFloorWorker(CONCURRENCY);
    const agent = new Agent({ connections: Math.max(...CLIENTS), pipelining: 1 });
    const headers = { 'x-api-key': world.apiKey, 'content-type': 'application/json' };
    const ours: Side = {
      processes: [api, worker],
      ship: (orderId) =>
        post(agent, `${api.url}/api/v1/external/shipment/create`, headers, JSON.stringify([{ orderId }])),
    };
    const bare: Side = {
      processes: [server, floorWorker],
      ship: (orderId) => post(agent, `${server.url}/contracts/${world.contractId}/orders/${orderId}/ship`, {}, ''),
    };
    for (const clients of CLIENTS) {
      const name = `${clients} ${clients === 1 ? 'client' : 'clients'}, queue in ${queue}`;
      if (name.includes(options.only)) rows.push(await compare(world, options, { name, clients, ours, bare }));
    }
    await agent.close();
  }
  return comparison('One label at a time', rows, [
    `POST /shipment/create with one order and a client that waits, in a closed loop: ${options.rounds} rounds of ${options.seconds} s in turns with the floor. One api process and one worker process of ${CONCURRENCY} concurrent calls. The simulated GLS answers at once, in a process of its own on the same cores.`,
    'The floor is an Express handler that inserts the same rows with one statement and queues one BullMQ job. A bare worker makes the same call and settles, and NOTIFY ends the wait.',
    'CPU is that of api and worker together, per label.',
  ]);
}

interface Side {
  processes: readonly RunningProcess[];
  ship(orderId: number): Promise<void>;
}

async function post(agent: Agent, url: string, headers: Record<string, string>, body: string): Promise<void> {
  const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body });
  const text = await answer.body.text();
  const isBooked = answer.statusCode === 200 && text.includes('"errors":[]');
  if (!isBooked) throw new Error(`${url} answered ${answer.statusCode}: ${text}`);
}

type Round = Measured & { cpuMs: number; databaseCpuMs: number };

async function compare(
  world: World,
  options: Options,
  one: { name: string; clients: number; ours: Side; bare: Side },
): Promise<Row> {
  const round = async ({ processes, ship }: Side, seconds: number): Promise<Round> => {
    const orders = await seedOrders(world, Math.ceil(seconds * ORDERS_PER_SECOND));
    const used = () => ({
      ours: processes.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0),
      database: world.postgresPid === null ? 0 : cpuSecondsOfTree(world.postgresPid),
    });
    const before = used();
    const measured = await closedLoop({ clients: one.clients, seconds }, async (index) => {
      const orderId = orders[index];
      if (orderId === undefined) throw new Error('There are too few orders for this speed');
      await ship(orderId);
    });
    const after = used();
    const labels = measured.perSecond * seconds;
    return {
      ...measured,
      cpuMs: ((after.ours - before.ours) * 1000) / labels,
      databaseCpuMs: ((after.database - before.database) * 1000) / labels,
    };
  };
  const rounds: Record<'ours' | 'bare', Round[]> = { ours: [], bare: [] };
  options.progress(one.name, 0);
  for (const side of [one.bare, one.ours]) await round(side, 1); // warms caches and the compiler
  for (let at = 0; at < options.rounds; at++) {
    rounds.bare.push(await round(one.bare, options.seconds));
    rounds.ours.push(await round(one.ours, options.seconds));
    options.progress(one.name, (at + 1) / options.rounds);
  }
  const middle = (side: 'ours' | 'bare', of: keyof Round) => median(rounds[side].map((each) => each[of]));
  return {
    name: one.name,
    perSecond: middle('ours', 'perSecond'),
    p50Ms: middle('ours', 'p50Ms'),
    p99Ms: middle('ours', 'p99Ms'),
    cpuMs: middle('ours', 'cpuMs'),
    databaseCpuMs: middle('ours', 'databaseCpuMs'),
    rssMb: one.ours.processes.reduce((sum, { pid }) => sum + rssMb(pid), 0),
    floor: {
      perSecond: middle('bare', 'perSecond'),
      p99Ms: middle('bare', 'p99Ms'),
      cpuMs: middle('bare', 'cpuMs'),
      databaseCpuMs: middle('bare', 'databaseCpuMs'),
    },
    goal: GOAL,
  };
}
