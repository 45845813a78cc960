import path from 'node:path';
import { Redis } from 'ioredis';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { type BoardQueue, boardRouter } from './api/board.ts';
import type { FrontDoor } from './api/front-door.ts';
import { createHealth } from './api/health.ts';
import { personOf } from './api/http/login.ts';
import { Permits } from './api/http/permits.ts';
import { Points } from './api/http/points.ts';
import { createGuards } from './api/http/secret-guard.ts';
import { createMetrics, type Metrics } from './api/metrics.ts';
import { OPERATION_BODIES } from './api/routes/operation-bodies.ts';
import { createApi } from './api/server.ts';
import { type Config, isLoopback, type Role, shownHost, VERSION } from './config.ts';
import { type Core, type CoreOptions, openCore } from './core.ts';
import { Notifications } from './db/notifications.ts';
import { OperationListener } from './db/operation-listener.ts';
import { systemEm } from './db/orm.ts';
import { RowCache, RowChanges } from './db/row-cache.ts';
import { readSecrets, requireFreeDataDir } from './embedded/data-dir.ts';
import type { Deps } from './engine/deps.ts';
import { readCompany } from './engine/find.ts';
import { createIdempotencyStore } from './engine/idempotency.ts';
import { describeFullDisk } from './lib/disk-full.ts';
import { UsageError } from './lib/errors.ts';
import { createIdentityProvider } from './lib/identity-provider.ts';
import type { Log } from './lib/log.ts';
import { Shutdown } from './lib/shutdown.ts';
import { loadSandbox } from './load-sandbox.ts';
import { named, openDoor, urlOf } from './open-door.ts';
import { jobTitle } from './queue/job-title.ts';
import type { QueueSystem } from './queue/queue-system.ts';
import { Election } from './scheduler/election.ts';
import { Scheduler } from './scheduler/scheduler.ts';
import { EventFollowers } from './usecases/events/follow-events.ts';
import { countOpenWork } from './usecases/partners/list-partners.ts';
import { readSession } from './usecases/people/sessions.ts';
import { authenticate, readKey } from './usecases/setup/api-keys.ts';
import { queueTable, WorkerPool } from './workers/worker-pool.ts';

export interface AppOptions extends CoreOptions {
  roles: readonly Role[];
  /** Only these queues; null: all. */
  queues?: readonly string[] | null;
}

/** A running process. */
export interface App {
  deps: Deps & { queues: QueueSystem };
  config: Config;
  /** Base URL of the api; empty without that role. */
  url: string;
  /** Base URL of health and metrics; null without HEALTH_PORT. */
  healthUrl: string | null;
  sandboxUrl: string | null;
  workers: WorkerPool | null;
  /** Lets /health/ready answer 200. With the sandbox it waits until the demo company exists. */
  markReady(): void;
  stop(): Promise<void>;
}

/** Database connections outside the pools: LISTEN, leader election, migrations. */
const SINGLE_CONNECTIONS = 3;
/** A supervisor may start smista and PostgreSQL together, and PostgreSQL's crash recovery takes seconds. */
const DATABASE_WAIT_MS = 30_000;
/** Time a request may take beyond its wait; an idempotency key in use for longer belongs to a dead process. */
const ANSWER_SECONDS = 15;

