import type { IntegrationError } from '../lib/errors.ts';

export interface FailedWrite {
  error: Pick<IntegrationError, 'kind' | 'isAuthoritative'>;
  /** An earlier try of the same write may have been carried out. */
  wasUnknown: boolean;
  isLastTry: boolean;
  /** A repeated request does no harm. */
  isRepeatable: boolean;
}

/** `again`: not settled yet. `unknown`: it may have been carried out, and no further try will tell. */
export type WriteEnd = 'again' | 'failed' | 'unknown';

/**
 * Decides how a failed try of a write ends. After a try whose answer was lost, only the partner's own statement means
 * that it was not done. A proxy's page, a refused login or a bare 404 say nothing about the earlier try.
 */
export function endOfFailedWrite({ error, wasUnknown, isLastTry, isRepeatable }: FailedWrite): WriteEnd {
  const { kind } = error;
  if (kind === 'permanent' && (error.isAuthoritative || !wasUnknown)) return 'failed';
  const isUnknown = kind === 'unknown-outcome' || wasUnknown;
  const mayRepeat = isRepeatable || !isUnknown;
  if (!isLastTry && mayRepeat) return 'again';
  return isUnknown ? 'unknown' : 'failed';
}
