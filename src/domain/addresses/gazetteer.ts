import { distance } from 'fastest-levenshtein';
import { remembered } from '../../lib/remembered.ts';
import { comparableName, comparableText } from './gazetteer/comparable-name.ts';
import { type Comune, comuniByName, namedComuni } from './gazetteer/comuni.ts';
import { lazily } from './gazetteer/lazily.ts';
import { firstDigitsOf, PROVINCE_CODES, PROVINCE_NAMES, PROVINCES, type Province } from './gazetteer/provinces.ts';
import { REGION_NAMES, REGIONS, type Region } from './gazetteer/regions.ts';

/** The regions, provinces and comuni of Italy. Source and licence: `gazetteer/README.md`. Pure. */
export { type Comune, comparableName, comparableText, firstDigitsOf, type Province, type Region };

const provinces = lazily(() => {
  const byCode = new Map(PROVINCES.map((province) => [province.code, province]));
  return {
    byCode: joined(PROVINCE_CODES, byCode, (code) => code),
    byName: joined(PROVINCE_NAMES, byCode, comparableName),
  };
});

const regions = lazily(() => {
  const byCode = new Map(REGIONS.map((region) => [region.code, region]));
  return { byCode, byName: joined(REGION_NAMES, byCode, comparableName) };
});

function joined<T>(
  pairs: readonly (readonly [written: string, code: string])[],
  byCode: ReadonlyMap<string, T>,
  keyOf: (written: string) => string,
): Map<string, T> {
  return new Map(
    pairs.flatMap(([written, code]) => {
      const found = byCode.get(code);
      return found === undefined ? [] : [[keyOf(written), found] as const];
    }),
  );
}

/** Finds a province by its code, its name or a usual variant, also an abolished one; null when there is none. */
export function provinceOf(text: string): Province | null {
  const code = text.trim().toUpperCase().replace(/^IT-/, '');
  const { byCode, byName } = provinces();
  const known = byCode.get(code);
  if (known) return known;
  const name = comparableName(text).replace(/^(prov|provincia|citta metropolitana|libero consorzio comunale) /, '');
  return byName.get(name) ?? null;
}

/** Returns the two letters of an Italian province in any spelling; any other text, and abroad, unchanged. */
export function provinceCode({ countryCode, province }: { countryCode: string; province: string }): string {
  return countryCode === 'IT' ? (provinceOf(province)?.code ?? province) : province;
}

/** Finds a region by its code of three letters, its name or a usual variant. */
export function regionOf(text: string): Region | null {
  const { byCode, byName } = regions();
  const name = comparableName(text).replace(/^regione /, '');
  return byCode.get(text.trim().toUpperCase()) ?? byName.get(name) ?? null;
}

/** Orders come from the same places again and again. */
const PLACES = 10_000;

/** Every comune of this name, in the comparable spelling; each half of a bilingual name counts. */
export const findComuni: (name: string) => readonly Comune[] = remembered(PLACES, (name) => {
  const halves = new Set([name, ...name.split(/\/| - /)]);
  const found = [...halves].flatMap((half) => comuniByName(comparableName(half)));
  return [...new Set(found)];
});

/** A name with a larger share of wrong letters is no misspelling. */
const MAX_PART_WRONG = 0.4;
/** A comune of another province must be nearer by this much to come first. */
const OTHER_PROVINCE = 0.25;

/** The beginning of a word is seldom wrong: among two equally near names, the one with the same beginning wins. */
const BEGINNING = 0.01;

function sharedBeginning(one: string, other: string): number {
  const end = Math.min(4, one.length, other.length);
  let shared = 0;
  while (shared < end && one[shared] === other[shared]) shared += 1;
  return shared;
}

/** Suggests names, best first: nearest spelling, those of the province before the others. */
export function similarComuni(name: string, options: { province?: Province; limit: number }): readonly Comune[] {
  const { province, limit } = options;
  return nearestComuni(`${province?.code ?? ''} ${comparableName(name)}`).slice(0, limit);
}

const MOST_SIMILAR = 10;

/**
 * Cached by province and comparable name: a search compares thousands of names, and a hamlet needs one at each read of
 * its order.
 */
const nearestComuni = remembered(PLACES, (key): readonly Comune[] => {
  const [code = '', ...words] = key.split(' ');
  const wanted = words.join(' ');
  const province = provinces().byCode.get(code);
  if (wanted === '') return [];
  const best = new Map<Comune, number>();
  for (const { name: known, comune } of namedComuni()) {
    const longer = Math.max(wanted.length, known.length);
    // Each surplus or missing letter is wrong, so most names need no closer look.
    if (Math.abs(wanted.length - known.length) > longer * MAX_PART_WRONG && !known.startsWith(`${wanted} `)) continue;
    const wrong = known.startsWith(`${wanted} `) ? MAX_PART_WRONG / 2 : distance(wanted, known) / longer;
    if (wrong > MAX_PART_WRONG) continue;
    const elsewhere = province && comune.province !== province ? OTHER_PROVINCE : 0;
    const far = wrong + elsewhere - sharedBeginning(wanted, known) * BEGINNING;
    best.set(comune, Math.min(best.get(comune) ?? Number.POSITIVE_INFINITY, far));
  }
  return [...best]
    .toSorted(([a, far], [b, near]) => far - near || a.name.localeCompare(b.name))
    .slice(0, MOST_SIMILAR)
    .map(([comune]) => comune);
});

/**
 * Returns true when the first two digits are those of the province. A hint: at the borders of a province there are
 * exceptions.
 */
export function capBelongs(cap: string, province: Province): boolean {
  return /^\d{5}$/.test(cap.trim()) && cap.trim().slice(0, 2) === firstDigitsOf(province);
}

/**
 * Finds where a comune of this name is. Null when there is none, or when the postal code is of no province that has one.
 * Also null when several exist and the postal code does not tell which.
 */
export function provinceOfPlace({ city, zip }: { city: string; zip: string }): Province | null {
  const provinces = new Set(findComuni(city).map((comune) => comune.province));
  const fitting = /^\d{5}$/.test(zip.trim())
    ? [...provinces].filter((province) => capBelongs(zip, province))
    : [...provinces];
  const [only] = fitting;
  return only && fitting.length === 1 ? only : null;
}
