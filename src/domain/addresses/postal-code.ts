import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import { remembered } from '../../lib/remembered.ts';

/**
 * Countries where every postal code is accepted. Ireland's code is young and most people omit it. The others have forms
 * that the library does not know yet (Saudi Arabia nine digits, Kazakhstan letters, Chile, Costa Rica and Venezuela a
 * short one).
 */
const NOT_JUDGED = new Set(['IE', 'SA', 'KZ', 'CL', 'CR', 'VE']);

/**
 * Returns true when a postal code has its country's shape. It accepts small letters, spaces and hyphens at any place,
 * and the country's letters in front. A country that is unknown, or has no postal codes, accepts everything.
 */
export function hasPostalCodeShape(zip: string | null, countryCode: string | null): boolean {
  const country = (countryCode ?? '').trim().toUpperCase();
  if (zip === null || !/^[A-Z]{2}$/.test(country)) return true;
  if (NOT_JUDGED.has(country) || !postcodeValidatorExistsForCountry(country)) return true;
  return hasShape(`${country}${zip}`);
}

/**
 * Cached by country and code: a check tries several spellings, and orders come from the same places again and again.
 */
const hasShape = remembered(10_000, (key) => {
  const country = key.slice(0, 2);
  return spellings(key.slice(2), country).some((spelling) => postcodeValidator(spelling, country));
});

/** Returns the code without separators, with one at every place, and each of those without the country's letters. */
function spellings(zip: string, country: string): string[] {
  // French business mail has a word after the code.
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
