import type { IntegrationError } from '../../lib/errors.ts';
import type { Refused } from '../json-api.ts';
import { credentials, data, type Meaning, missing, notSentTo, refusedBy } from '../refusals.ts';
import type { Refusal } from './schema.ts';

export const PROVIDER = 'DHL Express';

/** Numbers that DHL writes before the words of `detail`, as shown by the MyDHL API 3.1.1 description (read 2026-11-21). */
export const REFUSALS: Readonly<Record<string, Meaning>> = {
  998: data('check handoverTime and timeZone of the account'),
  1504: missing('DHL keeps no such document of the shipment'),
  3501: credentials('ask DHL to allow this to the API user'),
  5032: credentials('ask DHL to allow this to the API user'),
  5556: data('use the account number the pickup was booked with'),
  5560: data('check the shipment number'),
  7008: data('remove the option, or choose a product that offers it there: ask for live rates'),
  7096: data('check the shipment number'),
  7163: missing('check the shipment number'),
  8003: credentials('ask DHL to enable the account number for this service'),
  8007: credentials('correct the account number'),
};

/** Any other 404 is of an address that is not DHL's, and proves nothing. */
const NOTHING_FOUND = /^No (shipments|data) found\b/i;

/** Returns true when tracking says, in its own words, that it has nothing. */
export function isNothingFound({ status, refusal }: Refused<Refusal>): boolean {
  return status === 404 && NOTHING_FOUND.test(refusal.detail);
}

/** Some refusals of the account come without a number. */
const ACCOUNT_WORDS = /account number is not found or invalid/i;

/**
 * Makes the error of a no in DHL's own words, with the next step where it is known. It settles what was asked only when it is about
 * the data and in the shape of DHL's description: gateways say `message` alone.
 */
export function refusalOf({ refusal, status }: Refused<Refusal>): IntegrationError {
  const words = wordsOf(refusal) || `HTTP ${status}`;
  const number = /^(\d{3,6}):/.exec(refusal.detail)?.[1] ?? '';
  const meaning = REFUSALS[number] ?? meaningOf(words, status);
  const isAuthoritative = meaning.code === 'refused' && refusal.detail !== '' && refusal.title !== '';
  return refusedBy(PROVIDER, { words, meaning, status, isAuthoritative });
}

function meaningOf(words: string, status: number): Meaning {
  if (status === 401 || status === 403) return credentials('correct username and password of the API');
  if (ACCOUNT_WORDS.test(words)) return credentials('correct the account number');
  if (status === 404) return missing('');
  return data('');
}

/** Joins the one sentence of the answer and the list behind "multiple problems". */
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

/** Makes the error of a request that only the account shows to be wrong. */
export const notAsked = (words: string): IntegrationError => notSentTo(PROVIDER, words);
