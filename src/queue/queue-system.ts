import { setTimeout as delay } from 'node:timers/promises';
import {
  assertSchemaCompatibility,
  createPostgresBackend,
  type Job,
  Queue,
  runMigrations,
  UnrecoverableError,
  Worker,
  withBackend,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Log } from '../lib/log.ts';
import { isPolling, type JobRequest } from './jobs.ts';

/** The PostgreSQL schema, or the Redis key prefix, that BullMQ lives in. */
const NAMESPACE = 'bullmq';
const FAILED_JOBS_KEPT_SECONDS = 30 * 24 * 3600;
const POLLING_ATTEMPTS = 3;
const POLLING_FAILURES_KEPT = 200;
const MAX_BACKOFF_MS = 300_000;
const ADD_TIMEOUT_MS = 5000;
/** Writing thousands at once would keep the process from everything else for a tenth of a second. */
const ADDED_AT_ONCE = 200;
/** BullMQ stands still for 15 seconds after a lost connection unless told otherwise. */
const RECONNECT_MS = 1000;

export interface QueueOptions {
  databaseUrl: string;
  redisUrl: string | undefined;
  /** Connections for a queue in PostgreSQL, beside the one that each worker listens with. */
  poolSize: number;
  retryAttempts: number;
  retryBaseMs: number;
  /** A job that its worker did not hold on to for this long goes to another worker. */
  jobLockMs: number;
  /** A job that failed, and whose work is still open, is tried again after this. */
  reviveAfterMs: number;
  log: Log;
  /** Redis only: keeps test files apart. */
  prefix?: string;
}

export interface ReceivedJob {
  id: string;
  name: string;
  data: unknown;
  /** True when a failure now is the last one. */
  isLastTry: boolean;
}

/** Asks the queue to try again, after the pause the partner asked for. */
export class RetryLater extends Error {
  readonly afterMs: number | undefined;

  constructor(message: string, afterMs?: number) {
    super(message);
    this.name = 'RetryLater';
    this.afterMs = afterMs;
  }
}

export interface WorkOptions {
  concurrency: number;
  limiter?: { max: number; duration: number };
}

/** A running worker; `close` waits for the jobs in flight. */
export interface RunningWorker {
  /** Rejects when the queue could not be reached: close this one and open another later. */
  started: Promise<void>;
  close(force?: boolean): Promise<void>;
}

/** The queue, on Redis or in PostgreSQL; the rest of the code cannot tell which. */
export interface QueueSystem {
  readonly backend: 'redis' | 'postgres';
  /** Adds jobs in one round trip. Throws when the queue cannot be reached: the rows stay, and the sweep adds them later. */
  add(queueName: string, jobs: readonly JobRequest[]): Promise<void>;
  /**
   * As `add`, for work that its rows say is open. A job of that id that failed for a reason of ours (the database was away) would
   * keep it out for as long as it is kept for people to see, so that one is tried again, at most every `reviveAfterMs`.
   */
  revive(queueName: string, jobs: readonly JobRequest[]): Promise<void>;
  work(queueName: string, run: (job: ReceivedJob) => Promise<void>, options: WorkOptions): RunningWorker;
  /** For Bull Board. */
  queue(queueName: string): Queue;
  openQueues(): Queue[];
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Throws when BullMQ's tables are not there or of another release. */
export async function requireQueueMigrated(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await assertSchemaCompatibility(client, NAMESPACE);
  } finally {
    await client.end();
  }
}

/** Creates BullMQ's tables; harmless to repeat. Only for the queue in PostgreSQL. */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await runMigrations(client, NAMESPACE);
  } finally {
    await client.end();
  }
}

