import { PROVINCES } from '../../addresses/gazetteer/provinces.ts';
import { NAMED_AREAS } from '../../addresses/named-areas.ts';
import type { ZoneMatch } from '../match.ts';

/**
 * Returns true when two matches mean the same places in any form: a region, all its provinces, an area of whole
 * regions.
 */
export function sameMatch(one: ZoneMatch, other: ZoneMatch): boolean {
  return canonical(one) === canonical(other);
}

function canonical(match: ZoneMatch): string {
  const { countries, ...parts } = match;
  const areas = (parts.areas ?? []).map((code) => NAMED_AREAS.find((area) => area.code === code));
  const wholeRegions = areas.flatMap((area) => (area && isOfRegions(area.match) ? (area.match.regions ?? []) : []));
  const regions = new Set([...(parts.regions ?? []), ...wholeRegions]);
  const byRegion = PROVINCES.filter(({ region }) => regions.has(region.code)).map(({ code }) => code);
  const left = areas.flatMap((area, index) => (area && isOfRegions(area.match) ? [] : [parts.areas?.[index] ?? '']));
  const hasParts = Object.values(parts).some((value) => value !== undefined);
  return JSON.stringify({
    countries: sorted(countries ?? (hasParts ? ['IT'] : [])),
    provinces: sorted([...byRegion, ...(parts.provinces ?? [])]),
    postalCodes: sorted(parts.postalCodes ?? []),
    places: sorted(parts.places ?? []),
    areas: sorted(left),
  });
}

function isOfRegions(match: (typeof NAMED_AREAS)[number]['match']): boolean {
  return match.regions !== undefined && !match.provinces && !match.postalCodes && !match.places;
}

function sorted(codes: readonly string[]): string[] {
  return [...new Set(codes)].toSorted();
}
