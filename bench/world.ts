import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Role, readConfig } from '../src/config.ts';
import { openCore } from '../src/core.ts';
import { Contract } from '../src/db/entities/index.ts';
import { systemEm } from '../src/db/orm.ts';
import { startEmbeddedPostgres } from '../src/embedded/postgres.ts';
import { freePort } from '../src/lib/free-port.ts';
import { silentLog } from '../src/lib/log.ts';
import { createKey } from '../src/usecases/setup/api-keys.ts';
import { apply } from '../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../src/usecases/setup/apply-document.ts';

export interface RunningProcess {
  pid: number;
  /** Where it listens; empty for a worker. */
  url: string;
  /** From its start until it said that it is ready. */
  readyMs: number;
  stop(): Promise<void>;
}

/** Servers, a pretend carrier without delay, and one company with one contract; the processes of the product are started by cases. */
export interface World extends AsyncDisposable {
  /** DATA_DIR of its processes. */
  dataDir: string;
  databaseUrl: string;
  /** Null for a given database, whose processes are unknown. */
  postgresPid: number | null;
  redisUrl: string | null;
  sandbox: RunningProcess;
  apiKey: string;
  companyId: number;
  contractId: number;
  startRole(role: Role, env?: Record<string, string>): Promise<RunningProcess>;
  /** Adds another company with a key and a contract. */
  addCompany(key: string): Promise<{ apiKey: string; companyId: number }>;
  startFloor(): Promise<RunningProcess>;
  /** A bare worker; it answers when it has booked the shipments it is told. */
  startFloorWorker(concurrency: number): Promise<FloorWorker>;
  /** A connection for what is set up by hand. */
  connect(): Promise<Connection>;
}

export interface FloorWorker extends RunningProcess {
  book(shipmentIds: readonly number[]): Promise<void>;
}

export interface Connection extends AsyncDisposable {
  query<Row>(text: string, values: unknown[]): Promise<Row[]>;
}

const READY_LOOK_MS = 5;
const START_PATIENCE_MS = 60_000;
const PROFILES = 'bench/profiles';

/**
 * Opens PostgreSQL and Redis of BENCH_DATABASE_URL and BENCH_REDIS_URL, else its own. Its own PostgreSQL has default settings,
 * with fsync.
 */
export async function openWorld(options: { queue: 'postgres' | 'redis'; isProfiled: boolean }): Promise<World> {
  const stack = new AsyncDisposableStack();
  try {
    return await setUp(stack, options);
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function setUp(
  stack: AsyncDisposableStack,
  options: { queue: 'postgres' | 'redis'; isProfiled: boolean },
): Promise<World> {
  const directory = mkdtempSync(path.join(tmpdir(), 'smista-bench-'));
  stack.defer(() => rmSync(directory, { recursive: true, force: true }));
  const { url: databaseUrl, pid: postgresPid } = await openDatabase(stack, directory);
  const redisUrl = options.queue === 'redis' ? await openRedis(stack, directory) : null;
  const profile = options.isProfiled ? ['--cpu-prof', '--cpu-prof-interval=250', `--cpu-prof-dir=${PROFILES}`] : [];
  const env = {
    PATH: process.env.PATH ?? '',
    DATA_DIR: directory,
    DATABASE_URL: databaseUrl,
    PORT: '0',
    SANDBOX_PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
  };
  const launch = (name: string, args: string[], ready: RegExp, extra: Record<string, string> = {}) =>
    launchProcess(stack, { args, ready, env: { ...env, ...extra }, logFile: path.join(directory, `${name}.log`) });

  const sandbox = await launch('sandbox', ['src/main.ts', 'sandbox'], /ready at (\S+?);/);
  const company = await declareCompany(env, sandbox.url, 'bench');
  return {
    dataDir: directory,
    databaseUrl,
    postgresPid,
    redisUrl,
    sandbox,
    ...company,
    startRole: (role, extra) =>
      launch(
        role,
        [...profile, 'bin/smista.js', 'start', '--role', role],
        role === 'api' ? /"url":"([^"]+)".*"msg":"ready"/ : /"msg":"ready"/,
        extra,
      ),
    addCompany: (key) => declareCompany(env, sandbox.url, key),
    startFloor: () =>
      launch('floor', [...profile, 'bench/floor-server.ts'], /ready at (\S+)/, {
        COMPANY_ID: String(company.companyId),
      }),
    startFloorWorker: async (concurrency) => {
      const extra = {
        COMPANY_ID: String(company.companyId),
        CARRIER_URL: `${sandbox.url}/gls-it`,
        CONCURRENCY: String(concurrency),
      };
      const started = await launch(
        'floor-worker',
        [...profile, 'bench/floor-worker.ts'],
        /ready at (its queue)/,
        extra,
      );
      const book = async (shipmentIds: readonly number[]): Promise<void> => {
        const booked = once(started.child, 'message');
        started.child.send(shipmentIds);
        await booked;
      };
      return { ...started, book };
    },
    connect: () => connect(databaseUrl),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function connect(databaseUrl: string): Promise<Connection> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    query: async (text, values) => (await client.query(text, values)).rows,
    [Symbol.asyncDispose]: () => client.end(),
  };
}

