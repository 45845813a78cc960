/** Events and reads of one company, alone and beside another that hangs or asks too much. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { buildOrder } from '../../test/support/build-order.ts';
import { digits, type Options, type Section, tableOf } from '../section.ts';
import { openWorld, type World } from '../world.ts';
import { BOOKINGS, countWaiting, measureSingleCalls, queueBookings, type SingleCalls } from './neighbours-work.ts';

const ENDPOINTS = 20;
const ENABLED_EVERY_MS = 2000;
const BATCHES = 300;
const BATCH = 5000;
const BATCHES_AT_ONCE = 20;
/** The first of ids that no order has. */
const UNKNOWN = 1_000_000_000;
const READ_EVERY_MS = 20;
const PATIENCE_MS = 120_000;
const GOAL_MS = 2000;
const GOAL_TIMES = 5;
const CALLS: readonly (readonly [keyof SingleCalls, string])[] = [
  ['create', 'POST /shipment/create'],
  ['checkAddress', 'POST /shipment/check-address'],
  ['cancel', 'DELETE /shipment/{id}'],
];

type Call = (method: string, path: string, body?: unknown) => Promise<Response>;

export async function benchNeighbours({ rounds, seconds, progress }: Options): Promise<Section> {
  await using world = await openWorld({ queue: 'postgres', isProfiled: false });
  const neighbour = await world.addCompany('vicina');
  const env = { EVENTS_ALLOW_PRIVATE: 'true' };
  const api = await world.startRole('api', env);
  await world.startRole('worker', env);
  await world.startRole('scheduler', env);
  const [noisy, quiet] = [callerOf(api.url, world.apiKey), callerOf(api.url, neighbour.apiKey)];

  progress('reads', 0);
  const readsAlone = await readFor(quiet, delay(seconds * 1000));
  const kept = await bytesKept(world);
  const refused = { count: 0 };
  const readsBeside = await readFor(quiet, sendBatches(noisy, refused));
  const grown = (await bytesKept(world)) - kept;
  progress('events', 0.5);
  const events = await measureEvents({ noisy, quiet, rounds });

  progress('single calls', 0.7);
  const callsAlone = await measureSingleCalls(quiet, rounds);
  await queueBookings(world, api);
  const callsBeside = await measureSingleCalls(quiet, rounds);
  const waiting = await countWaiting(world);
  if (waiting < BOOKINGS / 2) throw new Error(`Only ${waiting} bookings were left to wait behind`);

  const rows = [
    { name: 'event told, s', alone: events.alone / 1000, beside: events.beside / 1000 },
    { name: 'GET /orders, p50 ms', alone: at(readsAlone, 0.5), beside: at(readsBeside, 0.5) },
    { name: 'GET /orders, p99 ms', alone: at(readsAlone, 0.99), beside: at(readsBeside, 0.99) },
    ...CALLS.map(([key, name]) => ({ name: `${name}, p50 ms`, alone: callsAlone[key], beside: callsBeside[key] })),
  ];
  return {
    title: 'Neighbours',
    table: tableOf(
      ['Case', 'alone', 'beside another company'],
      rows.map(({ name, alone, beside }) => [name, digits(alone, 1), digits(beside, 1)]),
    ),
    notes: [
      `Events: the slowest of ${rounds} events of one company, beside ${ENDPOINTS} endpoints of another that never answer and are enabled again every ${ENABLED_EVERY_MS / 1000} s.`,
      `Reads: one every ${READ_EVERY_MS} ms, beside ${BATCHES} batches of ${BATCH} unknown orders, ${BATCHES_AT_ONCE} at a time, without a limit of points. ${readsBeside.failed} reads and ${refused.count} batches were refused; the tables of operations grew by ${digits(grown / 1e6, 1)} MB.`,
      `Single calls: one after the other, beside a carrier without delay, and with ${BOOKINGS} bookings of the other company in the same carrier's queue; ${waiting} of them still waited at the end. The goal is ${GOAL_MS / 1000} s or ${GOAL_TIMES} times what the call takes alone.`,
    ],
    ratios: [
      { name: 'event beside endpoints that hang', value: events.alone / events.beside, goal: null },
      {
        name: 'read beside batches of unknown orders',
        value: at(readsAlone, 0.5) / at(readsBeside, 0.5),
        goal: null,
      },
      ...CALLS.map(([key, name]) => ({
        name: `${name} behind ${BOOKINGS} bookings`,
        value: Math.max(GOAL_MS, GOAL_TIMES * callsAlone[key]) / callsBeside[key],
        goal: 1,
      })),
    ],
    data: { rows, waiting, failedReads: readsBeside.failed, refusedBatches: refused.count, grownBytes: grown },
  };
}