/** Starts the roles of one process. A stop ends everything in reverse order. */
export async function startApp(options: AppOptions): Promise<App> {
  await using stack = new AsyncDisposableStack();
  const { config, log, roles } = options;
  const shutdown = new Shutdown({ log, totalMs: config.shutdownSeconds * 1000 });
  if (!config.databaseUrl) await requireFreeDataDir(config.dataDir);
  const door = roles.includes('api') ? await openDoor(stack, config, { setting: 'PORT', port: config.port }) : null;
  const { healthPort } = config;
  const healthDoor =
    healthPort === null ? null : await openDoor(stack, config, { setting: 'HEALTH_PORT', port: healthPort });
  const core = await openCore(stack, { databaseWaitMs: DATABASE_WAIT_MS, ...options, shutdown });
  const { deps, databaseUrl } = core;
  options.signal?.throwIfAborted();
  await checkConnectionBudget(deps, config, roles);

  let sandboxUrl: string | null = null;
  if (config.sandbox && roles.includes('api')) {
    const { startSandbox, sandboxPartners } = await loadSandbox();
    const sandbox = await named('SANDBOX_PORT', config.sandboxPort, () =>
      startSandbox({
        host: config.host,
        port: config.sandboxPort,
        stateFile: path.join(config.dataDir, 'sandbox.json'),
        partners: sandboxPartners,
      }),
    );
    stack.defer(shutdown.step('sandbox', () => sandbox.close()));
    sandboxUrl = sandbox.url.replace(config.host, shownHost(config.host));
  }

  const election = roles.includes('scheduler') ? new Election({ databaseUrl, log }) : null;
  const metrics = createMetrics({
    readRows: roles.includes('api') ? () => countOpenWork(deps) : null,
    isLeader: election && (() => election.isHolding),
  });
  let workers: WorkerPool | null = null;
  if (roles.includes('worker')) {
    const pool = new WorkerPool({
      deps,
      queues: deps.queues,
      concurrency: config.workerConcurrency,
      only: options.queues ?? null,
      observe: metrics.observeJob,
    });
    stack.defer(shutdown.step('workers', (remainingMs) => pool.stop(remainingMs)));
    await pool.start();
    workers = pool;
  }
  if (election) {
    const scheduler = new Scheduler({ deps, election });
    stack.defer(shutdown.step('scheduler', () => scheduler.stop()));
    await scheduler.start();
  }
  options.signal?.throwIfAborted();
  const readiness: Readiness = { whyNot: sandboxUrl === null ? null : 'The demo company is not set up yet' };
  const health = { checkReady: () => checkReady(core, config, readiness), registry: metrics.registry };
  let url = '';
  if (door) {
    url = urlOf(door, config);
    deps.settings.publicUrl = config.publicUrl ?? url;
    if (config.publicUrl === undefined && !isLoopback(config.host))
      log.warn({ host: config.host, url }, 'PUBLIC_URL not set: links to labels and logos work on this machine only');
    await startApi(stack, { core, config, shutdown, door, metrics, checkReady: health.checkReady });
  }
  healthDoor?.open(createHealth({ ...health, log }));

  const running = stack.move();
  return {
    deps,
    config,
    url,
    healthUrl: healthDoor && urlOf(healthDoor, config),
    sandboxUrl,
    workers,
    markReady: () => {
      readiness.whyNot = null;
    },
    stop: () => {
      readiness.whyNot = 'smista is stopping';
      return running.disposeAsync();
    },
  };
}

interface Readiness {
  /** Null: nothing that the process knows by itself. */
  whyNot: string | null;
}

interface ApiParts {
  core: Core;
  config: Config;
  shutdown: Shutdown;
  door: FrontDoor;
  metrics: Metrics;
  checkReady: () => Promise<void>;
}

