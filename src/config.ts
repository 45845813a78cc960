import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { BucketOptions } from './lib/bucket.ts';
import { UsageError } from './lib/errors.ts';
import { readSecretFiles } from './secret-files.ts';

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

/** All settings. `.env.example` is generated from the descriptions, and a test compares the two. */
export const Environment = z.object({
  PORT: integer(0, 65535).default(3000).describe('HTTP port of the api'),
  HEALTH_PORT: integer(0, 65535)
    .optional()
    .describe('HTTP port with /health/live, /health/ready and /metrics alone, for a process of any role; unset: none'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address the api and the sandbox listen on'),
  PUBLIC_URL: url('http:', 'https:').optional().describe('Base URL of the api for clients; default http://HOST:PORT'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .describe('Directory of the embedded database, generated secrets and sandbox ledgers'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional().describe('PostgreSQL 14 or newer; unset: the embedded one'),
  REDIS_URL: url('redis:', 'rediss:').optional().describe('Redis for the queue; unset: the queue is in PostgreSQL'),
  SECRET_KEY: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .refine(
      (keys) => keys.length > 0 && keys.every((key) => Buffer.from(key, 'base64').length === 32),
      'must be 32 bytes in base64 (openssl rand -base64 32), or several of them, the newest first',
    )
    .optional()
    .describe(
      'Encrypts credentials at rest; older keys may follow the newest, after a comma; must be the same in every process; unset: generated once in DATA_DIR',
    ),
  ADMIN_USER: z.string().min(1).default('admin').describe('Login of /admin/queues'),
  ADMIN_PASSWORD: z.string().min(8).optional().describe('At least 8 characters; unset: generated once in DATA_DIR'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('pino level'),
  LOG_PRETTY: flag.optional().describe('Readable lines instead of JSON; default: true when the output is a terminal'),
  SANDBOX: flag.optional().describe('Simulated partners and a demo company; default: true with the embedded database'),
  SANDBOX_PORT: integer(0, 65535).default(3001).describe('Port of the simulated partners'),
  SMISTA_ADAPTERS: z
    .string()
    .default('')
    .describe(
      'Extra adapters, separated by commas: packages installed beside smista, or paths such as ./my-carrier; must be the same in every process',
    ),
  DATABASE_POOL: integer(1, 500).default(10).describe('Maximum database connections of a process for its own queries'),
  QUEUE_POOL: integer(2, 500)
    .default(16)
    .describe('Maximum connections of a process for a queue in PostgreSQL; workers add one per queue'),
  WORKER_CONCURRENCY: integer(1, 1000)
    .default(10)
    .describe('Concurrent calls per queue and process; a partner has one queue or more'),
  WAIT_SECONDS: integer(0, 300).default(25).describe('Maximum wait of a request before it answers 202'),
  RATE_LIMIT_PER_MINUTE: integer(0, 1_000_000)
    .default(60_000)
    .describe(
      'Maximum points of a company per minute: a request costs one, a batch one per element; 0: no limit. Without Redis each process counts by itself',
    ),
  COMPANY_CONCURRENCY: integer(1, 500)
    .default(4)
    .describe(
      'Requests of one company that a process works on at a time; keep it below half of DATABASE_POOL. A wait for a carrier does not count',
    ),
  RETRY_ATTEMPTS: integer(1, 50).default(8).describe('Maximum attempts of a job'),
  RETRY_BASE_MS: integer(1, 3_600_000).default(2000).describe('First backoff; it doubles, up to five minutes'),
  CALL_LIMIT_SECONDS: integer(4, 3600)
    .default(120)
    .describe('A call to a partner that started longer ago than this has lost its worker'),
  JOB_LOCK_SECONDS: integer(2, 3600).default(60).describe('A job whose worker died moves to another worker after this'),
  SETTLING_SECONDS: integer(0, 3600)
    .optional()
    .describe(
      'For simulated carriers only: how long after a lost answer a booking may still appear; default: what each carrier needs',
    ),
  TRACKING_INTERVAL_MINUTES: integer(1, 10_080)
    .default(60)
    .describe('Interval between two polls of a parcel in transit'),
  TRACKING_EXPIRE_DAYS: integer(1, 365)
    .default(30)
    .describe('Polling stops after so long without a new tracking event'),
  HELD_CONFIRM_DAYS: integer(1, 90)
    .default(3)
    .describe('A release that tracking has not shown for so long goes to the desk'),
  IMPORT_INTERVAL_MINUTES: integer(1, 1440).default(5).describe('Interval between two imports of a marketplace'),
  RETENTION_DAYS: integer(1, 3650).default(90).describe('Retention of exchanges, events and idempotency keys'),
  EXCHANGE_BODY_DAYS: integer(0, 3650)
    .default(30)
    .describe(
      'Retention of the texts of exchanges, which hold names and addresses; at most RETENTION_DAYS; 0: never stored',
    ),
  DOCUMENTS_S3_URL: url('http:', 'https:')
    .optional()
    .describe('Endpoint and bucket for labels and other documents (path style); unset: they are in PostgreSQL'),
  DOCUMENTS_S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket'),
  DOCUMENTS_S3_KEY: z.string().min(1).optional().describe('Access key of the bucket'),
  DOCUMENTS_S3_SECRET: z.string().min(1).optional().describe('Secret of that access key'),
  DOCUMENT_DAYS: integer(62, 3650)
    .optional()
    .describe('Retention of labels and other documents, which hold names and addresses; unset: for ever'),
  PERSONAL_DATA_DAYS: integer(0, 3650)
    .default(0)
    .describe(
      'Names, streets, phones, e-mail addresses, tax codes and notes are erased so long after the end of an order; 0: never',
    ),
  EVENTS_ALLOW_PRIVATE: flag
    .optional()
    .describe(
      'Lets event endpoints use http and private addresses, for development; default: true with the embedded database and simulated partners',
    ),
  EVENTS_TIMEOUT_SECONDS: integer(1, 60)
    .default(15)
    .describe('Time limit of one delivery to an event endpoint, from the DNS look-up to the answer'),
  PRINTER_PORTS: z
    .string()
    .default('')
    .refine(
      (text) => portsOf(text).every((port) => Number.isInteger(port) && port > 0 && port < 65_536),
      'must be ports, separated by commas',
    )
    .describe(
      'Ports that printers may have beside 9100 to 9107 (raw) and 631, 80, 443, 8631 (IPP), separated by commas',
    ),
  PRINTERS_ALLOW_LOOPBACK: flag.default(false).describe('Lets printers be on this machine, for development'),
  SHUTDOWN_SECONDS: integer(1, 600).default(20).describe('Maximum wait for work in flight during a stop'),
  OIDC_ISSUER: url('http:', 'https:')
    .refine(
      (text) => URL.parse(text)?.protocol !== 'http:' || isLoopback(new URL(text).hostname),
      'must be https, except on this machine',
    )
    .optional()
    .describe('Identity provider (OpenID Connect) that people may log in with; unset: with passwords only'),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe('Client id of smista at the identity provider'),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().describe('Secret of that client'),
  SMISTA_TOKEN: z
    .string()
    .regex(/^[!-:<-~]+$/, 'must be one word')
    .optional()
    .describe('API key with the scope admin for apply and export with --url; the service does not read it'),
});

export type Config = Readonly<{
  port: number;
  /** Null: none. */
  healthPort: number | null;
  host: string;
  publicUrl: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  /** Base64, newest first; empty: the key of the data directory. */
  secretKeys: readonly string[];
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
  companyConcurrency: number;
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
  /** 0: never. */
  personalDataDays: number;
  eventsAllowPrivate: boolean;
  eventsTimeoutSeconds: number;
  /** Ports beside those of every printer. */
  printerPorts: readonly number[];
  printersAllowLoopback: boolean;
  shutdownSeconds: number;
  /** Null: people log in with passwords only. */
  identityProvider: { issuer: string; clientId: string; clientSecret: string } | null;
  /** Credential for another service's API. */
  token: string | undefined;
}>;

/** Reads the environment and the files of its secrets. An empty value counts as unset. Throws a `UsageError` that lists every invalid setting. */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const environment = readSecretFiles(variables);
  const known = Object.keys(Environment.shape);
  const given = Object.fromEntries(known.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
  const parsed = Environment.superRefine(checkTogether).safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new UsageError(`Invalid settings in the environment:\n${faults.join('\n')}`);
  }
  const env = parsed.data;
  const sandbox = env.SANDBOX ?? env.DATABASE_URL === undefined;
  return Object.freeze({
    port: env.PORT,
    healthPort: env.HEALTH_PORT ?? null,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
    dataDir: path.resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    secretKeys: env.SECRET_KEY ?? [],
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
    companyConcurrency: env.COMPANY_CONCURRENCY,
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
    personalDataDays: env.PERSONAL_DATA_DAYS,
    eventsAllowPrivate: env.EVENTS_ALLOW_PRIVATE ?? (sandbox && env.DATABASE_URL === undefined),
    eventsTimeoutSeconds: env.EVENTS_TIMEOUT_SECONDS,
    printerPorts: portsOf(env.PRINTER_PORTS),
    printersAllowLoopback: env.PRINTERS_ALLOW_LOOPBACK,
    shutdownSeconds: env.SHUTDOWN_SECONDS,
    identityProvider: identityProviderOf(env),
    token: env.SMISTA_TOKEN,
  });
}

/** Settings that are given together or not at all. */
const TOGETHER = [
  ['DOCUMENTS_S3_URL', 'DOCUMENTS_S3_KEY', 'DOCUMENTS_S3_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
] as const;

function checkTogether(env: Partial<z.output<typeof Environment>>, context: z.RefinementCtx): void {
  for (const names of TOGETHER) {
    const given = names.filter((name) => env[name] !== undefined);
    if (given.length === 0) continue;
    for (const name of names) {
      if (env[name] === undefined) {
        context.addIssue({ code: 'custom', path: [name], message: `must be set, since ${given.join(' and ')} is` });
      }
    }
  }
}

function portsOf(text: string): number[] {
  return text
    .split(',')
    .map((port) => port.trim())
    .filter(Boolean)
    .map(Number);
}

function identityProviderOf(env: z.output<typeof Environment>): Config['identityProvider'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  return issuer && clientId && clientSecret ? { issuer, clientId, clientSecret } : null;
}

function bucketOf(env: z.output<typeof Environment>): BucketOptions | null {
  const { DOCUMENTS_S3_URL: url, DOCUMENTS_S3_KEY: key, DOCUMENTS_S3_SECRET: secret } = env;
  if (!url || !key || !secret) return null;
  return { url: url.replace(/\/+$/, ''), region: env.DOCUMENTS_S3_REGION, key, secret };
}

/** Returns the host by which a client on this machine reaches a server that listens on `host`. */
export function shownHost(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

/** Tells whether only this machine can reach a server that listens on `host`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}
