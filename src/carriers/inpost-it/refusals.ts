import type { IntegrationError } from '../../lib/errors.ts';
import type { Refused } from '../json-api.ts';
import { type Meaning as CodeMeaning, credentials, data, missing, notSentTo, refusedBy } from '../refusals.ts';
import type { Refusal } from './schema.ts';

export const PROVIDER = 'InPost';

interface Meaning extends CodeMeaning {
  /** InPost says that it did not do this very thing. */
  settles?: true;
}

const CREDENTIALS = credentials(
  'correct organizationId and token of the account; the token must be of this environment',
);

/** A key that is not in the table may be of anything that writes errors in this shape. */
const UNKNOWN = data('');

/** Values of `error` that are documented or were seen, as read on 2026-11-21. */
export const REFUSALS: Readonly<Record<string, Meaning>> = {
  validation_failed: { ...data(''), settles: true },
  invalid_parameter: { ...data('the question was put wrongly: report it with the exchange'), settles: true },
  resource_not_found: missing('check organizationId and baseUrl of the account'),
  invalid_action: {
    ...data('InPost takes back nothing that it has confirmed: leave the label unused, or ask InPost'),
    settles: true,
  },
};

/** Keys under `details` that are documented or were seen; the full list is not public. */
export const VALIDATIONS: Readonly<Record<string, string>> = {
  required: 'is missing',
  too_short: 'is too short',
  too_small: 'is too small',
  invalid_format: 'is not written as InPost wants it',
  does_not_exist: 'is not known to InPost',
};

/** Where the field says what to do. */
const ADVICE: Readonly<Record<string, string>> = {
  target_point: 'choose another locker or shop',
  sending_method: 'choose another sendingMethod in the account',
};

/** Makes the error of a no in InPost's own words, with the next step where it is known. */
export function refusalOf({ refusal, status }: Refused<Refusal>): IntegrationError {
  const known = Object.hasOwn(REFUSALS, refusal.error) ? REFUSALS[refusal.error] : undefined;
  const meaning: Meaning = status === 401 || status === 403 ? CREDENTIALS : (known ?? UNKNOWN);
  const words = [
    refusal.message || refusal.description || refusal.error || `HTTP ${status}`,
    ...detailsOf(refusal.details),
  ]
    .map((part) => part.replace(/[.\s]+$/, ''))
    .join('; ');
  return refusedBy(PROVIDER, { words, meaning, status, isAuthoritative: meaning.settles ?? false });
}

/**
 * Lists every key with the place it is for. ShipX writes `{ field: [keys] }` and, for fields within fields, `{ field:
 * [{ inner: [keys] }] }`, to any depth. A single word instead of a list is a fact about the thing.
 */
export function detailsOf(details: unknown, path: readonly string[] = []): string[] {
  if (typeof details === 'string') return [detailWords(details, path)];
  if (Array.isArray(details)) return details.flatMap((inner) => detailsOf(inner, path));
  if (typeof details !== 'object' || details === null) return [];
  return Object.entries(details).flatMap(([name, inner]) => detailsOf(inner, [...path, name]));
}

function detailWords(key: string, path: readonly string[]): string {
  const place = path.join('.');
  const words = Object.hasOwn(VALIDATIONS, key) ? VALIDATIONS[key] : undefined;
  if (words === undefined) return `${place}: ${key}`;
  const advice = ADVICE[path.at(-1) ?? ''];
  return `${place} ${words}${advice === undefined ? '' : `: ${advice}`} (${key})`;
}

/** Makes the error of a request that InPost would not take. */
export const notAsked = (words: string): IntegrationError => notSentTo(PROVIDER, words);
