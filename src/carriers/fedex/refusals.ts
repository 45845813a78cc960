import type { IntegrationError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/parse-json.ts';
import type { Refused } from '../json-api.ts';
import { credentials, data, later, type Meaning, missing, refusedBy } from '../refusals.ts';
import { type FedexError, GatewayRefusal, Refusal } from './schema.ts';

export const PROVIDER = 'FedEx';

export const ALREADY_CANCELLED = 'CANCELSHIPMENT.TRACKINGNUMBER.DELETED';
/** No shipment under this reference, and no parcel under this number, as tracking says it. */
export const NO_REFERENCE = 'TRACKING.REFERENCENUMBER.NOTFOUND';
export const NO_NUMBER = 'TRACKING.TRACKINGNUMBER.NOTFOUND';

const ACCOUNT = credentials('correct accountNumber, and link it to the project in the developer portal of FedEx');
const KEYS = credentials('correct the keys; those of the test environment are others than those of production');
const PROJECT = credentials('add the API to the project of these keys in the developer portal of FedEx');
const DATES = data('check the clock of this machine');
const WAIT = later('nothing: it is tried again');
const RECIPIENT_PLACE = data("correct the recipient's postcode and city");
const SERVICE = data('choose another service: live rates say which ones there are');

/**
 * Codes that FedEx answers with. Those of its public descriptions, and from CANCELSHIPMENT on those of its lists of errors as quoted
 * in public clients (all read on 2026-11-21).
 */
export const REFUSALS: Readonly<Record<string, Meaning>> = {
  'ACCOUNTNUMBER.REGISTRATION.REQUIRED': ACCOUNT,
  'ACCOUNT.NUMBER.MISMATCH': ACCOUNT,
  'SHIPMENT.USER.UNAUTHORIZED': ACCOUNT,
  'NOT.AUTHORIZED.ERROR': KEYS,
  'LOGIN.REAUTHENTICATE.ERROR': KEYS,
  'FORBIDDEN.ERROR': PROJECT,
  'UNAUTHORIZED.USAGE': PROJECT,
  'NOT.FOUND.ERROR': missing('check baseUrl'),
  'INTERNAL.SERVER.ERROR': WAIT,
  'SERVICE.UNAVAILABLE.ERROR': WAIT,
  'TRACKINGNUMBER.ENTERED.INVALID': data('check the tracking number'),
  'TRACKING.TRACKINGNUMBER.EMPTY': data('check the tracking number'),
  'TRACKING.REFERENCETYPE.INVALID': data('report it: FedEx does not search for this kind of reference any more'),
  'TRACKING.DATA.NOTFOUND': later('FedEx shows nothing at the moment'),
  [NO_NUMBER]: missing('check the tracking number; a new one may take its time'),
  [ALREADY_CANCELLED]: data('it was cancelled before'),
  'TRACKINGIDS.TRACKINGNUMBER.CLOSED': data('the day of shipping is closed: let the parcel be returned'),
  [NO_REFERENCE]: missing('check the reference'),
  'TRACKING.DATA.NOTUNIQUE': data('FedEx has several shipments under this reference: look for them on fedex.com'),
  'TRACKING.REFERENCEDATA.INCOMPLETE': ACCOUNT,
  'TRACKING.ACCOUNTNUMBER.EMPTY': ACCOUNT,
  'TRACKING.TRACKINGNUMBER.INVALID': data('check the tracking number'),
  // Days end later in America: by then the same question is a good one.
  'TRACKING.SHIPDATEEND.FUTURE': later('this day has not begun at FedEx yet'),
  'TRACKING.SHIPDATEBEGIN.INVALID': DATES,
  'TRACKING.SHIPDATEBEGIN.TOOOLD': DATES,
  'TRACKING.SHIPDATEEND.INVALID': DATES,
  'TRACKING.SHIPDATERANGE.ERROR': DATES,
  'TRACKING.SHIPDATERANGE.INVALID': DATES,
  'TRACKING.SHIPDATERANGE.TOOLONG': DATES,
  'INVALID.INPUT.EXCEPTION': data('correct what FedEx names; if it is not in the order, report it'),
  'CUSTOMER.USAGE.LOCKED': credentials('ask FedEx to unlock the account'),
  'USER.RELOGIN.REQUIRED': WAIT,
  'ACCOUNT.NUMBER.INVALID': ACCOUNT,
  'ACCOUNT.NUMBERORKEY.INVALID': ACCOUNT,
  'RATING.QUOTE.NOTAVAILABLE': SERVICE,
  'FEDEXSERVICE.NOT.AVAILABLE': SERVICE,
  'SERVICE.LOCATION.UNAVAILABLE': SERVICE,
  'SERVICE.PACKAGECOMBINATION.INVALID': SERVICE,
  'SERVICE.TYPE.NOTAVAILABLE': SERVICE,
  'SERVICETYPE.NOT.ALLOWED': SERVICE,
  'POSTALCODE.ZIPCODE.REQUIRED': data('add the postcodes'),
  'COUNTRY.POSTALCODEORZIP.INVALID': data('correct the postcodes and countries'),
  'COUNTRY.POSTALCODE.INVALID': data("correct the sender's postcode and city"),
  'ORIGINZIPCODE.SERVICE.ERROR': data("correct the sender's postcode and city"),
  'DESTINATION.POSTALCODE.MISSING.ORINVALID': RECIPIENT_PLACE,
  'ENTERED.ZIPCODE.NOTFOUND': RECIPIENT_PLACE,
  'CITY.REQUIRED': data('add the cities'),
  'STREETLINES.TOO.LONG': data('shorten the addresses'),
  'PICKUPTYPE.NOT.AVAILABLE': data('choose another pickupType in the account'),
  'PACKAGE.WEIGHT.INVALID': data('correct the weights of the parcels'),
  'MAXIMUMWEIGHT.TYPE.ERROR': data('split the parcels'),
  'MAXIMUM.WEIGHT.EXCEEDED': data('split the parcels'),
  'PACKAGEDIMENSION.TYPE.ERROR': data('correct the sizes of the parcels'),
  'DIMENSIONS.EXCEEDS.LIMITS': data('correct the sizes of the parcels'),
  'CURRENCY.TYPE.INVALID': data('use a currency of the account'),
  'SHIPMENT.CURRENCYCODE.INVALID': data('use a currency of the account'),
};

/**
 * Makes the error of a no in FedEx's own words, with the next step where it is known. It settles what was asked only when it is about
 * the data and FedEx gives a code for it: its gateway has none.
 */
export function refusalOf(
  { refusal, status }: Refused<readonly FedexError[]>,
  isOwn = refusal.some(({ code }) => code !== ''),
): IntegrationError {
  const known = refusal.map(({ code }) => code).find((code) => Object.hasOwn(REFUSALS, code)) ?? '';
  const meaning = REFUSALS[known] ?? byStatus(status);
  const words = wordsOf(refusal) || `HTTP ${status}`;
  return refusedBy(PROVIDER, { words, meaning, status, isAuthoritative: isOwn && meaning.code === 'refused' });
}

function byStatus(status: number): Meaning {
  if (status === 401) return KEYS;
  if (status === 403) return PROJECT;
  return status === 404 ? missing('') : data('');
}

/** Joins FedEx's own words, each with its code. */
export function wordsOf(errors: readonly FedexError[]): string {
  return errors
    .map(({ code, message }) => [message, code === '' ? '' : `[${code}]`].filter(Boolean).join(' '))
    .filter((words) => words !== '')
    .join('; ');
}

/** Returns the errors of a refusal; null when the answer is none of FedEx's. */
export function readRefusal(body: string): FedexError[] | null {
  const json = parseJson(body);
  const refusal = Refusal.safeParse(json);
  if (refusal.success) return refusal.data.errors;
  const gateway = GatewayRefusal.safeParse(json);
  return gateway.success ? [{ code: '', message: gateway.data.error_description }] : null;
}
