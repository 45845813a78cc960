import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Company, OperationItem } from '../../src/db/entities/index.ts';
import { Notifications } from '../../src/db/notifications.ts';
import { OperationListener } from '../../src/db/operation-listener.ts';
import { type Orm, openOrm, systemEm } from '../../src/db/orm.ts';
import { settleItem } from '../../src/db/queries/operations.ts';
import { type OpenedOperation, openOperation } from '../../src/engine/open-operation.ts';
import { silentLog } from '../../src/lib/log.ts';
import { cloneDatabase, type TestDatabase } from '../support/test-database.ts';

/** The listener looks by itself every two seconds: what is quicker was woken. */
const WOKEN_MS = 1500;
const DONE = { status: 'succeeded', message: '' } as const;

describe('waiting for an operation', () => {
  let database: TestDatabase;
  let orm: Orm;
  let notifications: Notifications;
  let listener: OperationListener;
  let companyId: number;
  let operation: OpenedOperation;

  beforeAll(async () => {
    database = await cloneDatabase();
    orm = await openOrm({ databaseUrl: database.url, poolSize: 10 });
    const em = systemEm(orm);
    const settings = { pricesIncludeVat: true, vatRate: '22', currency: 'EUR', timeZone: 'Europe/Rome' };
    const defaultParcel = { weightGrams: 1000, lengthMm: 0, widthMm: 0, heightMm: 0 };
    const stamps = { createdAt: new Date(), updatedAt: new Date() };
    companyId = Number(
      await em.insert(Company, { key: 'one', name: 'One', settings: { ...settings, defaultParcel }, ...stamps }),
    );
    ({ notifications, listener } = listen());
    await notifications.start();
  });
  beforeEach(async () => {
    operation = await openOperation(systemEm(orm), { companyId, kind: 'create', requestId: '', input: {} }, [
      { orderId: 1 },
      { orderId: 2 },
    ]);
  });
  afterAll(async () => {
    listener.release();
    await notifications.stop();
    await orm.close(true);
    await database.drop();
  });

  function listen() {
    const own = new Notifications({ databaseUrl: database.url, log: silentLog });
    return { notifications: own, listener: new OperationListener({ orm, notifications: own }) };
  }

  async function settle(at: number): Promise<void> {
    const em = systemEm(orm);
    const items = await em.find(OperationItem, { operationId: operation.operationId }, { orderBy: { id: 'asc' } });
    await settleItem(em, { itemId: items[at]?.id ?? 0 }, DONE);
  }

  async function timed(waiting: Promise<boolean>): Promise<{ isDone: boolean; ms: number }> {
    const started = Date.now();
    return { isDone: await waiting, ms: Date.now() - started };
  }

  function listening(): Promise<{ pid: number }[]> {
    return systemEm(orm).execute(
      `select pid from pg_stat_activity where application_name = 'smista-listen' and datname = current_database()`,
    );
  }

  it('ends at once when nothing is open', async () => {
    await settle(0);
    await settle(1);

    const { isDone, ms } = await timed(listener.wait(operation.operationId, 10_000));

    expect(isDone).toBe(true);
    expect(ms).toBeLessThan(WOKEN_MS);
  });

  it('ends with the last item and not with the first', async () => {
    const waiting = timed(listener.wait(operation.operationId, 10_000));
    let isOver = false;
    void waiting.then(() => {
      isOver = true;
    });

    await settle(0);
    await systemEm(orm).execute('select 1');
    const between = isOver;
    await settle(1);
    const { isDone, ms } = await waiting;

    expect(between).toBe(false);
    expect(isDone).toBe(true);
    expect(ms).toBeLessThan(WOKEN_MS);
  });

  it('wakes every waiter', async () => {
    const waiting = Array.from({ length: 40 }, () => timed(listener.wait(operation.operationId, 10_000)));

    await Promise.all([settle(0), settle(1)]);
    const woken = await Promise.all(waiting);

    expect(woken.every(({ isDone }) => isDone)).toBe(true);
    expect(Math.max(...woken.map(({ ms }) => ms))).toBeLessThan(WOKEN_MS);
  });

  it('says so when the time is over first', async () => {
    const { isDone, ms } = await timed(listener.wait(operation.operationId, 100));

    expect(isDone).toBe(false);
    expect(ms).toBeGreaterThanOrEqual(99);
    expect(ms).toBeLessThan(WOKEN_MS);
  });

  it('looks once when there is no time to wait', async () => {
    expect(await listener.wait(operation.operationId, 0)).toBe(false);
  });

  it('hears of what was settled while its connection was cut, and listens again', async () => {
    const [before] = await listening();
    const waiting = timed(listener.wait(operation.operationId, 10_000));

    await systemEm(orm).execute('select pg_terminate_backend(?)', [before?.pid]);
    await settle(0);
    await settle(1);
    const { isDone } = await waiting;
    const after = await vi.waitFor(
      async () => {
        const [row] = await listening();
        if (!row || row.pid === before?.pid) throw new Error('It does not listen');
        return row;
      },
      { timeout: 10_000 },
    );

    expect(isDone).toBe(true);
    expect(after.pid).not.toBe(before?.pid);
  });

  it('is woken again after it reconnected', async () => {
    const waiting = timed(listener.wait(operation.operationId, 10_000));

    await settle(0);
    await settle(1);

    expect(await waiting).toMatchObject({ isDone: true });
    expect((await waiting).ms).toBeLessThan(WOKEN_MS);
  });

  it('lets everybody go when it stops, and leaves no connection behind', async () => {
    const own = listen();
    await own.notifications.start();
    const waiting = timed(own.listener.wait(operation.operationId, 10_000));

    own.listener.release();
    await own.notifications.stop();
    const { isDone, ms } = await waiting;

    expect(isDone).toBe(false);
    expect(ms).toBeLessThan(WOKEN_MS);
    await vi.waitFor(async () => expect(await listening()).toHaveLength(1));
  });

  it('leaves no connection behind when it stops while it connects', async () => {
    const own = listen();
    const starting = own.notifications.start();

    await own.notifications.stop();
    await starting;

    await vi.waitFor(async () => expect(await listening()).toHaveLength(1));
  });
});
