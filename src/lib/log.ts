import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import pretty from 'pino-pretty';
import { noteOutputError } from './closed-output.ts';

export type Log = Logger;

/** Personal data and secrets never reach the log, in any object that a caller passes. */
const REDACTED = [
  'password',
  'secret',
  'token',
  'apiKey',
  'account',
  'credentials',
  'authorization',
  'headers',
  'body',
  'email',
  'phone',
  'fullName',
  'full_name',
  'address',
  'customer',
  'shipping',
  'billing',
  'recipient',
  'connectionString',
];

export interface LogOptions {
  level: string;
  pretty?: boolean;
  destination?: DestinationStream;
}

/** Creates a pino logger: JSON lines, or readable lines for a terminal. */
export function createLog({ level, pretty: isPretty = false, destination }: LogOptions): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
    serializers: { err: safeError, error: safeError },
  };
  if (destination) return pino(options, destination);
  const output = pino.destination({ dest: 1, sync: true });
  // Pino itself ignores a closed pipe and goes on without its log.
  output.on('error', noteOutputError);
  if (!isPretty) return pino(options, output);
  // Written in this thread: from a worker thread, lines would come after the text that is printed beside them.
  const colorize = process.stdout.isTTY === true && process.stdout.hasColors();
  return pino(options, pretty({ colorize, translateTime: 'SYS:HH:MM:ss', singleLine: true, destination: output }));
}

/**
 * Keeps name, message, code and stack only: a driver's error carries query parameters, and an adapter's error the
 * partner's body.
 */
function safeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, kind } = error as { code?: unknown; kind?: unknown };
  return {
    type: error.name,
    message: error.name === 'DriverException' || 'sqlState' in error ? String(code) : error.message.split('\n')[0],
    ...(code === undefined ? {} : { code }),
    ...(kind === undefined ? {} : { kind }),
    stack: error.stack?.split('\n').slice(1).join('\n'),
  };
}

export const silentLog: Log = pino({ level: 'silent' });
