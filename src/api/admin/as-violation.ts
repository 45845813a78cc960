import { unprocessable } from '../../engine/find.ts';
import { UsageError } from '../../lib/errors.ts';

/** Throws a 422 for input that does not fit the stored data; rethrows any other error. */
export function asViolation(error: unknown): never {
  if (error instanceof UsageError) throw unprocessable(error.message);
  throw error;
}
