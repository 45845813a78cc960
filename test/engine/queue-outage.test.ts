import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/embedded/postgres.ts';
import { type Log, silentLog } from '../../src/lib/log.ts';
import { createQueueSystem, migrateQueue, type QueueSystem, type RunningWorker } from '../../src/queue/queue-system.ts';

const QUEUE = 'carrier-x';
/** Without our own pauses BullMQ would stand still for fifteen seconds. */
const SOON = { timeout: 8000, interval: 50 };

describe('a worker on PostgreSQL', () => {
  let directory: string;
  let postgres: EmbeddedPostgres;
  let queues: QueueSystem;
  let worker: RunningWorker;
  let next = 1;
  const done: string[] = [];
  const warn = vi.fn();

  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'smista-outage-'));
    postgres = await startEmbeddedPostgres({ directory: path.join(directory, 'postgres'), password: 'test' });
    await migrateQueue(postgres.url);
    queues = createQueueSystem({
      databaseUrl: postgres.url,
      redisUrl: undefined,
      poolSize: 5,
      retryAttempts: 3,
      retryBaseMs: 10,
      jobLockMs: 60_000,
      log: { ...silentLog, warn } as unknown as Log,
    });
    worker = queues.work(QUEUE, async ({ id }) => void done.push(id), { concurrency: 2 });
    await worker.started;
    await isWorking();
  });
  afterAll(async () => {
    await worker.close();
    await queues.close();
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** A new job is added as soon as that is possible, and done soon. */
  async function isWorking(): Promise<void> {
    const id = `book-${next++}`;
    await vi.waitFor(() => queues.add(QUEUE, [{ name: 'book', id, payload: { shipmentId: 1 } }]), SOON);
    await vi.waitFor(() => expect(done).toContain(id), SOON);
  }

  it('goes on within seconds after its database crashed and came back', async () => {
    await postgres.crash();

    await isWorking();
  });

  it('waits for tables that were dropped, without asking all the time, and goes on when they are made again', async () => {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    warn.mockClear();

    await client.query('drop schema bullmq cascade');
    await vi.waitFor(() => expect(warn).toHaveBeenCalled(), SOON);
    await new Promise((resolve) => setTimeout(resolve, 1500)); // what is looked at is how often something happens
    const complaints = warn.mock.calls.length;
    await migrateQueue(postgres.url);
    await client.end();

    await isWorking();
    expect(complaints).toBeLessThan(15);
  });
});
