import { IntegrationError } from '../lib/errors.ts';

/** The meaning of a carrier's error code. */
export interface Meaning {
  code: 'credentials-refused' | 'refused' | 'not-found-at-partner' | 'partner-broken' | 'throttled';
  /** The next step for a person; empty when none is known. */
  advice: string;
}

export const credentials = (advice: string): Meaning => ({ code: 'credentials-refused', advice });
/** The data is wrong: only such a no settles what was asked. */
export const data = (advice: string): Meaning => ({ code: 'refused', advice });
export const missing = (advice: string): Meaning => ({ code: 'not-found-at-partner', advice });
/** The carrier could not do it now, which answers nothing. */
export const later = (advice: string): Meaning => ({ code: 'partner-broken', advice });

/** Makes the error of a carrier's no. It is permanent, unless the meaning is that the carrier could not do it now. */
export function refusedBy(
  provider: string,
  { words, meaning, ...rest }: { words: string; meaning: Meaning; status?: number; isAuthoritative: boolean },
): IntegrationError {
  const { code, advice } = meaning;
  const isOpen = code === 'partner-broken' || code === 'throttled';
  return new IntegrationError(`${provider} refused: ${words}${advice === '' ? '' : ` (${advice})`}`, {
    // After a write, `callPartner` makes an unknown outcome of it.
    kind: isOpen ? 'retryable' : 'permanent',
    provider,
    code,
    body: words,
    ...rest,
  });
}

/** Makes the error of a request that the carrier would refuse: nothing was sent. */
export function notSentTo(provider: string, words: string): IntegrationError {
  return new IntegrationError(`${provider} was not asked: ${words}`, { kind: 'permanent', provider, code: 'refused' });
}

/** Makes the error of an answer that says neither yes nor no; asking again is safe. */
export function unclearAt(provider: string, what: string): IntegrationError {
  return new IntegrationError(`${provider} ${what}`, { kind: 'retryable', provider, code: 'answer-unreadable' });
}
