import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { EVERY_COMPANY } from './entities/columns.ts';
import * as entities from './entities/index.ts';
import { migrations } from './migrations/index.ts';

export type Orm = MikroORM;
export type Em = EntityManager;

export interface OrmOptions {
  databaseUrl: string;
  /** Connections this process may open for its own queries. */
  poolSize: number;
  /** Passed on to the driver as the name shown in pg_stat_activity. */
  applicationName?: string;
}

const entityClasses = Object.values(entities).filter((value) => typeof value === 'function');

export function ormConfig({ databaseUrl, poolSize, applicationName = 'smista' }: OrmOptions): Options {
  return defineConfig({
    clientUrl: databaseUrl,
    entities: entityClasses,
    extensions: [Migrator],
    // A row is reached by its own company. Joining the company of every referenced row only costs, and would lock it
    // too.
    autoJoinRefsForFilters: false,
    pool: { min: 0, max: poolSize },
    driverOptions: {
      application_name: applicationName,
      connectionTimeoutMillis: 5000,
      onPoolCreated: (pool: pg.Pool) => void pools.set(pool, trackConnecting(pool)),
    },
    // No entity describes the migrations table, or the triggers and functions of events and search: tests cover those.
    schemaGenerator: { skipTables: ['smista_migrations'], ignoreTriggers: true, ignoreRoutines: true },
    migrations: {
      tableName: 'smista_migrations',
      migrationsList: migrations as never,
      path: 'src/db/migrations',
      snapshot: false,
      transactional: true,
      allOrNothing: true,
      emit: 'ts',
    },
    debug: false,
    loggerFactory: () => quietLogger,
  });
}

/** The ORM prints query texts with values, which must not reach the log. */
const quietLogger = {
  log: () => undefined,
  error: () => undefined,
  warn: () => undefined,
  logQuery: () => undefined,
  setDebugMode: () => undefined,
  isEnabled: () => false,
};

/** Stops opening connections. A connection that is being opened is handed over first. */
type EndConnecting = () => Promise<void>;

const pools = new WeakMap<pg.Pool, EndConnecting>();

function trackConnecting(pool: pg.Pool): EndConnecting {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const connecting = new Set<Promise<unknown>>();
  let isClosing = false;
  const tracked = (callback?: unknown): Promise<pg.PoolClient> | undefined => {
    // `pool.query` passes a callback, and releases by itself.
    if (callback !== undefined) return (connect as unknown as (callback: unknown) => undefined)(callback);
    if (isClosing) return Promise.reject(new Error('The database connections are being closed'));
    const opening = connect();
    connecting.add(opening);
    const forget = (): void => void connecting.delete(opening);
    opening.then(forget, forget);
    return opening;
  };
  pool.connect = tracked as pg.Pool['connect'];
  return async () => {
    isClosing = true;
    await Promise.allSettled([...connecting]);
  };
}

/**
 * Closes all connections. A connection that is being opened while Kysely closes its pool is never handed out or
 * released. The pool would wait for it for ever (kysely 0.28, `PostgresDriver.acquireConnection`).
 */
export async function closeOrm(orm: Orm): Promise<void> {
  await pools.get((await orm.em.getConnection().getNativeClient()) as pg.Pool)?.();
  await orm.close(true);
}

export async function openOrm(options: OrmOptions): Promise<Orm> {
  return MikroORM.init(ormConfig(options)) as Promise<Orm>;
}

/** Returns an entity manager that sees one company only. */
export function companyEm(orm: Orm, companyId: number): Em {
  const em = orm.em.fork();
  em.setFilterParams('company', { companyId });
  return em;
}

/** Returns an entity manager for work without a request: workers, scheduler, command line. */
export function systemEm(orm: Orm): Em {
  const em = orm.em.fork();
  em.setFilterParams('company', { companyId: EVERY_COMPANY });
  return em;
}
