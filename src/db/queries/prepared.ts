import type { Pool } from 'pg';
import type { Orm } from '../orm.ts';
import type { Described } from './json-rows.ts';
import type { Built } from './sql.ts';

/** PostgreSQL parses and plans it once per connection; names are unique among all statements. */
export interface Statement {
  name: string;
  text: string;
}

const pools = new WeakMap<Orm, Promise<Pool>>();

/**
 * Runs a statement over the ORM's connections, without the ORM. It is for the few paths that run thousands of times a
 * second. There the ORM takes ten times as long to build a query and entities as PostgreSQL takes to answer.
 */
export async function runPrepared<Row extends object>(
  orm: Orm,
  { name, text }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const pool = await poolOf(orm);
  const { rows } = await pool.query<Row>({ name, text, values: [...values] });
  return rows;
}

const names = new Map<string, string>();

/**
 * Converts a composed statement, with a question mark per value, to PostgreSQL's form. There must be few different
 * texts of it.
 */
function numbered({ sql, params }: Built): { name: string; text: string; values: unknown[] } {
  let at = 0;
  const text = sql.replaceAll('?', () => `$${++at}`);
  const name = names.get(text) ?? `built-${names.size + 1}`;
  names.set(text, name);
  return { name, text, values: params };
}

export async function runBuilt<Row extends object>(orm: Orm, statement: Built): Promise<Row[]> {
  const pool = await poolOf(orm);
  return (await pool.query<Row>(numbered(statement))).rows;
}

export type RunBuilt = <Row extends object>(statement: Built) => Promise<Row[]>;

/** Runs several statements in a transaction; each sees the commits before its own start. */
export async function transactionally<Result>(orm: Orm, work: (run: RunBuilt) => Promise<Result>): Promise<Result> {
  const client = await (await poolOf(orm)).connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(
      async <Row extends object>(built: Built) => (await client.query<Row>(numbered(built))).rows,
    );
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((lost: Error) => {
      broken = lost;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Runs statements with a question mark per value: an entity manager, or prepared statements. */
export interface Runner extends Described {
  execute<Rows extends object[]>(sql: string, params?: unknown[]): Promise<Rows>;
}

/**
 * Works like `transactionally`, for code that may also run on an entity manager. A type must be written where PostgreSQL cannot
 * infer it, as in `select ?::int`.
 */
export function runTransaction<Result>(orm: Orm, work: (tx: Runner) => Promise<Result>): Promise<Result> {
  return transactionally(orm, (run) =>
    work({
      execute: async <Rows extends object[]>(sql: string, params: unknown[] = []) =>
        (await run({ sql, params })) as Rows,
      getMetadata: () => orm.getMetadata(),
    }),
  );
}

function poolOf(orm: Orm): Promise<Pool> {
  const known = pools.get(orm);
  if (known) return known;
  const opening = orm.em.getConnection().getNativeClient() as Promise<Pool>;
  pools.set(orm, opening);
  return opening;
}
