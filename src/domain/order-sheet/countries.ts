import { isCountryCode } from '../addresses/country-codes.ts';
import { comparableText } from '../addresses/gazetteer.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Names that people write and CLDR does not list. */
const OTHER_NAMES: readonly [string, string][] = [
  ['Olanda', 'NL'],
  ['Holland', 'NL'],
  ['Inghilterra', 'GB'],
  ['England', 'GB'],
  ['Gran Bretagna', 'GB'],
  ['Great Britain', 'GB'],
  ['UK', 'GB'],
  ['Repubblica Ceca', 'CZ'],
  ['Czech Republic', 'CZ'],
  ["Stati Uniti d'America", 'US'],
  ['USA', 'US'],
  ['ITA', 'IT'],
];

const BY_NAME: ReadonlyMap<string, string> = new Map([
  ...['it', 'en'].flatMap((language) => {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isCountryCode);
    return codes.flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [[comparableText(name), code] as const];
    });
  }),
  ...OTHER_NAMES.map(([name, code]) => [comparableText(name), code] as const),
]);

/** Returns the two letters of a country by them, or by its Italian or English name; null: unknown. */
export function countryCodeOf(text: string): string | null {
  const code = text.trim().toUpperCase();
  return isCountryCode(code) ? code : (BY_NAME.get(comparableText(text)) ?? null);
}