async function openDatabase(
  stack: AsyncDisposableStack,
  directory: string,
): Promise<{ url: string; pid: number | null }> {
  const given = process.env.BENCH_DATABASE_URL;
  if (given) return { url: given, pid: null };
  const postgres = await startEmbeddedPostgres({ directory: path.join(directory, 'postgres'), password: 'bench' });
  stack.defer(() => postgres.stop());
  const [pid] = readFileSync(path.join(directory, 'postgres/postmaster.pid'), 'utf8').split('\n');
  return { url: postgres.url, pid: Number(pid) };
}

async function openRedis(stack: AsyncDisposableStack, directory: string): Promise<string> {
  const given = process.env.BENCH_REDIS_URL;
  if (given) return given;
  const port = await freePort();
  const child = spawn('redis-server', ['--port', String(port), '--dir', directory, '--save', ''], { stdio: 'ignore' });
  stack.defer(() => stopProcess(child));
  return `redis://127.0.0.1:${port}`;
}

async function declareCompany(env: Record<string, string>, sandboxUrl: string, key: string) {
  const account = {
    sedeGls: 'YA',
    codiceClienteGls: '999901',
    passwordClienteGls: 'sandbox',
    codiceContrattoGls: '0001',
    baseUrl: `${sandboxUrl}/gls-it`,
  };
  // ZPL, because the simulated carrier draws each PDF from scratch, which costs more than everything measured.
  const contract = { key: 'gls', label: 'GLS', carrier: 'gls-it', label_format: 'zpl', default: true, account };
  const company = {
    key,
    name: 'Bench',
    address: 'Via dei Mille 7',
    city: 'Bologna',
    province: 'BO',
    postal_code: '40121',
    phone: '0510000000',
    products: [{ sku: 'MUG-01', title: 'Tazza in ceramica', weight_kg: 0.4 }],
    contracts: [contract],
  };
  await using stack = new AsyncDisposableStack();
  const { deps } = await openCore(stack, { config: readConfig(env), log: silentLog, migrate: true });
  await apply(deps, ApplyDocument.parse({ companies: [company] }));
  const made = await createKey(deps, { companyKey: key, name: 'bench', expiresAt: null });
  const { companyId } = made;
  const { id: contractId } = await systemEm(deps.orm).findOneOrFail(Contract, { companyId, key: 'gls' });
  return { apiKey: made.key, companyId, contractId };
}

export async function launchProcess(
  stack: AsyncDisposableStack,
  options: { args: string[]; ready: RegExp; env: Record<string, string>; logFile: string },
): Promise<RunningProcess & { child: ChildProcess }> {
  const started = performance.now();
  const output = openSync(options.logFile, 'w');
  const child = spawn(process.execPath, options.args, {
    env: options.env,
    stdio: ['ignore', output, 'inherit', 'ipc'],
  });
  stack.defer(() => stopProcess(child));
  for (;;) {
    const found = options.ready.exec(readFileSync(options.logFile, 'utf8'));
    if (found) {
      const readyMs = performance.now() - started;
      return { child, pid: child.pid ?? 0, url: found[1] ?? '', readyMs, stop: () => stopProcess(child) };
    }
    if (child.exitCode !== null) throw new Error(`${options.args.join(' ')} ended with ${child.exitCode}`);
    if (performance.now() - started > START_PATIENCE_MS) throw new Error(`${options.args.join(' ')} is not ready`);
    await delay(READY_LOOK_MS);
  }
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
