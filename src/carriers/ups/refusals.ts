import type { IntegrationError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/parse-json.ts';
import type { Refused } from '../json-api.ts';
import { credentials, data, later, type Meaning, missing, notSentTo, refusedBy } from '../refusals.ts';
import { Refusal, type UpsError } from './schema.ts';

export const PROVIDER = 'UPS';

export const ALREADY_VOIDED = '190117';
/** No shipment under this number or reference, as label recovery says it. */
export const NO_SHIPMENT = '300007';
export const SHIPMENT_VOIDED = '300033';

/**
 * Codes that UPS answers with. Users of the REST interface report 10429, 111549, 118400, 120100, 128400 and 250002. The
 * others are from UPS's own lists in its older manuals, as quoted in public clients (all read on 2026-11-21).
 */
export const REFUSALS: Readonly<Record<string, Meaning>> = {
  10429: { code: 'throttled', advice: 'nothing: it is tried again' },
  20001: later('nothing: it is tried again'),
  111549: data('correct the description of the contents'),
  118400: data('correct what UPS names; parts of its sentence are not filled in'),
  120100: credentials('correct shipperNumber'),
  128400: data('correct what UPS names; parts of its sentence are not filled in'),
  190001: later('nothing: it is tried again'),
  190100: missing('check the shipment number'),
  190101: data('the time for cancelling is over: let the parcel be returned'),
  190102: data(
    'UPS has no shipment of this number that can still be cancelled: look on ups.com whether it was picked up',
  ),
  [ALREADY_VOIDED]: data('it was cancelled before'),
  190109: missing('check the tracking number'),
  250000: credentials('correct clientId and clientSecret'),
  250001: credentials('correct clientId and clientSecret'),
  250002: credentials(
    'correct clientId and clientSecret, or add the product to the app in the developer portal of UPS',
  ),
  250003: credentials('correct clientId and clientSecret'),
  250004: credentials('correct clientId and clientSecret'),
  250005: credentials('correct clientId and clientSecret'),
  250006: credentials('wait until UPS unlocks the user, then correct the account'),
  250007: credentials('wait until UPS unlocks the user, then correct the account'),
  250009: credentials('correct clientId and clientSecret'),
  300000: later('nothing: it is tried again'),
  300001: data('UPS has several shipments under this reference: look for them on ups.com'),
  300002: data('the parcel is on its way, UPS gives no label any more'),
  300003: data('UPS gives labels of up to 100 parcels once more: print them on ups.com'),
  300006: data('UPS has thrown the label away: cancel the shipment and create it again'),
  [NO_SHIPMENT]: missing('check the number'),
  300014: missing('check the tracking number'),
  300030: data('check the reference'),
  300031: credentials('correct shipperNumber'),
  [SHIPMENT_VOIDED]: missing('the shipment was cancelled'),
  300034: later('UPS has not processed the shipment yet'),
  300035: data('UPS has too many shipments under this reference: look for them on ups.com'),
};

/**
 * Makes the error of a no in UPS's own words, with the next step where it is known. Only a no about the data settles what was asked:
 * a refused login, a throttle or an unknown address says nothing of an earlier try. `isWhole` is false where UPS did a part of it.
 */
export function refusalOf({ refusal, status }: Refused<readonly UpsError[]>, isWhole = true): IntegrationError {
  const known = refusal.map(({ code }) => code).find((code) => Object.hasOwn(REFUSALS, code)) ?? '';
  const meaning = REFUSALS[known] ?? byStatus(status);
  const words = wordsOf(refusal) || `HTTP ${status}`;
  return refusedBy(PROVIDER, { words, meaning, status, isAuthoritative: isWhole && meaning.code === 'refused' });
}

function byStatus(status: number): Meaning {
  if (status === 401 || status === 403) return credentials('correct clientId, clientSecret and shipperNumber');
  return status === 404 ? missing('') : data('');
}

function wordsOf(errors: readonly UpsError[]): string {
  return errors
    .map(({ code, message }) => [message.replace(/\.$/, ''), code === '' ? '' : `[${code}]`].filter(Boolean).join(' '))
    .filter((words) => words !== '')
    .join('; ');
}

/** Returns the errors of a refusal; null when the answer is none of UPS's. */
export function readRefusal(body: string): UpsError[] | null {
  return Refusal.safeParse(parseJson(body)).data ?? null;
}

/** Makes the error of a request that only the account or another answer shows to be wrong. */
export const notAsked = (words: string): IntegrationError => notSentTo(PROVIDER, words);
