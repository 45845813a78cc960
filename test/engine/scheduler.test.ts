import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Deps } from '../../src/engine/deps.ts';
import { silentLog } from '../../src/lib/log.ts';
import { Election } from '../../src/scheduler/election.ts';
import type { Cron } from '../../src/scheduler/schedule.ts';
import { SCHEDULE } from '../../src/scheduler/schedule.ts';
import { Scheduler } from '../../src/scheduler/scheduler.ts';
import { cloneDatabase, type TestDatabase } from '../support/test-database.ts';

const PATIENCE = { timeout: 10_000, interval: 20 };

interface Tick {
  who: string;
  at: number;
}

describe('two schedulers on one database', () => {
  let database: TestDatabase;
  let client: pg.Client;
  const ticks: Tick[] = [];
  const running: Record<string, { scheduler: Scheduler; election: Election }> = {};

  beforeEach(async () => {
    database = await cloneDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    ticks.length = 0;
    for (const who of ['first', 'second']) {
      const election = new Election({ databaseUrl: database.url, log: silentLog });
      const everySecond: Cron = {
        name: 'tick',
        expression: '* * * * * *',
        run: async () => void ticks.push({ who, at: Date.now() }),
      };
      const deps = { log: silentLog } as Deps;
      const scheduler = new Scheduler({ deps, election, schedule: [everySecond] });
      running[who] = { scheduler, election };
      await scheduler.start();
    }
  });
  afterEach(async () => {
    for (const { scheduler } of Object.values(running)) await scheduler.stop();
    await client.end();
    await database.drop();
  });

  /** Waits for so many more ticks than there are now. */
  async function moreTicks(count: number): Promise<Tick[]> {
    const before = ticks.length;
    const { promise, resolve, reject } = Promise.withResolvers<Tick[]>();
    const late = setTimeout(
      () => reject(new Error(`Only ${ticks.length - before} of ${count} ticks came`)),
      PATIENCE.timeout,
    );
    const looking = setInterval(() => {
      if (ticks.length - before >= count) resolve(ticks.slice(before));
    }, PATIENCE.interval);
    try {
      return await promise;
    } finally {
      clearTimeout(late);
      clearInterval(looking);
    }
  }

  /** What fires twice does so at the same moment. */
  function gaps(fired: readonly Tick[]): number[] {
    return fired.slice(1).map((tick, index) => tick.at - (fired[index]?.at ?? 0));
  }

  it('fire each tick once', async () => {
    const fired = await moreTicks(4);

    expect(new Set(fired.map((tick) => tick.who)).size).toBe(1);
    expect(Math.min(...gaps(fired))).toBeGreaterThan(500);
  });

  it('hand over when one is stopped', async () => {
    const [tick] = await moreTicks(1);
    await running[tick?.who ?? '']?.scheduler.stop();

    const fired = await moreTicks(2);

    expect(new Set(fired.map((one) => one.who))).toEqual(new Set([tick?.who === 'first' ? 'second' : 'first']));
    expect(Math.min(...gaps(fired))).toBeGreaterThan(500);
  });

  it('hand over when one loses its connection, which never fires beside the other', async () => {
    const [tick] = await moreTicks(1);
    const other = tick?.who === 'first' ? 'second' : 'first';

    await client.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
          and database = (select oid from pg_database where datname = current_database())`,
    );
    // The next tick is most of a second away; the lock is free as soon as the server ended the connection.
    await vi.waitFor(async () => expect(await running[other]?.election.isLeader()).toBe(true), { interval: 10 });
    const fired = await moreTicks(3);

    expect(new Set(fired.map((one) => one.who))).toEqual(new Set([other]));
    expect(Math.min(...gaps(fired))).toBeGreaterThan(500);
  });
});

describe('one scheduler', () => {
  it('does not start a tick again that is still running, and waits for it when it stops', async () => {
    const database = await cloneDatabase();
    const release = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    let runs = 0;
    const slow: Cron = {
      name: 'slow',
      expression: '* * * * * *',
      run: async () => {
        runs += 1;
        if (runs === 1) started.resolve();
        await release.promise;
      },
    };
    const everySecond = Promise.withResolvers<void>();
    let ticks = 0;
    const clock: Cron = {
      name: 'clock',
      expression: '* * * * * *',
      run: async () => {
        ticks += 1;
        if (ticks === 3) everySecond.resolve();
      },
    };
    const election = new Election({ databaseUrl: database.url, log: silentLog });
    const scheduler = new Scheduler({ deps: { log: silentLog } as Deps, election, schedule: [slow, clock] });

    await scheduler.start();
    await started.promise;
    await everySecond.promise;
    let isStopped = false;
    const stopping = scheduler.stop().then(() => {
      isStopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    const before = { runs, isStopped };
    release.resolve();
    await stopping;
    await database.drop();

    expect(before).toEqual({ runs: 1, isStopped: false });
    expect(isStopped).toBe(true);
  });

  it('goes on after a tick that failed', async () => {
    const database = await cloneDatabase();
    const second = Promise.withResolvers<void>();
    let runs = 0;
    const failing: Cron = {
      name: 'failing',
      expression: '* * * * * *',
      run: async () => {
        runs += 1;
        if (runs === 2) second.resolve();
        throw new Error('the tick failed');
      },
    };
    const election = new Election({ databaseUrl: database.url, log: silentLog });
    const scheduler = new Scheduler({ deps: { log: silentLog } as Deps, election, schedule: [failing] });

    await scheduler.start();
    await second.promise;
    await scheduler.stop();
    await database.drop();

    expect(runs).toBeGreaterThanOrEqual(2);
  });
});

describe('the schedule', () => {
  it('has names that differ and expressions of six fields', () => {
    expect(new Set(SCHEDULE.map((entry) => entry.name)).size).toBe(SCHEDULE.length);
    for (const { expression } of SCHEDULE) expect(expression.split(' ')).toHaveLength(6);
  });
});
