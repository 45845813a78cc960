import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Company } from '../../src/db/entities/index.ts';
import { Notifications } from '../../src/db/notifications.ts';
import { type Orm, openOrm, systemEm } from '../../src/db/orm.ts';
import { RowCache, RowChanges } from '../../src/db/row-cache.ts';
import { silentLog } from '../../src/lib/log.ts';
import { cloneDatabase, type TestDatabase } from '../support/test-database.ts';

describe('rows that are kept', () => {
  let database: TestDatabase;
  let orm: Orm;
  let notifications: Notifications;
  let changes: RowChanges;
  let companyId: number;
  let reads = 0;

  const readName = async (id: number): Promise<string | null> => {
    reads += 1;
    return (await systemEm(orm).findOne(Company, id))?.name ?? null;
  };
  const rename = (name: string) => systemEm(orm).nativeUpdate(Company, { id: companyId }, { name });

  beforeAll(async () => {
    database = await cloneDatabase();
    orm = await openOrm({ databaseUrl: database.url, poolSize: 5 });
    const settings = { pricesIncludeVat: true, vatRate: '22', currency: 'EUR', timeZone: 'Europe/Rome' };
    const defaultParcel = { weightGrams: 1000, lengthMm: 0, widthMm: 0, heightMm: 0 };
    const stamps = { createdAt: new Date(), updatedAt: new Date() };
    companyId = Number(
      await systemEm(orm).insert(Company, {
        key: 'one',
        name: 'One',
        settings: { ...settings, defaultParcel },
        ...stamps,
      }),
    );
    notifications = new Notifications({ databaseUrl: database.url, log: silentLog });
    changes = new RowChanges(notifications);
  });
  afterAll(async () => {
    await notifications.stop();
    await orm.close(true);
    await database.drop();
  });

  it('are read every time without a listener, once with one, and again after a change', async () => {
    const names = new RowCache({ table: 'companies', changes, read: readName });
    await names.get(companyId);
    await names.get(companyId);
    const deaf = reads;
    await notifications.start();
    reads = 0;

    const before = [await names.get(companyId), await names.get(companyId), await names.get(companyId)];
    const kept = reads;
    await rename('Two');
    await vi.waitFor(async () => expect(await names.get(companyId)).toBe('Two'), { timeout: 5000, interval: 5 });

    expect(deaf).toBe(2);
    expect(before).toEqual(['One', 'One', 'One']);
    expect(kept).toBe(1);
  });

  it('are not kept when they changed while they were read', async () => {
    let renamed: Promise<unknown> | undefined;
    const slow = new RowCache({
      table: 'companies',
      changes,
      read: async (id: number) => {
        const name = await readName(id);
        const heard = Promise.withResolvers<void>();
        changes.onChange('companies', heard.resolve);
        renamed ??= rename('Three');
        await renamed;
        if (name === 'Two') await heard.promise;
        return name;
      },
    });

    const first = await slow.get(companyId);
    const second = await slow.get(companyId);

    expect([first, second]).toEqual(['Two', 'Three']);
  });

  it('are forgotten when the connection was lost, since a change may have been missed', async () => {
    const names = new RowCache({ table: 'companies', changes, read: readName });
    await names.get(companyId);
    reads = 0;
    await systemEm(orm).execute(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'smista-listen' and datname = current_database()`,
    );
    await vi.waitFor(() => expect(notifications.isListening).toBe(false), { timeout: 5000, interval: 5 });
    await rename('Four');

    expect(await names.get(companyId)).toBe('Four');
    await vi.waitFor(() => expect(notifications.isListening).toBe(true), { timeout: 10_000, interval: 20 });
    expect(await names.get(companyId)).toBe('Four');
    expect(reads).toBe(2);
  });

  it('are remembered only when they are there', async () => {
    const names = new RowCache({ table: 'companies', changes, read: readName });
    reads = 0;

    expect([await names.get(0), await names.get(0)]).toEqual([null, null]);
    expect(reads).toBe(2);
  });
});
