import { z } from 'zod';
import { IntegrationError } from '../../lib/errors.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, PickupPoint, PickupPointQuestion } from '../adapter.ts';
import { degrees } from '../fields.ts';
import { PROVIDER } from './codes.ts';
import { apiUrl } from './rest.ts';
import { type Account, FoundPoint } from './schema.ts';

const MAX_POINTS = 25;

/** The service wants ISO 3166 alpha-3; public clients know these countries. */
const ALPHA3: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'AT:AUT BE:BEL BG:BGR CH:CHE CY:CYP CZ:CZE DE:DEU DK:DNK EE:EST ES:ESP FI:FIN FR:FRA GB:GBR GR:GRC HR:HRV HU:HUN IE:IRL ' +
    'IT:ITA LT:LTU LU:LUX LV:LVA MT:MLT NL:NLD NO:NOR PL:POL PT:PRT RO:ROU SE:SWE'
  )
    .split(' ')
    .map((pair) => pair.split(':')),
);
const ALPHA2: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ALPHA3).map(([two, three]) => [three, two]),
);

/** Finds BRT-fermopoint shops and lockers around a place. The search has a token of its own. */
export async function findPickupPoints(
  { account, http, log }: CarrierContext<Account>,
  question: PickupPointQuestion,
): Promise<PickupPoint[]> {
  if (account.pudoToken === undefined) throw notAsked('account-invalid', 'pudoToken is missing in the account');
  if (question.zip.trim() === '' || question.city.trim() === '')
    throw notAsked('refused', 'it looks for points by postcode and city together');
  const country = question.countryCode.toUpperCase();
  const query = new URLSearchParams({
    zipCode: question.zip.trim(),
    city: question.city.trim(),
    countryCode: ALPHA3[country] ?? country,
    max_pudo_number: String(MAX_POINTS),
  });
  const { status, body } = await http.send({
    operation: 'get-pudo-by-address',
    effect: 'read',
    method: 'GET',
    url: `${apiUrl(account)}/pudo/v1/open/pickup/get-pudo-by-address?${query}`,
    headers: { 'X-API-Auth': account.pudoToken, accept: 'application/json' },
    accept: [404],
  });
  if (status === 404) return [];
  const { pudo } = z.object({ pudo: z.array(z.unknown()).nullish() }).parse(JSON.parse(body.toString('utf8')));
  return readEach(FoundPoint, pudo ?? [], warnOf(log, 'pickup points'))
    .filter(({ enabled, available }) => enabled !== false && available !== false)
    .toSorted((a, b) => (a.distanceFromPoint ?? Infinity) - (b.distanceFromPoint ?? Infinity))
    .map((point) => pointOf(point, country));
}

function notAsked(code: string, words: string): IntegrationError {
  return new IntegrationError(`${PROVIDER} was not asked: ${words}`, { kind: 'permanent', provider: PROVIDER, code });
}

function pointOf(point: FoundPoint, askedCountry: string): PickupPoint {
  return {
    id: point.pudoId,
    name: point.pointName,
    type: /locker/i.test(point.type) ? 'locker' : 'shop',
    address: `${point.street} ${point.streetNumber}`.trim(),
    city: point.town,
    zip: point.zipCode,
    province: '',
    countryCode:
      ALPHA2[point.country.toUpperCase()] ?? (/^[A-Z]{2}$/.test(point.country) ? point.country : askedCountry),
    latitude: degrees(point.latitude),
    longitude: degrees(point.longitude),
    openingHours: (point.hours ?? []).map((day) => `${day.dayOfWeek}: ${day.openTime}-${day.closeTime}`).join(', '),
    takesCod: null,
  };
}
