import type pg from 'pg';
import { expect, it } from 'vitest';
import { type Log, silentLog } from '../../src/lib/log.ts';
import { withClient } from '../../src/lib/with-client.ts';
import { migrateQueue, postgresBackend } from '../../src/queue/backends.ts';
import { cloneDatabase } from '../support/test-database.ts';

it('outlives a connection that is lost while BullMQ holds it between two queries', async () => {
  const database = await cloneDatabase();
  await migrateQueue(database.url);
  const warnings: string[] = [];
  const backend = postgresBackend({
    databaseUrl: database.url,
    redisUrl: undefined,
    poolSize: 2,
    retryAttempts: 1,
    retryBaseMs: 100,
    jobLockMs: 4000,
    reviveAfterMs: 1000,
    log: { ...silentLog, warn: ((_fields: unknown, text: string) => void warnings.push(text)) as Log['warn'] },
  });
  const queue = backend.makeQueue('lost-connection');
  const held = await (queue.opts.connection as unknown as pg.Pool).connect();
  const { rows } = await held.query('select pg_backend_pid() as pid');

  // Without a listener this error would end the process.
  expect(held.listenerCount('error')).toBeGreaterThan(0);
  const lost = new Promise((resolve) => held.once('error', resolve));
  await withClient(database.url, (client) => client.query('select pg_terminate_backend($1)', [rows[0].pid]));
  await lost;

  expect(warnings).toContain('queue database connection lost');
  held.release(true);
  await queue.close();
  await backend.close();
  await database.drop();
});
