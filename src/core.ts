import { createSecretKey } from 'node:crypto';
import { shownHost } from './config.ts';
import { readSecrets } from './embedded/data-dir.ts';
import { createBudgetStore } from './engine/budget-store.ts';
import { createShares } from './engine/company-shares.ts';
import type { Deps } from './engine/deps.ts';
import { createDocumentStore } from './engine/document-store.ts';
import { createPriceBooks } from './engine/price-book.ts';
import { createTokenStore } from './engine/token-store.ts';
import { openVault } from './engine/vault.ts';
import { createBucket } from './lib/bucket.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { isDatabaseAway } from './lib/database-away.ts';
import { UsageError } from './lib/errors.ts';
import { createResolver, resolveLocally } from './lib/resolve-name.ts';
import { Shutdown } from './lib/shutdown.ts';
import { loadAdapters } from './load-adapters.ts';
import { type DatabaseOptions, openDatabase } from './open-database.ts';
import { migrateQueue, requireQueueMigrated } from './queue/backends.ts';
import { createQueueSystem, type QueueSystem } from './queue/queue-system.ts';
import { syncCatalogue } from './usecases/setup/sync-catalogue.ts';

export interface CoreOptions extends DatabaseOptions {
  now?: Clock;
  /** Separates the queues of test files on one Redis. */
  queuePrefix?: string;
}

/** Database, vault, queue and adapters. */
export interface Core {
  deps: Deps & { queues: QueueSystem };
  databaseUrl: string;
}

/** Multiple of the longest call: 10 minutes by default, after which the sweep revives a job that used up its attempts. */
const REVIVE_FACTOR = 5;

/** Builds everything that use cases need. Each `stop` is on the stack before its start, so a failed start unwinds. */
export async function openCore(stack: AsyncDisposableStack, options: CoreOptions): Promise<Core> {
  const { config, log } = options;
  const { carriers, marketplaces } = await loadAdapters(config.adapters);
  const shutdown = options.shutdown ?? new Shutdown({ log, totalMs: config.shutdownSeconds * 1000 });
  const { orm, databaseUrl, isJoined } = await openDatabase(stack, { ...options, shutdown });
  if (!config.redisUrl && !isJoined) await (options.migrate ? migrateQueue(databaseUrl) : requireQueue(databaseUrl));
  const [newest = readSecrets(config.dataDir).secretKey, ...older] = config.secretKeys;
  const keyOf = (base64: string) => createSecretKey(base64, 'base64');
  const vault = await openVault(orm, [keyOf(newest), ...older.map(keyOf)]);
  const queues = createQueueSystem({
    databaseUrl,
    redisUrl: config.redisUrl,
    poolSize: config.queuePool,
    retryAttempts: config.retryAttempts,
    retryBaseMs: config.retryBaseMs,
    jobLockMs: config.jobLockSeconds * 1000,
    reviveAfterMs: config.callLimitSeconds * REVIVE_FACTOR * 1000,
    shareOf: createShares(orm),
    log,
    ...(options.queuePrefix ? { prefix: options.queuePrefix } : {}),
  });
  stack.defer(shutdown.step('queues', () => queues.close()));
  const now = options.now ?? systemClock;
  const deps = {
    orm,
    queues,
    carriers,
    marketplaces,
    vault,
    tokens: createTokenStore(orm, vault),
    budgets: createBudgetStore(orm),
    priceBooks: createPriceBooks(),
    resolve: config.eventsAllowPrivate ? resolveLocally : createResolver(),
    log,
    now,
    documents: createDocumentStore({
      orm,
      bucket: config.documentBucket ? createBucket(config.documentBucket) : null,
      log,
      now,
    }),
    settings: {
      trackingIntervalMs: config.trackingIntervalMinutes * 60_000,
      trackingExpireMs: config.trackingExpireDays * 86_400_000,
      heldConfirmMs: config.heldConfirmDays * 86_400_000,
      importIntervalMs: config.importIntervalMinutes * 60_000,
      callLimitMs: config.callLimitSeconds * 1000,
      settlingMs: config.settlingSeconds === undefined ? null : config.settlingSeconds * 1000,
      retentionMs: config.retentionDays * 86_400_000,
      exchangeBodyMs: config.exchangeBodyDays * 86_400_000,
      documentMs: config.documentDays === undefined ? null : config.documentDays * 86_400_000,
      personalDataMs: config.personalDataDays === 0 ? null : config.personalDataDays * 86_400_000,
      eventsAllowPrivate: config.eventsAllowPrivate,
      eventTimeoutMs: config.eventsTimeoutSeconds * 1000,
      printers: { extraPorts: config.printerPorts, allowLoopback: config.printersAllowLoopback },
      // The other half of a worker is left to endpoints that answer.
      doubtfulRuns: Math.max(1, Math.floor(config.workerConcurrency / 2)),
      publicUrl: config.publicUrl ?? `http://${shownHost(config.host)}:${config.port}`,
    },
  };
  await syncCatalogue(deps);
  return { deps, databaseUrl };
}

async function requireQueue(databaseUrl: string): Promise<void> {
  await requireQueueMigrated(databaseUrl).catch((cause) => {
    if (isDatabaseAway(cause)) throw cause;
    throw new UsageError('The queue tables are missing in this database: run `smista migrate` first', { cause });
  });
}