function callerOf(url: string, apiKey: string): Call {
  return async (method, path, body) => {
    const response = await fetch(`${url}/api/v1/external${path}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response;
  };
}

interface Reads {
  /** Milliseconds, sorted. */
  times: number[];
  failed: number;
}

function at({ times }: Reads, share: number): number {
  return times[Math.floor(times.length * share)] ?? Number.NaN;
}

/** Reads until the work beside it is done. */
async function readFor(call: Call, beside: Promise<unknown>): Promise<Reads> {
  let isOver = false;
  const ended = beside.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  let failed = 0;
  while (!isOver) {
    const started = performance.now();
    const answer = await call('GET', '/orders?limit=20');
    await answer.arrayBuffer();
    if (answer.ok) times.push(performance.now() - started);
    else failed += 1;
    await delay(READ_EVERY_MS);
  }
  await ended;
  return { times: times.toSorted((one, other) => one - other), failed };
}

async function sendBatches(call: Call, refused: { count: number }): Promise<void> {
  let next = 0;
  const send = async (): Promise<void> => {
    while (next < BATCHES) {
      const first = UNKNOWN + next++ * BATCH;
      const answer = await call(
        'POST',
        '/shipment/create',
        Array.from({ length: BATCH }, (_, index) => ({ orderId: first + index })),
      );
      await answer.arrayBuffer();
      if (!answer.ok) refused.count += 1;
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, send));
}

async function bytesKept(world: World): Promise<number> {
  await using connection = await world.connect();
  const [row] = await connection.query<{ bytes: string }>(
    `select pg_total_relation_size('operations') + pg_total_relation_size('operation_items') as bytes`,
    [],
  );
  return Number(row?.bytes ?? 0);
}

async function measureEvents({ noisy, quiet, rounds }: { noisy: Call; quiet: Call; rounds: number }) {
  let told = 0;
  const healthy = await listen((done) => {
    told += 1;
    done();
  });
  const hanging = await listen(() => undefined);
  try {
    await quiet('POST', '/event-endpoints', { url: urlOf(healthy) });
    const slowest = async (): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) times.push(await timeToTell(quiet, () => told));
      return Math.max(...times);
    };
    await timeToTell(quiet, () => told); // the worker looks for new endpoints every five seconds
    const alone = await slowest();
    const ids: number[] = [];
    for (let count = 0; count < ENDPOINTS; count++) {
      const made = await noisy('POST', '/event-endpoints', { url: urlOf(hanging) });
      ids.push(((await made.json()) as { id: number }).id);
    }
    await noisy('POST', '/orders', buildOrder());
    const enableAll = (): void => {
      for (const id of ids) noisy('POST', `/event-endpoints/${id}/enable`, {}).catch(() => undefined);
    };
    const timer = setInterval(enableAll, ENABLED_EVERY_MS);
    const beside = await slowest();
    clearInterval(timer);
    return { alone, beside };
  } finally {
    for (const server of [healthy, hanging]) {
      server.closeAllConnections();
      server.close();
    }
  }
}

async function timeToTell(call: Call, told: () => number): Promise<number> {
  const before = told();
  const started = performance.now();
  const made = await call('POST', '/orders', buildOrder());
  if (!made.ok) throw new Error(`The order was refused: ${await made.text()}`);
  while (told() === before) {
    if (performance.now() - started > PATIENCE_MS) throw new Error('The event was not told');
    await delay(5);
  }
  return performance.now() - started;
}

/** Starts a receiver of events that answers 204 when its handler is done. */
async function listen(handle: (done: () => void) => void): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.on('error', () => undefined);
    handle(() => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
