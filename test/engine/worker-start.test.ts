import { expect, it } from 'vitest';
import { silentLog } from '../../src/lib/log.ts';
import { createQueueSystem } from '../../src/queue/queue-system.ts';
import { cloneDatabase } from '../support/test-database.ts';

it('says that a worker could not start when its database is gone, and does not spin', async () => {
  const database = await cloneDatabase();
  await database.drop();
  const queues = createQueueSystem({
    databaseUrl: database.url,
    redisUrl: undefined,
    poolSize: 3,
    retryAttempts: 1,
    retryBaseMs: 1,
    jobLockMs: 60_000,
    reviveAfterMs: 600_000,
    log: silentLog,
  });
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 5);

  const worker = queues.work('carrier-x', async () => undefined, { concurrency: 1 });

  await expect(worker.started).rejects.toThrow(/does not exist/);
  await expect.poll(() => ticks).toBeGreaterThan(5);
  clearInterval(timer);
  await worker.close(true);
  await queues.close();
});
