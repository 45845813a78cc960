export interface KnownPlace {
  city: string;
  /** The first three digits of its postcodes. */
  prefix: string;
  area: string;
}

/** Where this pretend carrier delivers in Italy; the areas' codes are its own. */
const PLACES: readonly KnownPlace[] = [
  ['ROMA', '001', 'ROM'],
  ['MILANO', '201', 'MIL'],
  ['TORINO', '101', 'TRN'],
  ['BOLOGNA', '401', 'BLQ'],
  ['FIRENZE', '501', 'FLR'],
  ['VENEZIA', '301', 'VCE'],
  ['GENOVA', '161', 'GOA'],
  ['NAPOLI', '801', 'NAP'],
  ['BARI', '701', 'BRI'],
  ['PALERMO', '901', 'PMO'],
  ['CATANIA', '951', 'CTA'],
  ['CAGLIARI', '091', 'CAG'],
  ['VERONA', '371', 'VRN'],
  ['TRIESTE', '341', 'TRS'],
  ['LIVIGNO', '230', 'MIL'],
].map(([city = '', prefix = '', area = '']) => ({ city, prefix, area }));

/** Finds the places of a postcode and a city; an empty one does not count. */
export function placesOf(postalCode: string, cityName: string): KnownPlace[] {
  const city = cityName.trim().toUpperCase();
  const postcode = postalCode.trim();
  if (city === '' && postcode === '') return [];
  return PLACES.filter(
    (place) =>
      (city === '' || place.city === city) &&
      (postcode === '' || (postcode.length === 5 && postcode.startsWith(place.prefix))),
  );
}

/** Returns true for an address that DHL would not carry to. */
export function isUnroutable({ postalCode, cityName }: { postalCode: string; cityName: string }): boolean {
  return postalCode === '00000' || /INESISTENTE/i.test(cityName);
}
