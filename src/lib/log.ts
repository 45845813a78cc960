import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import pretty from 'pino-pretty';
import { noteOutputError } from './closed-output.ts';
import { describeFailure, IntegrationError } from './errors.ts';

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

/** PostgreSQL's codes have a digit, unlike most of Node's with five characters. */
const SQL_STATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/**
 * Keeps name, message, code and stack only. A driver's message carries the query's values, and an adapter's message the
 * partner's words; a code and our own sentence take their place.
 */
function safeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, kind } = error as { code?: unknown; kind?: unknown };
  return {
    type: error.name,
    message: messageOf(error, code),
    ...(code === undefined ? {} : { code }),
    ...(kind === undefined ? {} : { kind }),
    // A message of several lines stands in the stack too.
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
  };
}

function messageOf(error: Error, code: unknown): string {
  if (error instanceof IntegrationError) return describeFailure(error);
  const isOfDatabase = error.name === 'DriverException' || (typeof code === 'string' && SQL_STATE.test(code));
  return isOfDatabase ? String(code) : (error.message.split('\n')[0] ?? '');
}

export const silentLog: Log = pino({ level: 'silent' });
