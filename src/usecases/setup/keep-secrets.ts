import type { z } from 'zod';
import type { Deps } from '../../engine/deps.ts';
import { secretFields } from '../../lib/call-partner.ts';
import { IntegrationError } from '../../lib/errors.ts';

/** In a declaration this word keeps the stored secret. `smista export` writes it. */
export const KEEP = 'keep';
export const NOTHING_TO_KEEP = 'there is nothing to keep: enter the secret itself';

/** Returns the secret fields of an account that keep their stored values. */
export function keptFields(schema: z.ZodType<unknown>, account: Record<string, unknown>): string[] {
  return secretFields(schema).filter((name) => account[name] === KEEP);
}

/** Decrypts the credentials of a row. Returns null for a new row, and for credentials of a lost key. */
export function openSealed(deps: Pick<Deps, 'vault'>, sealed: string, context: string): Record<string, unknown> | null {
  if (sealed === '') return null;
  try {
    return deps.vault.open(sealed, context) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof IntegrationError) return null;
    throw error;
  }
}
