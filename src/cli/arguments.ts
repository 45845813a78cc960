import { InvalidArgumentError } from 'commander';
import { UsageError } from '../lib/errors.ts';

/** Parses `a, b` into a list. */
export function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

const MAX_INTEGER = 2_147_483_647;

/** Parses an id or a count. */
export function positiveNumber(text: string): number {
  const number = wholeNumber(text);
  if (number < 1 || number > MAX_INTEGER) throw new InvalidArgumentError(`It must be from 1 to ${MAX_INTEGER}.`);
  return number;
}

/** Checks a YYYY-MM-DD and returns it unchanged. */
export function isoDay(text: string): string {
  day(text);
  return text;
}

/** Returns the last second of a day in UTC. */
export function day(text: string): Date {
  const at = new Date(`${text}T23:59:59Z`);
  // JavaScript reads the 31st of February as a day in March.
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text)
    throw new InvalidArgumentError('It must be YYYY-MM-DD.');
  return at;
}

/** Throws a `UsageError` when arguments do not fit the stored data; rethrows any other error. */
export function asUsage(cause: unknown): never {
  const { violations } = cause as { violations?: { message: string }[] };
  if (violations === undefined) throw cause;
  const details = violations.map((violation) => violation.message).join('; ');
  throw new UsageError([(cause as Error).message, details].filter(Boolean).join(': '), { cause });
}
