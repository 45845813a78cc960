import { setTimeout as delay } from 'node:timers/promises';
import {
  assertSchemaCompatibility,
  createPostgresBackend,
  type Job,
  Queue,
  runMigrations,
  Worker,
  withBackend,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Log } from '../lib/log.ts';
import { withClient } from '../lib/with-client.ts';
import { backoffMs } from './retry.ts';

/** PostgreSQL schema or Redis key prefix of BullMQ. */
const NAMESPACE = 'bullmq';
/** Milliseconds. BullMQ's default pauses for 15 seconds after a lost connection. */
const RECONNECT_MS = 1000;

export interface QueueOptions {
  databaseUrl: string;
  redisUrl: string | undefined;
  /** Connections of a queue in PostgreSQL. Each worker adds one to listen with. */
  poolSize: number;
  retryAttempts: number;
  retryBaseMs: number;
  /** Seconds. A job whose lock was not renewed for this long goes to another worker. */
  jobLockMs: number;
  /** Milliseconds until a failed job whose work is still open is retried. */
  reviveAfterMs: number;
  /** Returns the turns per round of a company, 1 to 10; absent: every company has one. */
  shareOf?: (companyId: number) => Promise<number>;
  log: Log;
  /** Redis only: isolates test files from each other. */
  prefix?: string;
}

export interface WorkOptions {
  concurrency: number;
  limiter?: { max: number; duration: number };
}

/** The parts that differ between Redis and PostgreSQL. */
interface Backend {
  makeQueue(name: string): Queue;
  makeWorker(name: string, processor: (job: Job) => Promise<void>, options: WorkOptions): Worker;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Throws when BullMQ's tables are missing or belong to another release. */
export async function requireQueueMigrated(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) => assertSchemaCompatibility(client, NAMESPACE));
}

/** Creates BullMQ's tables. Idempotent. Only for the queue in PostgreSQL. */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) => runMigrations(client, NAMESPACE));
}

function workerOptions(options: QueueOptions, work: WorkOptions) {
  return {
    concurrency: work.concurrency,
    ...(work.limiter ? { limiter: work.limiter } : {}),
    lockDuration: options.jobLockMs,
    stalledInterval: options.jobLockMs / 2,
    runRetryDelay: RECONNECT_MS,
    // A worker that dies repeatedly under a job was more likely killed than poisoned. The rows say which work may be
    // repeated.
    maxStalledCount: 20,
    settings: {
      backoffStrategy: (attemptsMade: number, _type?: string, error?: Error) =>
        backoffMs(attemptsMade, error, options.retryBaseMs),
    },
  };
}

export function postgresBackend(options: QueueOptions): Backend {
  // BullMQ builds its own pool only under CommonJS. Our pool also limits the connections in one place.
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: options.poolSize,
    options: `-c search_path=${NAMESPACE}`,
    keepAlive: true,
    application_name: 'smista-queue',
    connectionTimeoutMillis: 10_000,
  });
  let isClosing = false;
  pool.on('error', () => undefined); // the client itself reports it
  // BullMQ checks clients out for its transactions, and the pool does not listen to a client that is out. An error
  // event without a listener ends the process.
  pool.on('connect', (client) => {
    client.on('error', (err) => {
      // `pool.end` does not wait for the server's last message. A database that stops right after it still sends 57P01.
      if (!isClosing) options.log.warn({ err }, 'queue database connection lost');
    });
  });
  pool.setMaxListeners(0); // every queue and every worker adds a listener
  const classes = withBackend(createPostgresBackend);
  /**
   * Pauses after each failed fetch. A database that starts up, or has lost its tables, fails at once, and BullMQ would
   * ask hundreds of times a second.
   */
  class PatientWorker extends classes.Worker {
    protected override async moveToActive(token: string, name?: string) {
      try {
        return await super.moveToActive(token, name);
      } catch (error) {
        await delay(RECONNECT_MS);
        throw error;
      }
    }
  }
  return {
    makeQueue: (name) => new classes.Queue(name, { connection: pool as never }) as unknown as Queue,
    makeWorker(name, processor, work) {
      const worker = new PatientWorker(name, processor, { connection: pool as never, ...workerOptions(options, work) });
      // Each worker keeps one connection to listen with, whatever the pool's size. Ten carriers must leave connections
      // to work with.
      pool.options.max += 1;
      worker.once('closed', () => {
        pool.options.max -= 1;
      });
      return worker as unknown as Worker;
    },
    ping: async () => void (await assertSchemaCompatibility(pool, NAMESPACE)),
    close: () => {
      isClosing = true;
      return pool.end();
    },
  };
}

export function redisBackend(options: QueueOptions, redisUrl: string): Backend {
  const prefix = options.prefix ?? NAMESPACE;
  // A producer must fail fast when Redis is away; a worker must wait for it to come back.
  const producer = new Redis(redisUrl, { maxRetriesPerRequest: null, enableOfflineQueue: false });
  const consumer = new Redis(redisUrl, { maxRetriesPerRequest: null });
  for (const connection of [producer, consumer]) {
    connection.on('error', (err) => options.log.warn({ err }, 'redis connection failed'));
  }
  return {
    makeQueue: (name) => new Queue(name, { connection: producer, prefix, skipWaitingForReady: true }),
    makeWorker: (name, processor, work) =>
      new Worker(name, processor, { connection: consumer, prefix, ...workerOptions(options, work) }),
    ping: async () => void (await producer.ping()),
    close: async () => {
      producer.disconnect();
      consumer.disconnect();
    },
  };
}
