import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { Exchange, Order, Shipment, ShipmentAttempt } from '../../src/db/entities/index.ts';
import { type Em, systemEm } from '../../src/db/orm.ts';
import type { Deps, JobContext } from '../../src/engine/deps.ts';
import type { JobRequest } from '../../src/queue/jobs.ts';
import { buildOrder, buildOrderTo } from '../support/build-order.ts';
import type { TestApp } from '../support/test-app.ts';

export type { Deps };

const decompress = promisify(zstdDecompress);
const MINUTE_MS = 60_000;

/** What a worker hands to a use-case. */
export function jobContext(overrides: Partial<JobContext> = {}): JobContext {
  return {
    requestId: 'test',
    signal: new AbortController().signal,
    isLastTry: false,
    endTurn: () => undefined,
    ...overrides,
  };
}

export function database(test: TestApp): Em {
  return systemEm(test.app.deps.orm);
}

/** The same dependencies with a queue that keeps what it was given, and a clock that is ahead. */
export function recordingDeps(test: TestApp, aheadMinutes = 0): { deps: Deps; jobs: JobRequest[] } {
  const jobs: JobRequest[] = [];
  const keep = async (_queue: string, added: readonly JobRequest[]): Promise<void> => void jobs.push(...added);
  const deps: Deps = {
    ...test.app.deps,
    queues: { add: keep, revive: keep },
    now: () => new Date(Date.now() + aheadMinutes * MINUTE_MS),
  };
  return { deps, jobs };
}

export interface OrderedShipment {
  orderId: number;
  shipmentId: number;
  reference: string;
}

export async function createOrder(test: TestApp, overrides: Record<string, unknown> = {}): Promise<number> {
  const { status, body } = await test.call('POST', '/orders', buildOrder(overrides));
  if (status !== 201) throw new Error(`The order was refused: ${JSON.stringify(body)}`);
  return body.order.id;
}

/** An order whose shipment is asked for; without a worker it stays queued. */
export async function orderShipment(
  test: TestApp,
  order: { address?: string; overrides?: Record<string, unknown> } = {},
): Promise<OrderedShipment> {
  const { body } = await test.call(
    'POST',
    '/orders',
    buildOrderTo(order.address ?? 'Via Torino, 5', order.overrides ?? {}),
  );
  const orderId: number = body.order.id;
  await test.call('POST', '/shipment/create', [{ orderId }], { prefer: 'respond-async' });
  const shipment = await database(test).findOneOrFail(Shipment, { orderId });
  return { orderId, shipmentId: shipment.id, reference: shipment.reference ?? '' };
}

export async function readShipment(test: TestApp, shipmentId: number): Promise<Shipment> {
  return database(test).findOneOrFail(Shipment, shipmentId);
}

export async function readOrderRow(test: TestApp, orderId: number): Promise<Order> {
  return database(test).findOneOrFail(Order, orderId);
}

/** Operation and outcome of every attempt, oldest first. */
export async function attemptsOf(test: TestApp, shipmentId: number): Promise<string[]> {
  const rows = await database(test).find(ShipmentAttempt, { shipmentId }, { orderBy: { id: 'asc' } });
  return rows.map((row) => `${row.operation} ${row.outcome}`);
}

/** How often an operation of a partner was called for a shipment, whatever came of it. */
export async function countCalls(test: TestApp, shipmentId: number, operation: string): Promise<number> {
  return database(test).count(Exchange, { shipmentId, operation });
}

export interface ReadExchange {
  row: Exchange;
  request: string;
  response: string;
}

/** Every exchange, or those of some shipments. */
export async function readExchanges(test: TestApp, shipmentIds?: readonly number[]): Promise<ReadExchange[]> {
  const which = shipmentIds ? { shipmentId: { $in: [...shipmentIds] } } : {};
  const rows = await database(test).find(Exchange, which, { orderBy: { id: 'asc' } });
  return Promise.all(
    rows.map(async (row) => ({
      row,
      ...JSON.parse((await decompress(row.bodies ?? Buffer.alloc(0))).toString('utf8')),
    })),
  );
}

/** The status and message of the latest operation item about an order. */
export async function lastItem(
  test: TestApp,
  orderId: number,
): Promise<{ id: number; status: string; message: string }> {
  const [row] = await database(test).execute<{ id: number; status: string; message: string }[]>(
    'select id, status, message from operation_items where order_id = ? order by id desc limit 1',
    [orderId],
  );
  if (!row) throw new Error(`Nobody asked for order ${orderId}`);
  return row;
}

/** Waits until `count` statements of this database wait for a lock. */
export async function waitForLocks(test: TestApp, count: number): Promise<void> {
  await test.until(
    () =>
      database(test).execute(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    (rows) => rows.length >= count,
  );
}

/** Returns all shipments of an order, the oldest first. */
export async function shipmentsOf(test: TestApp, orderId: number): Promise<Shipment[]> {
  return database(test).find(Shipment, { orderId }, { orderBy: { id: 'asc' } });
}

/** Returns how many labels GLS counts as sold, per shipment of the order. */
export async function labelsSold(test: TestApp, orderId: number): Promise<number[]> {
  const entries = await Promise.all(
    (await shipmentsOf(test, orderId)).map(({ reference }) => test.ledger('gls-it', reference ?? '')),
  );
  return entries.map((entry) => entry?.labelsSold ?? 0);
}
