/** Orders made and read over HTTP, beside an Express handler that does the same by hand; both in processes of their own. */
import { Agent, request } from 'undici';
import { buildOrder } from '../../test/support/build-order.ts';
import { WEEKS_OF_ORDERS } from '../../test/support/weeks-of-orders.ts';
import { closedLoop, cpuSeconds, cpuSecondsOfTree, type Measured, median, rssMb } from '../measure.ts';
import { comparison, type Options, type Row, type Section } from '../section.ts';
import { openWorld, type RunningProcess, type World } from '../world.ts';

const CLIENTS = 16;
const BASE = '/api/v1/external';
const GOAL = 0.7;
const SEEDED = 20_000;
/** Clients ask for orders of their own, not all for the same one. */
const ASKED_FOR = 1000;

export const ORDER = JSON.stringify(
  buildOrder({
    items: [
      { sku: 'MUG-01', name: 'Tazza in ceramica', quantity: 1, price: 12.5 },
      { sku: 'OIL-05', name: "Olio d'oliva 5 l", quantity: 1, price: 12.5 },
    ],
  }),
);

interface Call {
  method: 'GET' | 'POST';
  /** Asked in turns. */
  paths: string[];
  body?: string;
}

interface Target {
  process: RunningProcess;
  basePath: string;
  headers: Record<string, string>;
}

export async function benchHttp(options: Options): Promise<Section> {
  await using world = await openWorld({ queue: 'postgres', isProfiled: options.isProfiled });
  const shipments = await seed(world);
  const api = await world.startRole('api');
  const floor = await world.startFloor();
  const ours: Target = { process: api, basePath: BASE, headers: { 'x-api-key': world.apiKey } };
  const bare: Target = { process: floor, basePath: '', headers: {} };
  const agent = new Agent({ connections: CLIENTS, pipelining: 1 });
  const calls: Record<string, Call> = {
    'POST /orders, 2 items': { method: 'POST', paths: ['/orders'], body: ORDER },
    'GET /orders/{id}': { method: 'GET', paths: shipments.map(({ order_id }) => `/orders/${order_id}`) },
    'GET /shipment/{id}/tracking': { method: 'GET', paths: shipments.map(({ id }) => `/shipment/${id}/tracking`) },
  };
  const rows: Row[] = [];
  for (const [name, call] of Object.entries(calls)) {
    if (!name.includes(options.only)) continue;
    let turn = 0;
    const sendNext = (target: Target) =>
      send(agent, target, { ...call, path: call.paths[turn++ % call.paths.length] ?? '' });
    rows.push(await compare(world, options, { name, ours, bare, send: sendNext }));
  }
  await agent.close();
  return comparison('API', rows, [
    `${CLIENTS} clients in a closed loop against one api process without its limit of requests: ${options.rounds} rounds of ${options.seconds} s in turns with the floor. The database holds ${SEEDED} orders with shipments of ten events.`,
    'The floor is an Express handler in a process of its own. It validates the same body with the same zod schema, and writes or reads the same rows with one prepared statement.',
  ]);
}

async function seed(world: World): Promise<{ id: number; order_id: number }[]> {
  await using connection = await world.connect();
  const values = [world.companyId, world.contractId, SEEDED, ASKED_FOR];
  const shipments = await connection.query<{ id: number; order_id: number }>(WEEKS_OF_ORDERS, values);
  await connection.query('vacuum analyze', []);
  return shipments;
}

async function send(
  agent: Agent,
  { process, basePath, headers }: Target,
  { method, path, body }: Omit<Call, 'paths'> & { path: string },
): Promise<unknown> {
  const answer = await request(`${process.url}${basePath}${path}`, {
    dispatcher: agent,
    method,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  if (answer.statusCode >= 400) throw new Error(`${method} ${path} answered ${answer.statusCode}`);
  return answer.body.json();
}

async function compare(
  world: World,
  options: Options,
  one: {
    name: string;
    ours: Target;
    bare: Target;
    send: (target: Target) => Promise<unknown>;
  },
): Promise<Row> {
  const round = async (target: Target, seconds: number) => {
    const before = usedBy(world, target);
    const measured = await closedLoop({ clients: CLIENTS, seconds }, async () => void (await one.send(target)));
    const after = usedBy(world, target);
    const calls = measured.perSecond * seconds;
    return {
      ...measured,
      cpuMs: ((after.process - before.process) * 1000) / calls,
      databaseCpuMs: ((after.database - before.database) * 1000) / calls,
    };
  };
  options.progress(one.name, 0);
  for (const target of [one.bare, one.ours]) await round(target, 1); // warms caches and the compiler
  const rounds: Record<'ours' | 'bare', Awaited<ReturnType<typeof round>>[]> = { ours: [], bare: [] };
  for (let at = 0; at < options.rounds; at++) {
    rounds.bare.push(await round(one.bare, options.seconds));
    rounds.ours.push(await round(one.ours, options.seconds));
    options.progress(one.name, (at + 1) / options.rounds);
  }
  const middle = (side: 'ours' | 'bare', of: keyof Measured | 'cpuMs' | 'databaseCpuMs') =>
    median(rounds[side].map((each) => each[of]));
  return {
    name: one.name,
    perSecond: middle('ours', 'perSecond'),
    p50Ms: middle('ours', 'p50Ms'),
    p99Ms: middle('ours', 'p99Ms'),
    cpuMs: middle('ours', 'cpuMs'),
    databaseCpuMs: middle('ours', 'databaseCpuMs'),
    rssMb: rssMb(one.ours.process.pid),
    floor: {
      perSecond: middle('bare', 'perSecond'),
      p99Ms: middle('bare', 'p99Ms'),
      cpuMs: middle('bare', 'cpuMs'),
      databaseCpuMs: middle('bare', 'databaseCpuMs'),
    },
    goal: GOAL,
  };
}

function usedBy(world: World, { process }: Target): { process: number; database: number } {
  return {
    process: cpuSeconds(process.pid),
    database: world.postgresPid === null ? 0 : cpuSecondsOfTree(world.postgresPid),
  };
}
