import pg from 'pg';
import type { Orm } from '../../src/db/orm.ts';
import { shows } from '../../src/db/pool.ts';
import { COMPANY_ROLE } from '../../src/db/row-security.ts';
import type { TestApp } from './test-app.ts';
import { WEEKS_OF_ORDERS } from './weeks-of-orders.ts';

const ORDERS = 5000;
/** The factor and the amount, in PostgreSQL's own units, that row-level security may add to the cost of a plan. */
const TIMES = 2;
const MORE = 50;

/** Returns a set that collects the statements which run with row-level security from now on. */
export async function noteStatements(orm: Orm): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const pool = (await orm.em.getConnection().getNativeClient()) as unknown as { Client: typeof pg.Client };
  const { prototype } = pool.Client;
  const asWritten = prototype.query as (...given: unknown[]) => unknown;
  prototype.query = function query(this: pg.Client, ...given: unknown[]) {
    const [first] = given as [string | pg.QueryConfig];
    if (!shows(this, null)) seen.add(typeof first === 'string' ? first : first.text);
    return asWritten.apply(this, given);
  } as typeof prototype.query;
  return seen;
}

/** Returns the statements whose plan loses an index to row-level security, in a database with the orders of some weeks. */
export async function slowedDown(test: TestApp, statements: Iterable<string>): Promise<string[]> {
  const client = new pg.Client({ connectionString: test.app.config.databaseUrl });
  await client.connect();
  const costOf = async (statement: string): Promise<number> => {
    const { rows } = await client.query(`explain (generic_plan, format json) ${statement}`);
    return rows[0]['QUERY PLAN'][0].Plan['Total Cost'];
  };
  const found: string[] = [];
  try {
    const [own] = (await client.query(`select company_id as id from contracts where id = ${test.contractId}`)).rows;
    await client.query(WEEKS_OF_ORDERS, [own.id, test.contractId, ORDERS, 1]);
    await client.query('vacuum analyze');
    for (const statement of statements) {
      if (!/^\s*(select|with|insert|update|delete)/i.test(statement)) continue;
      const without = await costOf(statement);
      await client.query(`set role ${COMPANY_ROLE}; set smista.companies = '{${own.id}}'`);
      const cost = await costOf(statement);
      await client.query('reset role');
      if (cost > TIMES * without + MORE) found.push(`${cost} instead of ${without}: ${statement}`);
    }
  } finally {
    await client.end();
  }
  return found;
}
