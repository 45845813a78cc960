import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { BucketOptions } from './lib/bucket.ts';
import { UsageError } from './lib/errors.ts';

export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

export const ROLES = ['api', 'worker', 'scheduler'] as const;
export type Role = (typeof ROLES)[number];

const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1');
const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);
const url = (...protocols: string[]) =>
  z.string().refine(
    (text) => {
      return URL.canParse(text) && protocols.includes(new URL(text).protocol);
    },
    `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  );

/** Every setting, once. `.env.example` is generated from the descriptions, and a test compares. */
export const Environment = z.object({
  PORT: integer(0, 65535).default(3000).describe('HTTP port of the api'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address the api and the sandbox listen on'),
  PUBLIC_URL: url('http:', 'https:').optional().describe('How clients reach the api; default http://HOST:PORT'),
  DATA_DIR: z.string().min(1).default('.data').describe('Embedded database, generated secrets, sandbox books'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional().describe('PostgreSQL 14 or newer; absent: the embedded one'),
  REDIS_URL: url('redis:', 'rediss:').optional().describe('Redis for the queue; absent: the queue lives in PostgreSQL'),
  SECRET_KEY: z
    .string()
    .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64 (openssl rand -base64 32)')
    .optional()
    .describe('Seals credentials at rest; the same in every process; absent: made once and kept in DATA_DIR'),
  ADMIN_USER: z.string().min(1).default('admin').describe('Login of /admin/queues'),
  ADMIN_PASSWORD: z
    .string()
    .min(8)
    .optional()
    .describe('At least 8 characters; absent: made once and kept in DATA_DIR'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('pino level'),
  LOG_PRETTY: flag.optional().describe('Lines for people instead of JSON; default: when the output is a terminal'),
  SANDBOX: flag.optional().describe('Pretend partners and a demo company; default: only with the embedded database'),
  SANDBOX_PORT: integer(0, 65535).default(3001).describe('Port of the pretend partners'),
  SMISTA_ADAPTERS: z
    .string()
    .default('')
    .describe(
      'Carriers and marketplaces of others, separated by commas: packages installed beside smista, or paths such as ./my-carrier; the same in every process',
    ),
  DATABASE_POOL: integer(1, 500).default(10).describe('Connections a process may open for its own queries'),
  QUEUE_POOL: integer(2, 500)
    .default(16)
    .describe('Connections a process may open for a queue in PostgreSQL, and one more per queue it works on'),
  WORKER_CONCURRENCY: integer(1, 1000)
    .default(10)
    .describe('Jobs of a queue that one process lets call the partner at a time'),
  WAIT_SECONDS: integer(0, 300).default(25).describe('How long a request waits for slow work before it answers 202'),
  RATE_LIMIT_PER_MINUTE: integer(0, 1_000_000).default(3000).describe('Requests per API key and minute; 0: no limit'),
  RETRY_ATTEMPTS: integer(1, 50).default(8).describe('How often a job is tried'),
  RETRY_BASE_MS: integer(1, 3_600_000).default(2000).describe('First pause between tries; doubles up to five minutes'),
  CALL_LIMIT_SECONDS: integer(4, 3600).default(120).describe('Work with a partner older than this has lost its worker'),
  JOB_LOCK_SECONDS: integer(2, 3600).default(60).describe('After this a job whose worker vanished goes to another'),
  SETTLING_SECONDS: integer(0, 3600)
    .optional()
    .describe(
      'Only with pretend carriers: how long a lost booking may still turn up; default: what each carrier needs',
    ),
  TRACKING_INTERVAL_MINUTES: integer(1, 10_080).default(60).describe('Pause between two polls of a parcel on its way'),
  TRACKING_EXPIRE_DAYS: integer(1, 365).default(30).describe('Days without news after which polling stops'),
  HELD_CONFIRM_DAYS: integer(1, 90)
    .default(3)
    .describe('Days after which a decision about a held parcel that tracking does not show is at the desk'),
  IMPORT_INTERVAL_MINUTES: integer(1, 1440).default(5).describe('Pause between two imports of a marketplace'),
  RETENTION_DAYS: integer(1, 3650).default(90).describe('How long exchanges, events and idempotency keys are kept'),
  EXCHANGE_BODY_DAYS: integer(0, 3650)
    .default(30)
    .describe(
      'How long the texts of exchanges are kept, which hold names and addresses, at most RETENTION_DAYS; 0: not at all',
    ),
  DOCUMENTS_S3_URL: url('http:', 'https:')
    .optional()
    .describe('Endpoint and bucket for labels and other documents (path style); absent: they lie in PostgreSQL'),
  DOCUMENTS_S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket'),
  DOCUMENTS_S3_KEY: z.string().min(1).optional().describe('Access key of the bucket'),
  DOCUMENTS_S3_SECRET: z.string().min(1).optional().describe('Secret of that key'),
  DOCUMENT_DAYS: integer(62, 3650)
    .optional()
    .describe('How long labels and other documents are kept, which hold names and addresses; absent: for ever'),
  EVENTS_ALLOW_PRIVATE: flag
    .optional()
    .describe(
      'Events may go to http and to private addresses, for development; default: only with the embedded database and pretend partners',
    ),
  EVENTS_TIMEOUT_SECONDS: integer(1, 60)
    .default(15)
    .describe('How long an event endpoint may take for everything, from the look-up of its name to its answer'),
  SHUTDOWN_SECONDS: integer(1, 600).default(20).describe('How long a stop may wait for work in flight'),
});

export type Config = Readonly<{
  port: number;
  host: string;
  publicUrl: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  secretKey: string | undefined;
  admin: { user: string; password: string | undefined };
  logLevel: string;
  logPretty: boolean;
  sandbox: boolean;
  sandboxPort: number;
  /** Packages and paths. */
  adapters: readonly string[];
  databasePool: number;
  queuePool: number;
  workerConcurrency: number;
  waitSeconds: number;
  rateLimitPerMinute: number;
  retryAttempts: number;
  retryBaseMs: number;
  callLimitSeconds: number;
  jobLockSeconds: number;
  settlingSeconds: number | undefined;
  trackingIntervalMinutes: number;
  trackingExpireDays: number;
  heldConfirmDays: number;
  importIntervalMinutes: number;
  retentionDays: number;
  exchangeBodyDays: number;
  documentBucket: BucketOptions | null;
  documentDays: number | undefined;
  eventsAllowPrivate: boolean;
  eventsTimeoutSeconds: number;
  shutdownSeconds: number;
}>;

/** Reads the environment once; every fault is named, none is replaced by a default. An empty value counts as absent. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const known = Object.keys(Environment.shape);
  const given = Object.fromEntries(known.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
  const parsed = Environment.superRefine(checkBucket).safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new UsageError(`The environment is not right:\n${faults.join('\n')}`);
  }
  const env = parsed.data;
  const sandbox = env.SANDBOX ?? env.DATABASE_URL === undefined;
  return Object.freeze({
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
    dataDir: path.resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    secretKey: env.SECRET_KEY,
    admin: { user: env.ADMIN_USER, password: env.ADMIN_PASSWORD },
    logLevel: env.LOG_LEVEL,
    logPretty: env.LOG_PRETTY ?? process.stdout.isTTY === true,
    sandbox,
    sandboxPort: env.SANDBOX_PORT,
    adapters: env.SMISTA_ADAPTERS.split(',')
      .map((name) => name.trim())
      .filter(Boolean),
    databasePool: env.DATABASE_POOL,
    queuePool: env.QUEUE_POOL,
    workerConcurrency: env.WORKER_CONCURRENCY,
    waitSeconds: env.WAIT_SECONDS,
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    retryAttempts: env.RETRY_ATTEMPTS,
    retryBaseMs: env.RETRY_BASE_MS,
    callLimitSeconds: env.CALL_LIMIT_SECONDS,
    jobLockSeconds: env.JOB_LOCK_SECONDS,
    settlingSeconds: env.SETTLING_SECONDS,
    trackingIntervalMinutes: env.TRACKING_INTERVAL_MINUTES,
    trackingExpireDays: env.TRACKING_EXPIRE_DAYS,
    heldConfirmDays: env.HELD_CONFIRM_DAYS,
    importIntervalMinutes: env.IMPORT_INTERVAL_MINUTES,
    retentionDays: env.RETENTION_DAYS,
    exchangeBodyDays: env.EXCHANGE_BODY_DAYS,
    documentBucket: bucketOf(env),
    documentDays: env.DOCUMENT_DAYS,
    eventsAllowPrivate: env.EVENTS_ALLOW_PRIVATE ?? (sandbox && env.DATABASE_URL === undefined),
    eventsTimeoutSeconds: env.EVENTS_TIMEOUT_SECONDS,
    shutdownSeconds: env.SHUTDOWN_SECONDS,
  });
}

/** A bucket is configured whole or not at all. */
function checkBucket(env: Partial<z.output<typeof Environment>>, context: z.RefinementCtx): void {
  const names = ['DOCUMENTS_S3_URL', 'DOCUMENTS_S3_KEY', 'DOCUMENTS_S3_SECRET'] as const;
  const given = names.filter((name) => env[name] !== undefined);
  if (given.length === 0 || given.length === names.length) return;
  for (const name of names) {
    if (env[name] === undefined) {
      context.addIssue({ code: 'custom', path: [name], message: `must be set, since ${given.join(' and ')} is` });
    }
  }
}

function bucketOf(env: z.output<typeof Environment>): BucketOptions | null {
  const { DOCUMENTS_S3_URL: url, DOCUMENTS_S3_KEY: key, DOCUMENTS_S3_SECRET: secret } = env;
  if (!url || !key || !secret) return null;
  return { url: url.replace(/\/+$/, ''), region: env.DOCUMENTS_S3_REGION, key, secret };
}

/** As somebody on this machine reaches what listens on `host`. */
export function shownHost(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

/** Whether what listens on `host` can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}
