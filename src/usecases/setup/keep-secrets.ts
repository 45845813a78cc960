import type { z } from 'zod';
import type { Deps } from '../../engine/deps.ts';
import { secretFields } from '../../lib/call-partner.ts';
import { IntegrationError } from '../../lib/errors.ts';

/** Stands in a declaration for a secret that stays as it is sealed; `smista export` writes it. */
export const KEEP = 'keep';
export const NOTHING_TO_KEEP = 'there is nothing to keep: give the secret itself';

/** Returns the secret fields of an account that are to stay as they are. */
export function keptFields(schema: z.ZodType<unknown>, account: Record<string, unknown>): string[] {
  return secretFields(schema).filter((name) => account[name] === KEEP);
}

/** Opens what is sealed in a row; null for what is new, and for what was sealed with a key that is lost. */
export function openSealed(deps: Pick<Deps, 'vault'>, sealed: string, context: string): Record<string, unknown> | null {
  if (sealed === '') return null;
  try {
    return deps.vault.open(sealed, context) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof IntegrationError) return null;
    throw error;
  }
}
