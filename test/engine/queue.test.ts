import { randomBytes } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { freePort } from '../../src/lib/free-port.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { JobRequest } from '../../src/queue/jobs.ts';
import { createQueueSystem, type QueueSystem, type ReceivedJob } from '../../src/queue/queue-system.ts';
import { backoffMs, giveUp, RetryLater } from '../../src/queue/retry.ts';
import { backends } from '../support/test-app.ts';
import { cloneDatabase, type TestDatabase } from '../support/test-database.ts';

const ELEVEN_MINUTES_MS = 660_000;

describe.each(backends())('the queue on %s', (backend) => {
  let database: TestDatabase;
  let queues: QueueSystem;

  beforeAll(async () => {
    database = await cloneDatabase();
    queues = createQueueSystem({
      databaseUrl: database.url,
      redisUrl: backend === 'redis' ? (inject('redisUrl') ?? undefined) : undefined,
      poolSize: 10,
      retryAttempts: 3,
      retryBaseMs: 10,
      jobLockMs: 60_000,
      reviveAfterMs: 600_000,
      shareOf: async (companyId) => (companyId === 3 ? 3 : 1),
      log: silentLog,
      prefix: `test-${randomBytes(6).toString('hex')}`,
    });
    await vi.waitFor(() => queues.ping());
  });
  afterAll(async () => {
    await queues.close();
    await database.drop();
  });

  const job = (id: string) => ({ name: 'book' as const, id, companyId: 1, payload: { shipmentId: 1 } });

  /** Works on a queue of its own until `count` runs ended; answers them with their times. */
  async function work(
    queue: string,
    options: { count: number; ids: string[]; run?: (job: ReceivedJob) => void },
  ): Promise<{ job: ReceivedJob; at: number }[]> {
    const runs: { job: ReceivedJob; at: number }[] = [];
    const done = Promise.withResolvers<void>();
    await queues.add(queue, options.ids.map(job));
    const worker = queues.work(
      queue,
      async (received) => {
        runs.push({ job: received, at: Date.now() });
        if (runs.length >= options.count) done.resolve();
        options.run?.(received);
      },
      { concurrency: 5 },
    );
    await done.promise;
    await worker.close();
    return runs;
  }

  it('runs a job once that was added three times', async () => {
    await queues.add('once', [job('a')]);

    const runs = await work('once', { ids: ['a', 'b', 'a'], count: 2 });

    expect(runs.map((run) => run.job.id).toSorted()).toEqual(['a', 'b']);
    expect(await queues.queue('once').count()).toBe(0);
  });

  it('runs each of more jobs than are added at once', async () => {
    const ids = Array.from({ length: 450 }, (_, at) => `many-${at}`);

    const runs = await work('many', { ids, count: ids.length });

    expect(new Set(runs.map((run) => run.job.id))).toEqual(new Set(ids));
  });

  it('lets companies take turns, and a person before the bulk of the own company', async () => {
    const bookings = (companyId: number, count: number): JobRequest[] =>
      Array.from({ length: count }, (_, at) => ({
        name: 'book',
        id: `fair-${companyId}-${at}`,
        companyId,
        payload: { shipmentId: 1 },
      }));
    const cancel: JobRequest = { name: 'cancel', id: 'fair-cancel', companyId: 1, payload: { itemId: 1 } };
    await queues.add('fair', bookings(1, 300));
    await queues.add('fair', bookings(2, 3));
    await queues.add('fair', [cancel]);

    const runs = await work('fair', { ids: [], count: 304 });

    const order = runs.map(({ job: { id } }) => id);
    // Five run at a time, and one round serves each line once.
    const last = Math.max(...['fair-2-0', 'fair-2-1', 'fair-2-2', 'fair-cancel'].map((id) => order.indexOf(id)));
    expect(last).toBeLessThan(15);
    expect(order.filter((id) => id.startsWith('fair-1-'))).toHaveLength(300);
  });

  it('serves a company of share three three times per round', async () => {
    const bookings = (companyId: number): JobRequest[] =>
      Array.from({ length: 60 }, (_, at) => ({
        name: 'book',
        id: `share-${companyId}-${at}`,
        companyId,
        payload: { shipmentId: 1 },
      }));
    await queues.add('shares', bookings(4));
    await queues.add('shares', bookings(3));

    const runs = await work('shares', { ids: [], count: 120 });

    const early = runs.slice(0, 40).filter(({ job: { id } }) => id.startsWith('share-3-')).length;
    // Five run at a time.
    expect(early).toBeGreaterThanOrEqual(25);
    expect(early).toBeLessThanOrEqual(35);
  });

  it('runs a job again that is added after it was done', async () => {
    await work('again', { ids: ['a'], count: 1 });

    const runs = await work('again', { ids: ['a'], count: 1 });

    expect(runs).toHaveLength(1);
  });

  it('tries again until it works, and says which try is the last', async () => {
    const lastTries: boolean[] = [];
    let tries = 0;

    await work('retry', {
      ids: ['a'],
      count: 3,
      run: (received) => {
        lastTries.push(received.isLastTry);
        tries += 1;
        if (tries < 3) throw new RetryLater('not yet');
      },
    });

    expect(lastTries).toEqual([false, false, true]);
    expect(await queues.queue('retry').getFailed()).toEqual([]);
  });

  it('waits as long as the partner asked', async () => {
    let tries = 0;

    const runs = await work('patience', {
      ids: ['a'],
      count: 2,
      run: () => {
        tries += 1;
        if (tries === 1) throw new RetryLater('in a moment', 600);
      },
    });

    const [first, second] = runs.map((run) => run.at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(595);
  });

  it('keeps what failed three times for a person to look at', async () => {
    await work('exhausted', {
      ids: ['a'],
      count: 3,
      run: () => {
        throw new RetryLater('never');
      },
    });

    const failed = await queues.queue('exhausted').getFailed();
    expect(failed.map(({ id, failedReason, attemptsMade }) => [id, failedReason, attemptsMade])).toEqual([
      ['a', 'never', 3],
    ]);
  });

  it('does not try again what was given up', async () => {
    await work('given-up', {
      ids: ['a'],
      count: 1,
      run: () => {
        throw giveUp('the carrier refused');
      },
    });

    const failed = await queues.queue('given-up').getFailed();
    expect(failed.map(({ id, failedReason, attemptsMade }) => [id, failedReason, attemptsMade])).toEqual([
      ['a', 'the carrier refused', 1],
    ]);
  });

  it('leaves a failed job to people, and revives it later when its work is still open', async () => {
    const fail = (): void => {
      throw new RetryLater('the database is away');
    };
    await work('revive', { ids: ['a'], count: 3, run: fail });
    const queue = queues.queue('revive');

    await queues.add('revive', [job('a')]);
    await queues.revive('revive', [job('a')]);
    const tooEarly = await queue.getJobCounts('failed', 'prioritized');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ELEVEN_MINUTES_MS });
    await queues.revive('revive', [job('a')]);
    vi.useRealTimers();
    const revived = await queue.getJobCounts('failed', 'prioritized');

    expect(tooEarly).toEqual({ failed: 1, prioritized: 0 });
    expect(revived).toEqual({ failed: 0, prioritized: 1 });
  });

  it('gives a revived job all its tries again', async () => {
    const fail = (): void => {
      throw new RetryLater('the database is away');
    };
    await work('tries', { ids: ['a'], count: 3, run: fail });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ELEVEN_MINUTES_MS });
    await queues.revive('tries', [job('a')]);
    vi.useRealTimers();

    const runs = await work('tries', { ids: [], count: 3, run: fail });

    expect(runs.map((run) => run.job.isLastTry)).toEqual([false, false, true]);
  });
});

