/**
 * Territories as customs see them. Source: "Territorial status of EU countries and certain territories" of the European
 * Commission (taxation-customs.ec.europa.eu), read on 2026-11-21. Pure.
 */

const EU = new Set('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '));

export interface Place {
  countryCode: string;
  zip: string;
  city: string;
}

/**
 * Parts of member states whose goods are declared, in both directions, by the beginning of the postcode. Some are
 * outside the customs territory: Livigno, Heligoland, Büsingen, Ceuta, Melilla, the Danish and French territories
 * overseas. Others are outside the VAT territory: Campione d'Italia, the Canary Islands, Åland, Mount Athos, the French
 * departments overseas.
 */
const OUTSIDE: Readonly<Record<string, RegExp>> = {
  IT: /^(23041|22061|00120|4789)/, // Livigno, Campione d'Italia, Vatican City, San Marino
  DE: /^(27498|78266)/, // Heligoland, Büsingen
  ES: /^(35|38|51|52)/, // the Canary Islands, Ceuta, Melilla
  FI: /^22/, // Åland
  FR: /^9[78]/, // overseas, except Monaco
  GR: /^63086/, // Mount Athos
};
/** Postcodes are sometimes wrong, and these two places have had others. */
const OUTSIDE_CITIES: Readonly<Record<string, RegExp>> = { IT: /\b(livigno|campione d.?italia)\b/i };

export function isInUnion(countryCode: string): boolean {
  return EU.has(countryCode.toUpperCase());
}

/** Returns true when goods between two places are declared to customs. */
export function isDeclarable(sender: Place, recipient: Place): boolean {
  return territoryOf(sender) !== territoryOf(recipient);
}

/** Returns `eu`, else a name of the territory: goods between two places of the same name cross no border. */
function territoryOf({ countryCode, zip, city }: Place): string {
  const country = countryCode.toUpperCase();
  if (country === 'MC') return 'eu'; // counts as France for customs and VAT
  if (!EU.has(country)) return country;
  const postcode = zip.replace(/\s/g, '');
  if (country === 'FR' && postcode.startsWith('980')) return 'eu'; // Monaco under its French postcode
  const [outside] = OUTSIDE[country]?.exec(postcode) ?? OUTSIDE_CITIES[country]?.exec(city) ?? [];
  return outside === undefined ? 'eu' : `${country} ${outside}`;
}
