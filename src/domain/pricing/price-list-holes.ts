import { PROVINCES, type Province } from '../addresses/gazetteer/provinces.ts';
import { findComuni, provinceOf, regionOf } from '../addresses/gazetteer.ts';
import { kilograms } from './amount.ts';
import { parsePlace } from './match.ts';
import type { PriceList, PriceListSurcharge, PriceListTransport, PriceListZone } from './price-list.ts';
import { areaParts, claimsOf, countriesOf, isWholeCountries } from './zone-claims.ts';

const WARNED_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Describes where a list has no price, or will have none within a month of `day` (YYYY-MM-DD). All of it is allowed.
 */
export function priceListHoles(list: PriceList, day: string): string[] {
  return [
    ...uncovered(list),
    ...list.zones.flatMap((zone) => endsOf(zone)),
    ...withoutPurchase(list),
    ...list.surcharges.flatMap((surcharge) => surchargeHole(surcharge, day) ?? []),
    ...unusedAreas(list),
    ...list.zones.flatMap((zone) => neverMatches(list, zone)),
  ];
}

/** Lists provinces of Italy that no zone has, when some zone has a part of it. A few postal codes cover no province. */
function uncovered(list: PriceList): string[] {
  const keys = new Set(claimsOf(list).map(({ key }) => key));
  const coversItaly = [...keys].some((key) => key.startsWith('IT|'));
  if (!coversItaly || keys.has('IT|country')) return [];
  const missing = PROVINCES.filter(
    ({ code, region }) => !keys.has(`IT|provinces|${code}`) && !keys.has(`IT|regions|${region.code}`),
  );
  if (missing.length === 0) return [];
  if (missing.length === PROVINCES.length) return ['No zone covers a whole region or province of Italy'];
  return [...Map.groupBy(missing, ({ region }) => region)].map(([region, provinces]) => {
    const isWhole = provinces.length === PROVINCES.filter((each) => each.region === region).length;
    return isWhole
      ? `No zone covers the region ${region.name} (${region.code})`
      : `No zone covers ${provinces.length === 1 ? 'the province' : 'the provinces'} ${provinces.map(named).join(', ')}`;
  });
}

function named({ name, code }: Province): string {
  return `${name} (${code})`;
}

function endsOf(zone: PriceListZone): string[] {
  const sides: [string, PriceListTransport | undefined][] = [
    ['sale', zone.sale],
    ['purchase', zone.purchase],
  ];
  return sides.flatMap(([side, transport]) => {
    const last = transport?.brackets.at(-1);
    if (!last || transport?.stepGrams !== undefined) return [];
    return [`Zone ${zone.code} has no ${side} price above ${kilograms(last.upToGrams)}`];
  });
}

function withoutPurchase({ zones }: PriceList): string[] {
  const without = zones.filter(({ purchase }) => purchase === undefined);
  if (without.length === zones.length) return [];
  return without.map(({ code }) => `Zone ${code} has no purchase prices, while others have them`);
}

function plusDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Returns the first day on which a dated surcharge has no amount; null when it has one for the next month or is not
 * charged.
 */
function surchargeHole(surcharge: PriceListSurcharge, day: string): string | null {
  if (!surcharge.amounts) return null;
  const first = surcharge.from !== undefined && surcharge.from > day ? surcharge.from : day;
  const horizon = plusDays(day, WARNED_DAYS);
  const last = surcharge.to !== undefined && surcharge.to < horizon ? surcharge.to : horizon;
  let wanted = first;
  for (const { from, to } of surcharge.amounts) {
    if (wanted > last) return null;
    if ((from !== undefined && from > wanted) || (to !== undefined && to < wanted)) continue;
    if (to === undefined) return null;
    wanted = plusDays(to, 1);
  }
  if (wanted > last) return null;
  return wanted === first
    ? `Surcharge ${surcharge.name} has no amount on ${wanted}`
    : `Surcharge ${surcharge.name} has no amount after ${plusDays(wanted, -1)}`;
}

function unusedAreas({ areas, zones, surcharges }: PriceList): string[] {
  const used = new Set([
    ...zones.flatMap(({ match }) => match.areas ?? []),
    ...surcharges.flatMap(({ when }) => when?.areas ?? []),
  ]);
  return areas.flatMap(({ code }) => (used.has(code) ? [] : [`Area ${code} is defined and never used`]));
}

/** Returns why no destination can be in a zone, or in a part of it. */
function neverMatches(list: PriceList, zone: PriceListZone): string[] {
  const { match } = zone;
  if (isWholeCountries(match)) return [];
  const countries = countriesOf(match);
  if (!countries.includes('IT')) {
    const isAnywhere = match.provinces ?? match.postalCodes ?? match.places;
    return isAnywhere ? [] : [`Zone ${zone.code} can never match: it names parts of Italy in ${countries.join(', ')}`];
  }
  const areas = (match.areas ?? []).map((code) => areaParts(list, code));
  // The gazetteer has no carrier's flags and no postal codes.
  const isOpen = areas.includes(null) || [match, ...areas].some((parts) => parts?.postalCodes !== undefined);
  const named = [match, ...areas].flatMap((parts) => (parts ? namesIn(parts) : []));
  const unknown = countries.length === 1 ? named.filter(({ exists }) => !exists).map(({ words }) => words) : [];
  if (unknown.length === 0) return [];
  if (!isOpen && unknown.length === named.length) {
    return [`Zone ${zone.code} can never match: there is no ${unknown.join(', no ')}`];
  }
  return unknown.map((words) => `Zone ${zone.code} names what does not exist: ${words}`);
}

function namesIn(parts: NonNullable<ReturnType<typeof areaParts>>): { words: string; exists: boolean }[] {
  return [
    ...(parts.regions ?? []).map((code) => ({ words: `region ${code}`, exists: regionOf(code)?.code === code })),
    // An abolished code in an address is read as another one, and so never matches this one.
    ...(parts.provinces ?? []).map((code) => ({ words: `province ${code}`, exists: provinceOf(code)?.code === code })),
    ...(parts.places ?? []).map((text) => ({ words: `place ${text}`, exists: isComune(text) })),
  ];
}

function isComune(text: string): boolean {
  const place = parsePlace(text);
  return place !== null && findComuni(place.name).some(({ province }) => province.code === place.province);
}
