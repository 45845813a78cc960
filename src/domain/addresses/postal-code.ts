import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import { remembered } from '../../lib/remembered.ts';

/**
 * Countries of which no postal code is refused: Ireland's is young and most write none, the others have forms that the library
 * does not know yet (Saudi Arabia nine digits, Kazakhstan letters, Chile, Costa Rica and Venezuela a short one).
 */
const NOT_JUDGED = new Set(['IE', 'SA', 'KZ', 'CL', 'CR', 'VE']);

/**
 * Whether a postal code has the shape of its country's. Lenient where people are: small letters, spaces and hyphens wherever they
 * stand, the country's letters in front. A country that is unknown, or has no postal codes, accepts everything.
 */
export function hasPostalCodeShape(zip: string | null, countryCode: string | null): boolean {
  const country = (countryCode ?? '').trim().toUpperCase();
  if (zip === null || !/^[A-Z]{2}$/.test(country)) return true;
  if (NOT_JUDGED.has(country) || !postcodeValidatorExistsForCountry(country)) return true;
  return hasShape(`${country}${zip}`);
}

/** By country and code: several spellings are tried of each, and orders come from the same places again and again. */
const hasShape = remembered(10_000, (key) => {
  const country = key.slice(0, 2);
  return spellings(key.slice(2), country).some((spelling) => postcodeValidator(spelling, country));
});

/** The code without separators, with one at every place, and each of those without the letters of the country. */
function spellings(zip: string, country: string): string[] {
  // French business mail has a word behind the code.
  const written = zip
    .trim()
    .toUpperCase()
    .replace(/(?<=\d)\s*CEDEX(\s*\d+)?$/, '');
  const bare = written.replace(/[\s-]/g, '');
  const stems = [bare, bare.replace(new RegExp(`^(${country}|[A-Z])(?=\\d)`), '')];
  return [
    written,
    ...stems.flatMap((stem) => [
      stem,
      ...Array.from(stem, (_, index) => `${stem.slice(0, index)}-${stem.slice(index)}`),
      ...Array.from(stem, (_, index) => `${stem.slice(0, index)} ${stem.slice(index)}`),
    ]),
  ];
}
