import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Company } from '../../src/db/entities/index.ts';
import { migrateDatabase } from '../../src/db/migrate.ts';
import { closeOrm, type Orm, openOrm, systemEm } from '../../src/db/orm.ts';
import { batched } from '../../src/db/queries/batched.ts';
import { runPrepared } from '../../src/db/queries/prepared.ts';
import { hasRowSecurity } from '../../src/db/row-security.ts';
import { seeingCompanies, seeingEveryCompany } from '../../src/lib/visible-companies.ts';
import { cloneDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let orm: Orm;
const ids: number[] = [];
const PARCEL = { weightGrams: 1000, lengthMm: 200, widthMm: 150, heightMm: 100 };
const SETTINGS = {
  pricesIncludeVat: true,
  vatRate: '22',
  currency: 'EUR',
  timeZone: 'Europe/Rome',
  defaultParcel: PARCEL,
};

const readNames = (): Promise<{ name: string }[]> =>
  runPrepared<{ name: string }>(orm, { name: 'names', text: 'select name from companies order by id' }, []);
const names = async (): Promise<string[]> => (await readNames()).map(({ name }) => name);

beforeAll(async () => {
  database = await cloneDatabase();
  orm = await openOrm({ databaseUrl: database.url, poolSize: 2 });
  const em = systemEm(orm);
  const companies = ['uno', 'due', 'tre'].map((key) => em.create(Company, { key, name: key, settings: SETTINGS }));
  await em.persist(companies).flush();
  ids.push(...companies.map(({ id }) => id));
});
afterAll(async () => {
  await closeOrm(orm);
  await database.drop();
});

const [first, second] = [() => ids[0] as number, () => ids[1] as number];

describe('a connection', () => {
  it('sees the companies of the present caller, not those of the last one', async () => {
    const asked = [
      seeingCompanies([first()], names),
      seeingCompanies([second(), first(), second()], names),
      names(),
      seeingCompanies([], names),
      seeingCompanies([second()], () => seeingEveryCompany(names)),
      seeingCompanies([second()], names),
    ];

    expect(await Promise.all(asked)).toEqual([
      ['uno'],
      ['uno', 'due'],
      ['uno', 'due', 'tre'],
      [],
      ['uno', 'due', 'tre'],
      ['due'],
    ]);
  });

  it('keeps them through a transaction, and after one that failed', async () => {
    const failing = seeingCompanies([first()], () =>
      systemEm(orm).transactional(async (em) => {
        expect(await em.count(Company)).toBe(1);
        await em.execute('select 1 / 0');
      }),
    );

    await expect(failing).rejects.toThrow('division by zero');
    expect(await seeingCompanies([first()], names)).toEqual(['uno']);
    expect(await names()).toEqual(['uno', 'due', 'tre']);
  });

  it('writes no row of another company', async () => {
    const insert = (companyId: number) =>
      seeingCompanies([first()], () =>
        systemEm(orm).execute(`insert into warehouses (company_id, key, name) values (?, 'x', 'x')`, [companyId]),
      );

    await expect(insert(second())).rejects.toThrow('row-level security policy');
  });

  it('serves a batch with the companies of all its callers', async () => {
    const read = batched(async (_orm: Orm, asked: readonly number[]) => {
      const seen = await names();
      return asked.map(() => seen);
    });

    const alone = seeingCompanies([first()], () => read(orm, 1));
    const [one, other] = [first(), second()].map((id) => seeingCompanies([id], () => read(orm, id)));

    expect(await alone).toEqual(['uno']);
    expect(await one).toEqual(['uno', 'due']);
    expect(await other).toEqual(['uno', 'due']);
  });
});

describe('a database whose user may not create roles', () => {
  it('works without row-level security, and says so', async () => {
    const name = `limited_${randomBytes(6).toString('hex')}`;
    const server = new pg.Client({ connectionString: inject('postgresUrl') });
    await server.connect();
    await server.query(`create role ${name} login password 'x'`);
    await server.query(`create database ${name} owner ${name}`);
    const url = new URL(inject('postgresUrl'));
    Object.assign(url, { username: name, password: 'x', pathname: `/${name}` });
    const limited = await openOrm({ databaseUrl: url.href, poolSize: 2 });
    try {
      await migrateDatabase(limited, url.href);
      const query = async (text: string) => ({ rows: await systemEm(limited).execute<{ isSecured: boolean }[]>(text) });

      expect(await hasRowSecurity({ query })).toBe(false);
      expect(await seeingCompanies([1], () => systemEm(limited).count(Company))).toBe(0);

      await server.query(`grant smista_companies to ${name}`);
      await migrateDatabase(limited, url.href);
      expect(await hasRowSecurity({ query })).toBe(true);
    } finally {
      await closeOrm(limited);
      await server.query(`drop database ${name} with (force)`);
      await server.query(`drop role ${name}`);
      await server.end();
    }
  });
});