/** What the two backends have in common: how to make a queue and a worker, and how to end. */
interface Backend {
  makeQueue(name: string): Queue;
  makeWorker(name: string, processor: (job: Job) => Promise<void>, options: WorkOptions): Worker;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export function createQueueSystem(options: QueueOptions): QueueSystem {
  const backend = options.redisUrl ? redisBackend(options, options.redisUrl) : postgresBackend(options);
  const queues = new Map<string, Queue>();
  const queueOf = (name: string): Queue => {
    let queue = queues.get(name);
    if (!queue) {
      queue = backend.makeQueue(name);
      queue.on('error', (err: Error) => options.log.warn({ err, queue: name }, 'queue connection failed'));
      queues.set(name, queue);
      const made = queue;
      // One that was made while Redis was away never recovers: the next use makes another.
      made.waitUntilReady().catch(() => {
        if (queues.get(name) === made) queues.delete(name);
        made.close().catch(() => undefined);
      });
    }
    return queue;
  };
  const jobOptions = {
    attempts: options.retryAttempts,
    backoff: { type: 'partner' },
    removeOnComplete: true,
    removeOnFail: { age: FAILED_JOBS_KEPT_SECONDS },
    stackTraceLimit: 5,
  };
  // The next tick asks again anyway: an outage must not fill the failed set.
  const pollingOptions = {
    ...jobOptions,
    attempts: Math.min(POLLING_ATTEMPTS, options.retryAttempts),
    removeOnFail: { count: POLLING_FAILURES_KEPT },
  };

  const addTogether: QueueSystem['add'] = async (queueName, jobs) => {
    const adding = queueOf(queueName).addBulk(
      jobs.map(({ name, id, payload, delayMs }) => ({
        name,
        data: payload,
        opts: {
          ...(isPolling(name) ? pollingOptions : jobOptions),
          jobId: id,
          ...(delayMs ? { delay: delayMs } : {}),
        },
      })),
    );
    await withTimeout(adding, ADD_TIMEOUT_MS, `The queue ${queueName} does not answer`);
  };
  const add: QueueSystem['add'] = async (queueName, jobs) => {
    for (let at = 0; at < jobs.length; at += ADDED_AT_ONCE) {
      await addTogether(queueName, jobs.slice(at, at + ADDED_AT_ONCE));
    }
  };

  return {
    backend: options.redisUrl ? 'redis' : 'postgres',
    queue: queueOf,
    openQueues: () => [...queues.values()],
    ping: () => backend.ping(),
    add,
    async revive(queueName, jobs) {
      await add(queueName, jobs);
      const queue = queueOf(queueName);
      for (const { id } of jobs) {
        const job = await queue.getJob(id);
        if (!job?.finishedOn || Date.now() - job.finishedOn < options.reviveAfterMs) continue;
        if (await job.isFailed()) await job.retry('failed', { resetAttemptsMade: true });
      }
    },
    work(queueName, run, workOptions) {
      const worker = backend.makeWorker(
        queueName,
        (job) =>
          run({
            id: job.id ?? '',
            name: job.name,
            data: job.data,
            isLastTry: job.attemptsMade + 1 >= (job.opts.attempts ?? 1),
          }),
        workOptions,
      );
      worker.on('error', (err: Error) => options.log.warn({ err, queue: queueName }, 'worker connection failed'));
      // One that was opened while its database was away never recovers, and would not pause either: it is closed at once.
      const started = worker.waitUntilReady().then(
        () => undefined,
        (err) => {
          worker.close(true).catch(() => undefined);
          throw err;
        },
      );
      return { started, close: (force) => worker.close(force) };
    },
    async close() {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
      await backend.close();
    },
  };
}

/** Tells the queue never to try this job again by itself; a person still may, from Bull Board. */
export function giveUp(message: string): Error {
  return new UnrecoverableError(message);
}

export function isGivenUp(error: Error): boolean {
  return error instanceof UnrecoverableError;
}

/** Doubling pauses with full jitter; a partner's Retry-After is a floor. */
export function backoffMs(attemptsMade: number, error: unknown, baseMs: number): number {
  const ceiling = Math.min(MAX_BACKOFF_MS, baseMs * 2 ** Math.max(0, attemptsMade - 1));
  const jittered = ceiling / 2 + Math.random() * (ceiling / 2);
  const asked = error instanceof RetryLater ? (error.afterMs ?? 0) : 0;
  return Math.round(Math.max(jittered, asked));
}

function workerOptions(options: QueueOptions, work: WorkOptions) {
  return {
    concurrency: work.concurrency,
    ...(work.limiter ? { limiter: work.limiter } : {}),
    lockDuration: options.jobLockMs,
    stalledInterval: options.jobLockMs / 2,
    runRetryDelay: RECONNECT_MS,
    // A worker that dies again and again under a job is more likely killed than poisoned: rows say what may be repeated.
    maxStalledCount: 20,
    settings: {
      backoffStrategy: (attemptsMade: number, _type?: string, error?: Error) =>
        backoffMs(attemptsMade, error, options.retryBaseMs),
    },
  };
}

function postgresBackend(options: QueueOptions): Backend {
  // BullMQ builds its own pool only under CommonJS; ours also keeps the number of connections in one place.
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: options.poolSize,
    options: `-c search_path=${NAMESPACE}`,
    keepAlive: true,
    application_name: 'smista-queue',
    connectionTimeoutMillis: 10_000,
  });
  pool.on('error', (err) => options.log.warn({ err }, 'queue database connection lost'));
  pool.setMaxListeners(0); // every queue and every worker adds one
  const classes = withBackend(createPostgresBackend);
  /** A database that is starting up, or has lost its tables, answers at once: BullMQ would ask hundreds of times a second. */
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
      // It keeps one to listen with, whatever the size of the pool: ten carriers must not leave nothing to work with.
      pool.options.max += 1;
      worker.once('closed', () => {
        pool.options.max -= 1;
      });
      return worker as unknown as Worker;
    },
    ping: async () => void (await assertSchemaCompatibility(pool, NAMESPACE)),
    close: () => pool.end(),
  };
}

function redisBackend(options: QueueOptions, redisUrl: string): Backend {
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

async function withTimeout<Value>(promise: Promise<Value>, ms: number, message: string): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(message)), ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
