import { InvalidArgumentError } from 'commander';
import { UsageError } from '../lib/errors.ts';

/** `a, b` as a list. */
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

/** An id of ours, or how many. */
export function positiveNumber(text: string): number {
  const number = wholeNumber(text);
  if (number < 1 || number > MAX_INTEGER) throw new InvalidArgumentError(`It must be from 1 to ${MAX_INTEGER}.`);
  return number;
}

/** YYYY-MM-DD, as it was written. */
export function isoDay(text: string): string {
  day(text);
  return text;
}

/** The last second of a day in UTC. */
export function day(text: string): Date {
  const at = new Date(`${text}T23:59:59Z`);
  // The 31st of February would be a day of March.
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text)
    throw new InvalidArgumentError('It must be YYYY-MM-DD.');
  return at;
}

/** What was given does not fit what is there: said in one sentence, as every mistake of a person. */
export function asUsage(cause: unknown): never {
  const { violations } = cause as { violations?: { message: string }[] };
  if (violations === undefined) throw cause;
  const details = violations.map((violation) => violation.message).join('; ');
  throw new UsageError([(cause as Error).message, details].filter(Boolean).join(': '), { cause });
}
