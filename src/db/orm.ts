import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { EVERY_COMPANY } from './entities/columns.ts';
import * as entities from './entities/index.ts';
import { migrations } from './migrations/index.ts';
import { endConnecting, guidePlans, preparePool } from './pool.ts';

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
      onConnect: guidePlans,
      onPoolCreated: preparePool,
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

/**
 * Closes all connections. A connection that is being opened while Kysely closes its pool is never handed out or
 * released. The pool would wait for it for ever (kysely 0.28, `PostgresDriver.acquireConnection`).
 */
export async function closeOrm(orm: Orm): Promise<void> {
  await endConnecting((await orm.em.getConnection().getNativeClient()) as pg.Pool);
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
