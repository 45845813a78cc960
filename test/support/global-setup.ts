import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrateDatabase } from '../../src/db/migrate.ts';
import { openOrm } from '../../src/db/orm.ts';
import { startEmbeddedPostgres } from '../../src/embedded/postgres.ts';
import { freePort } from '../../src/lib/free-port.ts';
import { migrateQueue } from '../../src/queue/backends.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A server where test files clone `smista_template`. */
    postgresUrl: string;
    /** Null where there is no Redis: the Redis half is skipped. */
    redisUrl: string | null;
  }
}

/** One PostgreSQL with a migrated template database and one Redis for the whole run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(path.join(tmpdir(), 'smista-test-'));
  const postgres = await startEmbeddedPostgres({
    directory: path.join(directory, 'postgres'),
    password: 'test',
    maxConnections: 500,
    durable: false,
  });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  // A test opens a dozen connections, and checking a password 4096 times takes longer than the rest of each.
  await client.query('set scram_iterations = 1');
  await client.query("alter role current_user password 'test'");
  await client.query('create database smista_template');
  await client.end();
  const templateUrl = postgres.url.replace(/\/postgres$/, '/smista_template');
  const orm = await openOrm({ databaseUrl: templateUrl, poolSize: 2 });
  await migrateDatabase(orm, templateUrl);
  await orm.close(true);
  await migrateQueue(templateUrl);
  project.provide('postgresUrl', postgres.url);

  const redis = await startRedis();
  project.provide('redisUrl', redis?.url ?? null);
  if (!redis) {
    console.log(
      'The Redis half is skipped: set REDIS_URL, or put redis-server on the PATH (apt-get install redis-server).',
    );
  }
  return async () => {
    redis?.stop();
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}

async function startRedis(): Promise<{ url: string; stop(): void } | null> {
  const given = process.env.REDIS_URL;
  if (given) return { url: given, stop: () => undefined };
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
  } catch {
    return null; // not installed
  }
  const port = await freePort();
  const child = spawn(
    'redis-server',
    ['--port', String(port), '--save', '', '--appendonly', 'no', '--bind', '127.0.0.1'],
    {
      stdio: 'ignore',
    },
  );
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on('error', () => undefined); // until it listens
  await client.ping();
  client.disconnect();
  return { url, stop: () => child.kill() };
}