describe.runIf(backends().includes('redis'))('a Redis that goes away', () => {
  let door: Server;
  let queues: QueueSystem;
  const sockets = new Set<Socket>();

  function open(port: number): Promise<void> {
    const target = new URL(inject('redisUrl') ?? '');
    door = createServer((client) => {
      const redis = connect(Number(target.port), target.hostname);
      for (const socket of [client, redis]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => sockets.delete(socket));
      }
      client.pipe(redis).pipe(client);
    });
    return new Promise((resolve) => door.listen(port, '127.0.0.1', resolve));
  }
  async function shut(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => door.close(resolve));
  }

  afterAll(async () => {
    await queues.close();
    await shut();
  });

  it('is missed at once by who adds, and served again without a restart', async () => {
    const port = await freePort();
    queues = createQueueSystem({
      databaseUrl: 'postgres://unused',
      redisUrl: `redis://127.0.0.1:${port}`,
      poolSize: 2,
      retryAttempts: 1,
      retryBaseMs: 10,
      jobLockMs: 60_000,
      reviveAfterMs: 600_000,
      log: silentLog,
      prefix: `test-${randomBytes(6).toString('hex')}`,
    });
    const job = { name: 'book' as const, id: 'a', companyId: 1, payload: { shipmentId: 1 } };
    const started = Date.now();

    const missing = await queues.add('away', [job]).catch((error: Error) => error);
    const waited = Date.now() - started;
    await open(port);
    await vi.waitFor(() => queues.add('away', [job]), { timeout: 10_000 });
    const waiting = await queues.queue('away').getPrioritizedCount();
    await shut();
    const gone = await queues.add('away', [job]).catch((error: Error) => error);
    await open(port);
    await vi.waitFor(() => queues.add('away', [{ ...job, id: 'b' }]), { timeout: 10_000 });

    expect(missing).toBeInstanceOf(Error);
    expect(gone).toBeInstanceOf(Error);
    expect(waited).toBeLessThan(6000);
    expect(waiting).toBe(1);
    expect(await queues.queue('away').getPrioritizedCount()).toBe(2);
  });
});

describe('the pause between tries', () => {
  const attempts = fc.integer({ min: 1, max: 60 });
  const base = fc.integer({ min: 1, max: 3_600_000 });

  it('is between half and all of a doubling ceiling, never above five minutes', () => {
    fc.assert(
      fc.property(attempts, base, (attemptsMade, baseMs) => {
        const ceiling = Math.min(300_000, baseMs * 2 ** (attemptsMade - 1));
        const pause = backoffMs(attemptsMade, new Error('no'), baseMs);
        expect(pause).toBeGreaterThanOrEqual(Math.floor(ceiling / 2));
        expect(pause).toBeLessThanOrEqual(Math.ceil(ceiling));
      }),
    );
  });

  it('is never shorter than what the partner asked for', () => {
    fc.assert(
      fc.property(attempts, base, fc.integer({ min: 0, max: 7_200_000 }), (attemptsMade, baseMs, askedMs) => {
        const pause = backoffMs(attemptsMade, new RetryLater('later', askedMs), baseMs);
        expect(pause).toBeGreaterThanOrEqual(askedMs);
        expect(pause).toBeLessThanOrEqual(Math.max(askedMs, 300_000));
      }),
    );
  });
});