async function startApi(
  stack: AsyncDisposableStack,
  { core, config, shutdown, door, metrics, checkReady }: ApiParts,
): Promise<void> {
  const { deps, databaseUrl } = core;
  const notifications = new Notifications({ databaseUrl, log: deps.log });
  const listener = new OperationListener({ orm: deps.orm, notifications });
  const changes = new RowChanges(notifications);
  const read = (hash: string) => readKey(deps.orm, hash);
  const keys = new RowCache({ table: 'api_keys', changes, read });
  const companies = new RowCache({ table: 'companies', changes, read: (id: number) => readCompany(deps.orm, id) });
  stack.defer(shutdown.step('notifications', () => notifications.stop()));
  await notifications.start();
  const company = (id: number) => companies.get(id);
  const followers = new EventFollowers(deps);
  const guards = createGuards({
    key: (key) => authenticate(deps, key, (hash) => keys.get(hash)),
    session: (token) => readSession(deps, token),
    now: deps.now,
  });
  const api = createApi({
    deps: Object.assign(deps, {
      operationBodies: OPERATION_BODIES,
      waitForOperation: listener.wait.bind(listener),
      company,
      followers,
      points: new Points({
        store: createPointStore(stack, config, deps.log),
        defaultLimit: config.rateLimitPerMinute,
        company,
        installation: deps.vault.installationCode,
      }),
      permits: new Permits({ company, defaultLimit: config.companyConcurrency }),
    }),
    version: VERSION,
    waitSeconds: config.waitSeconds,
    idempotency: createIdempotencyStore(deps.orm, { abandonedSeconds: config.waitSeconds + ANSWER_SECONDS }),
    guards,
    identityProvider: config.identityProvider && createIdentityProvider({ ...config.identityProvider, now: deps.now }),
    metrics,
    checkReady,
    board: boardRouter({
      path: '/admin/queues',
      user: config.admin.user,
      password: config.admin.password ?? readSecrets(config.dataDir).adminPassword,
      personOf: (request) => personOf(guards.sessions, request),
      now: deps.now,
      queues: async () => [...(await queueTable(deps)).keys()].map((name) => boardQueue(deps, name)),
    }),
    partnerName: (code) => (deps.carriers.get(code) ?? deps.marketplaces.get(code))?.label,
  });
  stack.defer(shutdown.step('api', (remainingMs) => door.close(remainingMs)));
  stack.defer(() => listener.release());
  stack.defer(() => followers.stop());
  door.open(api);
}

function boardQueue(deps: Deps & { queues: QueueSystem }, name: string): BoardQueue {
  const [kind = '', ...code] = name.split('-');
  const partner = deps.carriers.get(code.join('-')) ?? deps.marketplaces.get(code.join('-'));
  return {
    queue: deps.queues.queue(name),
    allowRetries: kind !== 'tracking',
    titleOf: (job) => jobTitle(job, partner?.label ?? null),
  };
}

function createPointStore(stack: AsyncDisposableStack, config: Config, log: Log): RateLimiterAbstract {
  // It only counts: each company has a limit of its own.
  const limit = { points: Number.MAX_SAFE_INTEGER, duration: 60 };
  if (!config.redisUrl) return new RateLimiterMemory(limit);
  const redis = new Redis(config.redisUrl, { enableOfflineQueue: false, maxRetriesPerRequest: 1 });
  redis.on('error', (err) => log.warn({ err }, 'redis connection failed'));
  stack.defer(() => redis.disconnect());
  return new RateLimiterRedis({ ...limit, storeClient: redis, keyPrefix: 'smista:points' });
}

/** Throws an error that names the reason while the process cannot work. */
async function checkReady({ deps }: Core, config: Config, { whyNot }: Readiness): Promise<void> {
  if (whyNot !== null) throw new Error(whyNot);
  const full = config.databaseUrl ? null : describeFullDisk(config.dataDir);
  if (full !== null) throw new Error(full);
  const say = (what: string) => (cause: unknown) => {
    throw new Error(`The ${what} cannot be reached`, { cause });
  };
  await systemEm(deps.orm).execute('select 1').catch(say('database'));
  await deps.queues.ping().catch(say('queue'));
}

/** Fails at the start, rather than under load, when PostgreSQL allows too few connections. */
async function checkConnectionBudget(deps: Deps, config: Config, roles: readonly Role[]): Promise<void> {
  const [row] = await systemEm(deps.orm).execute<{ used: number; allowed: number }[]>(
    `select (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used, current_setting('max_connections')::int as allowed`,
  );
  const listening = roles.includes('worker') ? (await queueTable(deps)).size : 0;
  const queue = config.redisUrl ? 0 : config.queuePool + listening;
  const needed = config.databasePool + queue + SINGLE_CONNECTIONS;
  if (row && row.used + needed > row.allowed) {
    throw new UsageError(
      `PostgreSQL allows ${row.allowed} connections, ${row.used} are in use, and this process (${roles.join(', ')}) may open ${needed}: raise max_connections or lower DATABASE_POOL and QUEUE_POOL`,
    );
  }
}
