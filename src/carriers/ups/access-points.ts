import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, Party, PickupPoint, PickupPointQuestion } from '../adapter.ts';
import { degrees } from '../fields.ts';
import { latin1Text as plain } from '../text.ts';
import { MAX } from './limits.ts';
import type { AccessPoint } from './mapping.ts';
import { addressOf } from './parties.ts';
import { notAsked, refusalOf } from './refusals.ts';
import { type Account, DropLocation, LocatorAnswer } from './schema.ts';
import { call } from './wire.ts';

type Context = CarrierContext<Account>;

const LOCALE = 'it_IT';
const ACTIVE = '01';
const MAX_POINTS = '50';

/** Finds Access Points, nearest first as UPS sorts them. */
export async function findPickupPoints(context: Context, question: PickupPointQuestion): Promise<PickupPoint[]> {
  const raws = await locate(context, question, { AccessPointStatus: ACTIVE });
  const places = readEach(DropLocation, raws, warnOf(context.log, 'Access Points'));
  return places.flatMap((place) => {
    const { AddressKeyFormat: at, Geocode } = place;
    const id = place.AccessPointInformation?.PublicAccessPointID ?? '';
    if (id === '') return [];
    return [
      {
        id,
        name: at.ConsigneeName,
        // UPS does not tell lockers from shops.
        type: 'shop',
        address: at.AddressLine,
        city: at.PoliticalDivision2,
        zip: at.PostcodePrimaryLow,
        province: at.PoliticalDivision1,
        countryCode: at.CountryCode,
        latitude: degrees(Geocode?.Latitude),
        longitude: degrees(Geocode?.Longitude),
        openingHours: place.StandardHoursOfOperation,
        takesCod: false,
      },
    ];
  });
}

/** Returns name and address of a shipment's point, which shipping wants beside the id. Throws when UPS has none. */
export async function accessPointOf(context: Context, recipient: Party, id: string): Promise<AccessPoint> {
  const wanted = id.toUpperCase();
  const raws = await locate(context, recipient, { PublicAccessPointID: wanted });
  const places = readEach(DropLocation, raws, warnOf(context.log, 'Access Points'));
  const place = places.find(({ AccessPointInformation: point }) => point?.PublicAccessPointID.toUpperCase() === wanted);
  // One that cannot be read may be the wanted one.
  if (!place && places.length < raws.length) throw new Error('The answer holds an Access Point that cannot be read');
  if (!place) throw notAsked(`there is no Access Point ${wanted}`);
  const at = place.AddressKeyFormat;
  return {
    id: wanted,
    // The courier finds it by the id: a name may be cut.
    name: plain(at.ConsigneeName).slice(0, MAX.name).trim() || wanted,
    address: addressOf({
      ...recipient,
      address: at.AddressLine,
      address2: '',
      city: at.PoliticalDivision2,
      zip: at.PostcodePrimaryLow,
      province: at.PoliticalDivision1,
      countryCode: at.CountryCode,
    }),
  };
}

async function locate(
  context: Context,
  { city, zip, countryCode }: PickupPointQuestion,
  search: Record<string, string>,
): Promise<unknown[]> {
  const { LocatorResponse: answer } = await call(
    context,
    {
      operation: 'locate',
      effect: 'read',
      method: 'POST',
      path: '/locations/v3/search/availabilities/64',
      query: { Locale: LOCALE },
      body: {
        LocatorRequest: {
          Request: { RequestAction: 'Locator' },
          OriginAddress: {
            AddressKeyFormat: {
              PoliticalDivision2: plain(city),
              PostcodePrimaryLow: plain(zip),
              CountryCode: countryCode.toUpperCase(),
            },
          },
          Translate: { Locale: LOCALE },
          UnitOfMeasurement: { Code: 'KM' },
          LocationSearchCriteria: { MaximumListSize: MAX_POINTS, AccessPointSearch: search },
          SortCriteria: { SortType: '01' },
        },
      },
    },
    LocatorAnswer,
  );
  const { ResponseStatusCode, Error: fault } = answer.Response;
  if (ResponseStatusCode === '1') return answer.SearchResults?.DropLocation ?? [];
  throw refusalOf({ refusal: [{ code: fault?.ErrorCode ?? '', message: fault?.ErrorDescription ?? '' }], status: 200 });
}
