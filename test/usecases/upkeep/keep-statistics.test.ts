import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Em, systemEm } from '../../../src/db/orm.ts';
import { keepStatistics } from '../../../src/usecases/upkeep/keep-statistics.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let test: TestApp;
let em: Em;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
  em = systemEm(test.app.deps.orm);
});
afterAll(() => test.stop());

it('analyzes the large tables that PostgreSQL knows nothing about, and each once', async () => {
  await em.execute('alter table customers set (autovacuum_enabled = off)');
  await em.execute('alter table warehouses set (autovacuum_enabled = off)');
  await em.execute(
    `insert into customers (company_id, full_name) select ?, 'Chiara Prova' from generate_series(1, 20000)`,
    [test.demo.companyId],
  );
  await em.execute(`update pg_class set reltuples = -1 where relname in ('customers', 'warehouses')`);

  const tables = [await keepStatistics(test.app.deps), await keepStatistics(test.app.deps)];

  const known = await em.execute(
    `select relname as name, reltuples > 0 as "isKnown" from pg_class where relname in ('customers', 'warehouses') order by 1`,
  );
  expect(tables).toEqual([['customers'], []]);
  expect(known).toEqual([
    { name: 'customers', isKnown: true },
    { name: 'warehouses', isKnown: false },
  ]);
});
