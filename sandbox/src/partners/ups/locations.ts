import type { LocatorRequest } from './protocol.ts';

interface Point {
  id: string;
  name: string;
  street: string;
  city: string;
  zip: string;
  province: string;
}

/** Where parcels can be collected; the shops and their ids are this pretend carrier's own. */
export const accessPoints: readonly Point[] = [
  ['U20100001', 'Tabaccheria del Duomo', 'Via Torino 2', 'Milano', '20123', 'MI'],
  ['U20100002', 'Cartoleria Brera', 'Via Brera 8', 'Milano', '20121', 'MI'],
  ['U00100001', 'Edicola Termini', 'Via Marsala 5', 'Roma', '00185', 'RM'],
].map(([id = '', name = '', street = '', city = '', zip = '', province = '']) => ({
  id,
  name,
  street,
  city,
  zip,
  province,
}));

/** Finds a location by its id, or all of a place. UPS's words for an empty result were not found: the list is empty. */
export function locatorAnswer({ LocatorRequest: question }: LocatorRequest): object {
  const { PublicAccessPointID: id } = question.LocationSearchCriteria.AccessPointSearch;
  const { PostcodePrimaryLow: zip = '', CountryCode } = question.OriginAddress.AddressKeyFormat;
  const found = accessPoints.filter((point) =>
    id === undefined ? CountryCode === 'IT' && point.zip.slice(0, 3) === zip.slice(0, 3) : point.id === id,
  );
  return {
    LocatorResponse: {
      Response: { ResponseStatusCode: '1', ResponseStatusDescription: 'Success' },
      AllowAllConfidenceLevels: 'False',
      SearchResults: {
        DropLocation: found.map((point) => ({
          LocationID: point.id.slice(1),
          AddressKeyFormat: {
            ConsigneeName: point.name,
            AddressLine: point.street,
            PoliticalDivision2: point.city,
            PoliticalDivision1: point.province,
            PostcodePrimaryLow: point.zip,
            CountryCode: 'IT',
          },
          Geocode: { Latitude: '45.46420000', Longitude: '9.18980000' },
          StandardHoursOfOperation: 'Lun-Sab: 9:00-19:00',
          AccessPointInformation: {
            PublicAccessPointID: point.id,
            AccessPointStatus: { Code: '01', Description: 'Active-Available' },
          },
        })),
      },
    },
  };
}
