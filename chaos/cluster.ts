import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../src/embedded/postgres.ts';
import { freePort } from '../src/lib/free-port.ts';
import { type Company, execute, makeCompanies } from './companies.ts';
import { EVENT_SECRET } from './receiver.ts';
import { startRedis } from './redis.ts';
import { Role } from './role.ts';

export type QueueEngine = 'redis' | 'postgres';

export interface ClusterOptions {
  queue: QueueEngine;
  companies: number;
  /** Where events are sent to. */
  receiverUrl: string;
  apis: number;
  workers: number;
  schedulers: number;
  keep: boolean;
}

/** The product as in production, on engines of its own, beside pretend partners that are never hurt: they are the judges. */
export interface Cluster {
  companies: Company[];
  apiUrls: string[];
  sandboxUrl: string;
  databaseUrl: string;
  directory: string;
  apis: Role[];
  workers: Role[];
  schedulers: Role[];
  /** For what the harness itself does with the product's code. */
  env: Record<string, string>;
  restartPostgres(mode: 'fast' | 'immediate'): Promise<void>;
  /** Null without Redis. */
  redis: { crash(): Promise<void>; flush(): Promise<void> } | null;
  /** Drops the tables of the queue and makes them again. Null with Redis. */
  dropQueue: (() => Promise<void>) | null;
  stop(): Promise<void>;
}

/** A call that the worker has lost sight of may be worked on by the carrier for this long. */
export const SETTLING_MS = 4000;
export const CALL_LIMIT_MS = 6000;
const MAX_CONNECTIONS = 400;

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  await using stack = new AsyncDisposableStack();
  const directory = mkdtempSync(path.join(tmpdir(), 'smista-chaos-run-'));
  if (!options.keep) stack.defer(() => rmSync(directory, { recursive: true, force: true }));
  mkdirSync(path.join(directory, 'logs'));
  const postgres = await startEmbeddedPostgres({
    directory: path.join(directory, 'postgres'),
    password: 'chaos',
    maxConnections: MAX_CONNECTIONS,
  });
  stack.defer(() => postgres.stop());
  const redis = options.queue === 'redis' ? await startRedis() : null;
  if (redis) stack.defer(() => redis.stop());

  const env = environment({ directory, databaseUrl: postgres.url, redisUrl: redis?.url });
  const make = (name: string, args: string[], ready: RegExp, own: Record<string, string> = {}): Role => {
    const logFile = path.join(directory, 'logs', `${name}.log`);
    const role = new Role({ name, args, env: { ...env, ...own }, logFile, ready });
    stack.defer(() => role.stop());
    return role;
  };
  const sandbox = make('sandbox', ['sandbox', '--port', '0'], /The sandbox is ready at (http:\S+);/);
  const [, sandboxUrl = ''] = await sandbox.start();
  const { companies: count, receiverUrl } = options;
  const companies = await makeCompanies(env, { count, sandboxUrl, receiverUrl, secret: EVENT_SECRET });

  const ready = /"msg":"ready"/;
  const many = (count: number, role: string): Role[] =>
    Array.from({ length: count }, (_, index) => make(`${role}-${index + 1}`, ['start', '--role', role], ready));
  const ports = await Promise.all(Array.from({ length: options.apis }, freePort));
  const apis = ports.map((port, index) =>
    make(`api-${index + 1}`, ['start', '--role', 'api'], ready, { PORT: String(port) }),
  );
  const workers = many(options.workers, 'worker');
  const schedulers = many(options.schedulers, 'scheduler');
  await Promise.all([...apis, ...workers, ...schedulers].map((role) => role.start()));

  const running = stack.move();
  return {
    companies,
    apiUrls: ports.map((port) => `http://127.0.0.1:${port}`),
    sandboxUrl,
    databaseUrl: postgres.url,
    directory,
    apis,
    workers,
    schedulers,
    env,
    restartPostgres: (mode) => postgres.restart(mode),
    redis,
    dropQueue: redis ? null : () => dropQueue(postgres.url, env),
    stop: () => running.disposeAsync(),
  };
}

function environment(where: {
  directory: string;
  databaseUrl: string;
  redisUrl: string | undefined;
}): Record<string, string> {
  return {
    DATABASE_URL: where.databaseUrl,
    ...(where.redisUrl ? { REDIS_URL: where.redisUrl } : {}),
    DATA_DIR: where.directory,
    NODE_COMPILE_CACHE: path.join(tmpdir(), 'node-compile-cache'),
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ADMIN_PASSWORD: 'not-used-here',
    PORT: '0',
    SANDBOX: 'false',
    LOG_LEVEL: 'info',
    DATABASE_POOL: '6',
    QUEUE_POOL: '8',
    WORKER_CONCURRENCY: '6',
    WAIT_SECONDS: '5',
    RATE_LIMIT_PER_MINUTE: '0',
    RETRY_BASE_MS: '200',
    CALL_LIMIT_SECONDS: String(CALL_LIMIT_MS / 1000),
    JOB_LOCK_SECONDS: '4',
    SETTLING_SECONDS: String(SETTLING_MS / 1000),
    TRACKING_INTERVAL_MINUTES: '1',
    IMPORT_INTERVAL_MINUTES: '1',
    EVENTS_ALLOW_PRIVATE: 'true',
    EVENTS_TIMEOUT_SECONDS: '3',
    SHUTDOWN_SECONDS: '5',
  };
}

/** Drops the queue's tables and migrates them again, which is how an operator repairs them. */
async function dropQueue(databaseUrl: string, env: Record<string, string>): Promise<void> {
  await execute(databaseUrl, 'drop schema if exists bullmq cascade');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { PATH = '', HOME = '' } = process.env;
  const main = path.join(import.meta.dirname, '../src/main.ts');
  const child = spawn(process.execPath, [main, 'migrate'], {
    env: { PATH, HOME, ENV_FILE: '/dev/null', ...env },
    stdio: 'ignore',
  });
  child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`migrate ended with ${code}`))));
  await promise;
}
