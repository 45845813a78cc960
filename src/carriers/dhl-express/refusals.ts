import { IntegrationError } from '../../lib/errors.ts';
import type { Refusal } from './schema.ts';

export const PROVIDER = 'DHL Express';

interface Meaning {
  code: 'credentials-refused' | 'refused' | 'not-found-at-partner';
  /** What to do about it. */
  advice: string;
}

const credentials = (advice: string): Meaning => ({ code: 'credentials-refused', advice });
const data = (advice: string): Meaning => ({ code: 'refused', advice });

/** Numbers that DHL writes before the words of `detail`, as shown by the MyDHL API 3.1.1 description (read 2026-11-21). */
export const REFUSALS: Readonly<Record<string, Meaning>> = {
  998: data('check handoverTime and timeZone of the account'),
  1504: { code: 'not-found-at-partner', advice: 'DHL keeps no such document of the shipment' },
  3501: credentials('ask DHL to allow this to the API user'),
  5032: credentials('ask DHL to allow this to the API user'),
  5556: data('use the account number the pickup was booked with'),
  5560: data('check the shipment number'),
  7008: data('remove the option, or choose a product that offers it there: ask for live rates'),
  7096: data('check the shipment number'),
  7163: { code: 'not-found-at-partner', advice: 'check the shipment number' },
  8003: credentials('ask DHL to enable the account number for this service'),
  8007: credentials('correct the account number'),
};

/** Any other 404 is of an address that is not DHL's, and proves nothing. */
const NOTHING_FOUND = /^No (shipments|data) found\b/i;

/** Whether tracking says, in its own words, that it has nothing of what was asked. */
export function isNothingFound({ status, refusal }: { status: number; refusal: Refusal }): boolean {
  return status === 404 && NOTHING_FOUND.test(refusal.detail);
}

/** Some refusals of the account come without a number. */
const ACCOUNT_WORDS = /account number is not found or invalid/i;

/**
 * A no in DHL's own words, with what to do about it where that is known. It settles what was asked only when it is about the data
 * and in the shape of DHL's description: gateways say `message` alone.
 */
export function refusalOf(refusal: Refusal, status: number): IntegrationError {
  const said = wordsOf(refusal) || `HTTP ${status}`;
  const number = /^(\d{3,6}):/.exec(refusal.detail)?.[1] ?? '';
  const meaning = REFUSALS[number] ?? meaningOf(said, status);
  const advice = meaning.advice === '' ? '' : ` (${meaning.advice})`;
  return new IntegrationError(`${PROVIDER} refused: ${said}${advice}`, {
    kind: 'permanent',
    provider: PROVIDER,
    code: meaning.code,
    status,
    body: said,
    isAuthoritative: meaning.code === 'refused' && refusal.detail !== '' && refusal.title !== '',
  });
}

function meaningOf(words: string, status: number): Meaning {
  if (status === 401 || status === 403) return credentials('correct username and password of the API');
  if (ACCOUNT_WORDS.test(words)) return credentials('correct the account number');
  if (status === 404) return { code: 'not-found-at-partner', advice: '' };
  return data('');
}

/** The one sentence of the answer, and the list behind "multiple problems". */
export function wordsOf({ detail, title, message, additionalDetails }: Refusal): string {
  const [first = ''] = [detail, message, title].filter((part) => part !== '');
  return [first, ...additionalDetails]
    .map(trimmed)
    .filter((part) => part !== '')
    .join('; ');
}

function trimmed(words: string): string {
  return words.trim().replace(/\.$/, '');
}

/** What we know DHL would not take, although only the account says so: nothing was sent. */
export function notAsked(words: string): IntegrationError {
  return new IntegrationError(`${PROVIDER} was not asked: ${words}`, {
    kind: 'permanent',
    provider: PROVIDER,
    code: 'refused',
  });
}
