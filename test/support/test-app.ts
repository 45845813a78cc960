import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inject } from 'vitest';
import type { LedgerEntry } from '../../sandbox/src/partner.ts';
import { type App, startApp } from '../../src/app.ts';
import { type Role, readConfig } from '../../src/config.ts';
import { type DemoCompany, setUpDemo, setUpDemoCompany } from '../../src/demo/demo-account.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { type Log, silentLog } from '../../src/lib/log.ts';
import { carrierQueue, marketplaceQueue, trackingQueue } from '../../src/queue/jobs.ts';
import { answerFaults } from './api-document.ts';
import { cloneDatabase } from './test-database.ts';

export type Backend = 'postgres' | 'redis';

/** Lists both queue backends, or only PostgreSQL when there is no Redis. */
export function backends(): Backend[] {
  return inject('redisUrl') === null ? ['postgres'] : ['postgres', 'redis'];
}

export interface TestAppOptions {
  backend?: Backend;
  roles?: readonly Role[];
  /** The queues of its worker. Default: those that the demo company's first contract and its shop need. */
  queues?: readonly string[] | null;
  /** Overrides of the environment. */
  env?: Record<string, string>;
  now?: Clock;
  log?: Log;
  /** Also creates its person and DATA_DIR/demo.json. Default: false, since hashing a password takes time. */
  hasPerson?: boolean;
}

export interface Answer<Body = never> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface TestApp {
  app: App;
  demo: DemoCompany;
  contractId: number;
  carrierId: number;
  connectionId: number;
  /** Calls the api as the demo company; paths are below the base path. Throws when the answer is not what the document says. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<any>>;
  /** Reads again until `wanted` holds; throws with the last answer after thirty seconds. */
  until<Value>(read: () => Promise<Value>, wanted: (value: Value) => boolean): Promise<Value>;
  fault(partner: string, operation: string, fault: string, times?: number): Promise<void>;
  clearFaults(): Promise<void>;
  advance(hours: number): Promise<void>;
  ledger(partner: string, reference: string): Promise<LedgerEntry | undefined>;
  stop(): Promise<void>;
}

const PATIENCE_MS = 30_000;
/** Reading without a pause would take the processor from what is waited for. */
const PAUSE_MS = 10;
const FIRST_QUEUES = [carrierQueue('gls-it'), trackingQueue('gls-it'), marketplaceQueue('woocommerce')];

/** Text and bytes of a file. */
function isSentAsItIs(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}

/**
 * Starts the whole product on a database of its own, with the simulated partners and the demo company. The scheduler runs only on
 * request.
 */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = await cloneDatabase();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'smista-app-'));
  const redisUrl = options.backend === 'redis' ? inject('redisUrl') : null;
  const config = readConfig({
    PORT: '0',
    SANDBOX_PORT: '0',
    SANDBOX: 'true',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    DATABASE_POOL: '8',
    QUEUE_POOL: '7',
    RETRY_ATTEMPTS: '3',
    RETRY_BASE_MS: '10',
    WAIT_SECONDS: '15',
    RATE_LIMIT_PER_MINUTE: '0',
    ...options.env,
  });
  const app = await startApp({
    config,
    log: options.log ?? silentLog,
    roles: options.roles ?? ['api', 'worker'],
    queues: options.queues === undefined ? FIRST_QUEUES : options.queues,
    migrate: false,
    queuePrefix: `test-${randomBytes(6).toString('hex')}`,
    ...(options.now ? { now: options.now } : {}),
  });
  const sandboxUrl = app.sandboxUrl ?? '';
  const demo = await (options.hasPerson ? setUpDemo : setUpDemoCompany)(app, sandboxUrl);
  app.markReady();

  const call: TestApp['call'] = async (method, url, body, headers = {}) => {
    const response = await fetch(`${app.url}/api/v1/external${url}`, {
      method,
      headers: {
        'x-api-key': demo.apiKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isSentAsItIs(body) ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const contentType = response.headers.get('content-type') ?? '';
    const answer = contentType.includes('json') ? JSON.parse(text) : text;
    const faults = answerFaults({ method, path: url, status: response.status, contentType, body: answer });
    if (faults.length > 0) throw new Error(`${method} ${url} differs from docs/openapi.json: ${faults.join('; ')}`);
    return { status: response.status, headers: response.headers, body: answer as never };
  };
  const control = async (method: string, url: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${sandboxUrl}/_control/${url}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`The sandbox refused ${url}: ${await response.text()}`);
    return response.status === 204 ? null : response.json();
  };
  const [contract] = (await call('GET', '/carriers/contracts')).body as { id: number; carrier: { id: number } }[];
  const [connection] = (await call('GET', '/marketplace/connected')).body as { id: number }[];

  return {
    app,
    demo,
    contractId: contract?.id ?? 0,
    carrierId: contract?.carrier.id ?? 0,
    connectionId: connection?.id ?? 0,
    call,
    async until(read, wanted) {
      const deadline = Date.now() + PATIENCE_MS;
      for (;;) {
        const value = await read();
        if (wanted(value)) return value;
        if (Date.now() > deadline) throw new Error(`Waited in vain; the last answer was ${JSON.stringify(value)}`);
        await delay(PAUSE_MS);
      }
    },
    fault: async (partner, operation, fault, times = 1) => {
      await control('POST', 'faults', { partner, operation, fault, times });
    },
    clearFaults: async () => void (await control('DELETE', 'faults')),
    advance: async (advanceHours) => void (await control('POST', 'clock', { advanceHours })),
    ledger: async (partner, reference) => {
      const books = (await control('GET', `ledger?partner=${partner}`)) as Record<string, LedgerEntry[]>;
      return books[partner]?.find((entry) => entry.reference === reference);
    },
    async stop() {
      await app.stop();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
