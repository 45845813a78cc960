import { afterAll, beforeAll, expect, it } from 'vitest';
import { PERSONAL_DATA } from '../../../src/db/personal-data.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { database } from '../engine.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
});
afterAll(() => test.stop());

/** Tables of tools: migrations by their names. */
const OTHERS = ['smista_migrations'];

function classified(table: string): string[] {
  const { erased = {}, gone = '', kept = '', none = '' } = PERSONAL_DATA[table] ?? {};
  return [...Object.keys(erased), ...`${gone} ${kept} ${none}`.split(' ')].filter(Boolean).toSorted();
}

it('names the fate of every column that an entity has, once', () => {
  const tables = [...test.app.deps.orm.getMetadata().getAll().values()];
  const columns = (meta: (typeof tables)[number]) =>
    Object.values(meta.properties).flatMap((property) =>
      property.persist === false ? [] : (property.fieldNames ?? []),
    );

  expect(tables.length).toBeGreaterThan(40);
  for (const meta of tables) {
    expect([meta.tableName, ...classified(meta.tableName)]).toEqual([meta.tableName, ...columns(meta).toSorted()]);
  }
});

it('names the fate of every column that the database has', async () => {
  const rows = await database(test).execute<{ name: string; columns: string[] }[]>(
    `select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
      where table_schema = 'public' group by 1 order by 1`,
  );
  const found = rows.filter(({ name }) => !OTHERS.includes(name));

  expect(found.map(({ name }) => name)).toEqual(Object.keys(PERSONAL_DATA).toSorted());
  for (const { name, columns } of found) expect([name, ...classified(name)]).toEqual([name, ...columns.toSorted()]);
});
