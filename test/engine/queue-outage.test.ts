import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../src/lib/free-port.ts';
import { type Log, silentLog } from '../../src/lib/log.ts';
import { migrateQueue } from '../../src/queue/backends.ts';
import { createQueueSystem, type QueueSystem, type RunningWorker } from '../../src/queue/queue-system.ts';
import { cloneDatabase, type TestDatabase } from '../support/test-database.ts';

const QUEUE = 'carrier-x';
const OUTAGE_MS = 1500;
/** Without our own pauses BullMQ would stand still for fifteen seconds. */
const SOON = { timeout: 8000, interval: 50 };

describe('a worker on PostgreSQL', () => {
  let database: TestDatabase;
  let way: Way;
  let queues: QueueSystem;
  let worker: RunningWorker;
  let next = 1;
  const done: string[] = [];
  const warn = vi.fn();

  beforeAll(async () => {
    database = await cloneDatabase();
    const direct = new URL(database.url);
    way = await openWay(Number(direct.port));
    const databaseUrl = Object.assign(new URL(direct), { port: String(way.port) }).href;
    queues = createQueueSystem({
      databaseUrl,
      redisUrl: undefined,
      poolSize: 5,
      retryAttempts: 3,
      retryBaseMs: 10,
      jobLockMs: 60_000,
      reviveAfterMs: 600_000,
      log: { ...silentLog, warn } as unknown as Log,
    });
    worker = queues.work(
      QUEUE,
      async ({ id }) => {
        await delay(20);
        done.push(id);
      },
      { concurrency: 2 },
    );
    await worker.started;
    await isWorking();
  });
  afterAll(async () => {
    await worker.close();
    await queues.close();
    await way.close();
    await database.drop();
  });

  const job = (id: string) => ({ name: 'book' as const, id, companyId: 1, payload: { shipmentId: 1 } });

  /** A new job is added as soon as that is possible, and done soon. */
  async function isWorking(): Promise<void> {
    const id = `book-${next++}`;
    await vi.waitFor(() => queues.add(QUEUE, [job(id)]), SOON);
    await vi.waitFor(() => expect(done).toContain(id), SOON);
  }

  /** More work than can be done soon, and the first of it is done. */
  async function fill(name: string): Promise<void> {
    const many = Array.from({ length: 500 }, (_, index) => `book-${name}-${index}`);
    await queues.add(QUEUE, many.map(job));
    await vi.waitFor(() => expect(done).toContain(many[0]), SOON);
  }

  it('goes on within seconds after its database went away under its work and came back', async () => {
    await fill('first');

    await way.close();
    await delay(OUTAGE_MS);
    const before = done.length;
    await way.open();

    await vi.waitFor(() => expect(done.length).toBeGreaterThan(before + 5), SOON);
    await queues.queue(QUEUE).drain();
    await isWorking();
  });

  it('waits for tables that were dropped without asking all the time, and goes on when they are there again', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await fill('second');
    warn.mockClear();

    await dropTables(client);
    await vi.waitFor(() => expect(warn).toHaveBeenCalled(), SOON);
    await delay(OUTAGE_MS);
    const complaints = warn.mock.calls.length;
    await migrateQueue(database.url);
    await client.end();

    await isWorking();
    expect(complaints).toBeLessThan(15);
  });
});

/** While workers use them, PostgreSQL may choose us to break a deadlock. */
async function dropTables(client: pg.Client): Promise<void> {
  for (;;) {
    try {
      await client.query('drop schema bullmq cascade');
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '40P01') throw error;
    }
  }
}

interface Way {
  port: number;
  open(): Promise<void>;
  close(): Promise<void>;
}

/** A way to a local port that can be closed, so that connections break and new ones are refused, and opened again. */
async function openWay(to: number): Promise<Way> {
  const port = await freePort();
  const sockets = new Set<Socket>();
  let server: Server;
  const way: Way = {
    port,
    open: async () => {
      server = createServer((near) => {
        const far = connect(to, '127.0.0.1');
        for (const [one, other] of [
          [near, far],
          [far, near],
        ] as const) {
          sockets.add(one);
          one.on('error', () => other.destroy());
          one.on('close', () => other.destroy());
          one.pipe(other);
        }
      });
      const { promise, resolve } = Promise.withResolvers<void>();
      server.listen(port, '127.0.0.1', resolve);
      await promise;
    },
    close: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      await promise;
    },
  };
  await way.open();
  return way;
}
