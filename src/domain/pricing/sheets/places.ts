import { lazily } from '../../addresses/gazetteer/lazily.ts';
import { provinceOf, regionOf } from '../../addresses/gazetteer.ts';
import { NAMED_AREAS } from '../../addresses/named-areas.ts';
import { foldText } from './sheet.ts';

/** A part of the world that the heading of a price column may mean. */
export interface Place {
  kind: 'country' | 'region' | 'province' | 'area' | 'peninsula';
  code: string;
  /** For a sentence: `the province Frosinone`. */
  words: string;
}

/** Common names of the named areas, in the spelling of `foldText`. */
const AREA_NAMES: Readonly<Record<string, readonly string[]>> = {
  ISLANDS: ['isole', 'isole maggiori', 'islands'],
  MINOR_ISLANDS: ['isole minori', 'piccole isole', 'minor islands', 'small islands'],
  VENICE_LAGOON: ['venezia laguna', 'laguna', 'laguna di venezia', 'laguna veneta', 'venice lagoon'],
  LIVIGNO: ['livigno'],
  CAMPIONE: ['campione', "campione d'italia"],
};

/** Italy, or the rest that other zones leave of it: the closest match wins. */
const ITALY = ['italia', 'italy', 'nazionale', "resto d'italia", 'resto italia', 'rest of italy', 'altre regioni'];
const PENINSULA = ['penisola', 'italia peninsulare', 'italia continentale', 'mainland italy'];

/** Codes that name no country: groups, parts with postal addresses of another country, private use. */
const NO_COUNTRIES = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '));
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

const OTHER_COUNTRY_NAMES: Readonly<Record<string, string>> = {
  inghilterra: 'GB',
  'gran bretagna': 'GB',
  'great britain': 'GB',
  uk: 'GB',
  bosnia: 'BA',
  olanda: 'NL',
  holland: 'NL',
  'repubblica ceca': 'CZ',
  'czech republic': 'CZ',
  'rep. ceca': 'CZ',
  vaticano: 'VA',
  'citta del vaticano': 'VA',
  usa: 'US',
  'stati uniti': 'US',
};

const LANGUAGES = ['it', 'en'];

const countryNames = lazily(() => {
  const names = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }));
  const found = new Map<string, string>(Object.entries(OTHER_COUNTRY_NAMES));
  for (const code of LETTERS.flatMap((first) => LETTERS.map((second) => first + second))) {
    // A replaced code, as of a former country, becomes another one here.
    if (NO_COUNTRIES.has(code) || new Intl.Locale('und', { region: code }).region !== code) continue;
    for (const name of names) {
      const text = name.of(code);
      const words = foldText(text ?? '').replaceAll(' ed ', ' e ');
      if (words !== '' && !found.has(words)) found.set(words, code);
    }
  }
  return found;
});
const countryCodes = lazily(() => new Set(countryNames().values()));

function countryOf(text: string): string | null {
  const words = foldText(text).replaceAll(' ed ', ' e ');
  if (ITALY.includes(words)) return 'IT';
  if (/^[A-Za-z]{2}$/.test(text) && countryCodes().has(text.toUpperCase())) return text.toUpperCase();
  return countryNames().get(words) ?? null;
}

function areaOf(text: string): (typeof NAMED_AREAS)[number] | null {
  const words = foldText(text);
  const isIt = ({ code, name }: { code: string; name: string }): boolean =>
    words === foldText(code) || words === foldText(name) || (AREA_NAMES[code]?.includes(words) ?? false);
  return NAMED_AREAS.find(isIt) ?? null;
}

/** Returns every meaning of a text; nothing when it is no place at all. */
export function placesNamed(text: string): Place[] {
  if (PENINSULA.includes(foldText(text)))
    return [{ kind: 'peninsula', code: 'IT', words: 'Italy without its islands' }];
  const area = areaOf(text);
  if (area) return [{ kind: 'area', code: area.code, words: `the area ${area.name}` }];
  const country = countryOf(text);
  if (country && text.length > 2) return [{ kind: 'country', code: country, words: `the country ${country}` }];
  const [region, province] = [regionOf(text), provinceOf(text)];
  const places: Place[] = [];
  if (country) places.push({ kind: 'country', code: country, words: `the country ${country}` });
  if (region) places.push({ kind: 'region', code: region.code, words: `the region ${region.name} (${region.code})` });
  // Aosta is a province and the whole of its region: the same place by two names.
  const isWholeRegion = region?.code === 'VDA' && province?.region.code === 'VDA';
  if (province && !isWholeRegion) {
    places.push({ kind: 'province', code: province.code, words: `the province ${province.name} (${province.code})` });
  }
  return places;
}
