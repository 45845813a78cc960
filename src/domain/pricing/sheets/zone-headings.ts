import { REGIONS } from '../../addresses/gazetteer/regions.ts';
import type { PriceListZone } from '../price-list.ts';
import { readPlaces } from './heading-places.ts';
import type { Place } from './places.ts';
import { sameMatch } from './same-match.ts';
import { type CellPlace, foldText, type SheetProblem } from './sheet.ts';

export type ZoneIdentity = Pick<PriceListZone, 'code' | 'name' | 'label' | 'match'>;

/** The zone of a heading; `isNew` when no known zone matches. */
export interface MeantZone {
  zone: ZoneIdentity;
  isNew: boolean;
}

interface Heading {
  heading: string;
  at: CellPlace;
}

const ADVICE = 'give its zones with --zones, or take those of another tariff with --like';
const MAX_CODE = 40;

/**
 * Finds the zone of each heading: a known zone by code, name or label, else a place. The result has the order of the
 * headings, with null and a problem for an unknown one.
 */
export function resolveHeadings(
  headings: readonly Heading[],
  known: readonly ZoneIdentity[],
): { zones: (MeantZone | null)[]; problems: SheetProblem[] } {
  const problems: SheetProblem[] = [];
  const places = new Map<Heading, Place[]>();
  const kinds = unambiguousKinds(headings);
  for (const heading of headings) {
    if (namedZones(heading.heading, known).length > 0) continue;
    const read = placesOf(heading, kinds);
    if ('problem' in read) problems.push({ ...heading.at, message: read.problem });
    else places.set(heading, read.places);
  }
  const hasIslands = coversIslands([...places.values()].flat());
  const codes = new Set(known.map(({ code }) => code));
  const zones = headings.map((heading) => {
    const result = zoneOf(heading, { known, places: places.get(heading), hasIslands, codes });
    if (result === null) return null;
    if (!('problem' in result)) return result;
    problems.push({ ...heading.at, message: result.problem });
    return null;
  });
  return { zones: withoutRepeats(headings, zones, problems), problems };
}

function namedZones(heading: string, known: readonly ZoneIdentity[]): ZoneIdentity[] {
  const text = foldText(heading);
  const byCode = known.filter(({ code }) => foldText(code) === text);
  if (byCode.length > 0) return byCode;
  return known.filter(({ name, label }) => foldText(name) === text || (label && foldText(label) === text));
}

/** Decides by the unambiguous headings whether they name countries or parts of Italy. */
function unambiguousKinds(headings: readonly Heading[]): Set<'country' | 'part'> {
  const kinds = new Set<'country' | 'part'>();
  for (const { heading } of headings) {
    const read = readPlaces(heading);
    if ('unknown' in read) continue;
    for (const meanings of read.parts) {
      const [only] = meanings;
      // Italy stands beside parts of it as well as beside countries.
      if (meanings.length === 1 && only && only.code !== 'IT') kinds.add(only.kind === 'country' ? 'country' : 'part');
    }
  }
  return kinds;
}

function placesOf(
  { heading }: Heading,
  kinds: ReadonlySet<'country' | 'part'>,
): { places: Place[] } | { problem: string } {
  const read = readPlaces(heading);
  if ('unknown' in read) {
    const which = read.unknown === heading ? '' : ` (${read.unknown})`;
    return { problem: `It is not known where ${heading}${which} is: ${ADVICE}` };
  }
  const sure = read.parts.filter((meanings) => meanings.length === 1).flat();
  const places = [...sure];
  for (const meanings of read.parts.filter((each) => each.length > 1)) {
    const isSaid = meanings.some(({ kind, code }) => sure.some((place) => place.kind === kind && place.code === code));
    if (isSaid) continue;
    const likely = meanings.filter(
      ({ kind }) => kinds.size === 1 && kinds.has(kind === 'country' ? 'country' : 'part'),
    );
    const [only] = likely;
    if (likely.length !== 1 || !only) {
      const choice = meanings.map(({ words }) => words).join(' or ');
      return { problem: `${heading} may mean ${choice}: write the one that is meant` };
    }
    places.push(only);
  }
  return { places };
}

function coversIslands(places: readonly Place[]): boolean {
  const codes = new Set(places.filter(({ kind }) => kind === 'region' || kind === 'area').map(({ code }) => code));
  return codes.has('ISLANDS') || (codes.has('SIC') && codes.has('SAR'));
}

function zoneOf(
  { heading }: Heading,
  context: {
    known: readonly ZoneIdentity[];
    places: Place[] | undefined;
    hasIslands: boolean;
    codes: Set<string>;
  },
): MeantZone | { problem: string } | null {
  const named = namedZones(heading, context.known);
  const [first] = named;
  if (first && named.length === 1) return { zone: first, isNew: false };
  if (first) {
    return {
      problem: `${heading} may be any of the zones ${named.map(({ code }) => code).join(', ')}: write its code`,
    };
  }
  if (!context.places) return null;
  const match = matchOf(context.places, context.hasIslands);
  if (match === null) {
    return { problem: `A zone holds parts of Italy or other countries, not both: ${heading}. Otherwise ${ADVICE}` };
  }
  const same = context.known.find((zone) => sameMatch(zone.match, match));
  if (same) return { zone: same, isNew: false };
  const code = newCode(heading, context.codes);
  context.codes.add(code);
  return { zone: { code, name: heading, match }, isNew: true };
}

function matchOf(places: readonly Place[], hasIslands: boolean): ZoneIdentity['match'] | null {
  const of = (kind: Place['kind']): string[] => [
    ...new Set(places.filter((place) => place.kind === kind).map(({ code }) => code)),
  ];
  const countries = of('country');
  const regions = of('region');
  if (of('peninsula').length > 0) {
    if (hasIslands) countries.push('IT');
    else regions.push(...REGIONS.map(({ code }) => code).filter((code) => code !== 'SIC' && code !== 'SAR'));
  }
  const parts = { regions, provinces: of('province'), areas: of('area') };
  const hasParts = Object.values(parts).some((codes) => codes.length > 0);
  if (hasParts && countries.length > 0) return null;
  const given = Object.entries({ countries, ...parts }).filter(([, codes]) => codes.length > 0);
  return Object.fromEntries(given.map(([name, codes]) => [name, [...new Set(codes)]]));
}

/** Returns `Calabria, Sicilia e Sardegna` as `CALABRIA_SICILIA_E_SARDEGNA`. */
function newCode(heading: string, codes: ReadonlySet<string>): string {
  const words = foldText(heading)
    .toUpperCase()
    .match(/[A-Z0-9]+/g) ?? ['ZONE'];
  const base = words.join('_').slice(0, MAX_CODE).replace(/_+$/, '');
  for (let number = 1; ; number += 1) {
    const code = number === 1 ? base : `${base}_${number}`;
    if (!codes.has(code)) return code;
  }
}

function withoutRepeats(
  headings: readonly Heading[],
  zones: readonly (MeantZone | null)[],
  problems: SheetProblem[],
): (MeantZone | null)[] {
  const seen = new Map<string, Heading>();
  return zones.map((meant, index) => {
    const heading = headings[index];
    if (!meant || !heading) return null;
    const before = seen.get(meant.zone.code);
    seen.set(meant.zone.code, before ?? heading);
    if (!before) return meant;
    const other = before.heading === heading.heading ? '' : `, as ${before.heading} is`;
    problems.push({ ...heading.at, message: `A second time prices for the zone ${meant.zone.code}${other}` });
    return null;
  });
}
