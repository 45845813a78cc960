import { comparableName } from '../addresses/gazetteer.ts';
import { NAMED_AREAS } from '../addresses/named-areas.ts';
import { parsePlace, parsePostalRange } from './match.ts';
import type { PriceList, PriceListZone } from './price-list.ts';

/** A zone's claim: equal keys are the same place at the same closeness. */
export interface Claim {
  zone: number;
  /** `IT|region|SIC`; for postal codes only the scope of their comparison. */
  key: string;
  /** For a sentence: `the region SIC`. */
  words: string;
  range: { from: string; to: string } | null;
  /** Path in the price list. */
  path: (string | number)[];
}

type Parts = { regions?: string[]; provinces?: string[]; postalCodes?: string[]; places?: string[] };
type Named = { [Name in keyof Parts]?: string[] | undefined };

const WORDS = { regions: 'the region', provinces: 'the province', places: 'the place' } as const;

/** Returns every claim of every zone. An area claims its parts, since that is how closely it matches. */
export function claimsOf(list: PriceList): Claim[] {
  return list.zones.flatMap((zone, index) => zoneClaims(list, zone, index));
}

/** Returns the countries that bound a zone: Italy when it names only parts of a country. */
export function countriesOf(match: PriceListZone['match']): string[] {
  return match.countries ?? ['IT'];
}

/** Returns true when a zone is its countries as a whole. */
export function isWholeCountries({ countries: _countries, ...parts }: PriceListZone['match']): boolean {
  return Object.values(parts).every((value) => value === undefined);
}

/**
 * Returns the parts of an area: the price list's own area of that code before the named one; null for a carrier's
 * flags.
 */
export function areaParts(list: PriceList, code: string): Named | null {
  const area = list.areas.find((own) => own.code === code) ?? NAMED_AREAS.find((named) => named.code === code);
  return area?.match ?? null;
}

function zoneClaims(list: PriceList, { match }: PriceListZone, zone: number): Claim[] {
  const countries = countriesOf(match);
  const path = ['zones', zone, 'match'];
  if (isWholeCountries(match)) {
    return countries.map((code, index) => ({
      zone,
      key: `${code}|country`,
      words: `the country ${code}`,
      range: null,
      path: [...path, 'countries', index],
    }));
  }
  return countries.flatMap((country) => {
    const own = partClaims(match, country, zone, path);
    // Areas are parts of Italy.
    const areas = (country === 'IT' ? (match.areas ?? []) : []).flatMap((code, index) => {
      const at = [...path, 'areas', index];
      const parts = areaParts(list, code);
      if (parts) return partClaims(parts, country, zone, path).map((claim) => ({ ...claim, path: at }));
      return [{ zone, key: `${country}|area|${code}`, words: `the area ${code}`, range: null, path: at }];
    });
    return [...own, ...areas];
  });
}

function partClaims(parts: Named, country: string, zone: number, path: (string | number)[]): Claim[] {
  const simple = (['regions', 'provinces', 'places'] as const).flatMap((field) =>
    (parts[field] ?? []).map((code, index) => ({
      zone,
      key: `${country}|${field}|${comparable(field, code)}`,
      words: `${WORDS[field]} ${code}`,
      range: null,
      path: [...path, field, index],
    })),
  );
  const ranges = (parts.postalCodes ?? []).map((text, index) => {
    const range = parsePostalRange(text);
    // Only codes of one length are compared.
    const key = `${country}|postal|${range?.from.length}`;
    return { zone, key, words: `the postal codes ${text}`, range, path: [...path, 'postalCodes', index] };
  });
  return [...simple, ...ranges];
}

/** Normalizes a place for comparing; codes stay unchanged. */
function comparable(field: keyof typeof WORDS, text: string): string {
  const place = field === 'places' ? parsePlace(text) : null;
  return place ? `${comparableName(place.name)} (${place.province})` : text;
}
