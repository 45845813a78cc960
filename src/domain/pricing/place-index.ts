import { comparableName, provinceOf } from '../addresses/gazetteer.ts';
import { comparablePostalCode, parsePlace, parsePostalRange } from './match.ts';

export interface Destination {
  /** ISO 3166 alpha-2. */
  countryCode: string;
  /** In Italy a code or a name. */
  province: string | null;
  city: string;
  zip: string;
  /** The carrier's own flags of the address, such as `DISADVANTAGED`. */
  areas?: readonly string[];
}

export interface Match {
  countries?: readonly string[] | undefined;
  regions?: readonly string[] | undefined;
  provinces?: readonly string[] | undefined;
  postalCodes?: readonly string[] | undefined;
  places?: readonly string[] | undefined;
  areas?: readonly string[] | undefined;
}

const ITALY = 'IT';

/** Values by key; the first one that claimed the key stays. */
class FirstMap<Value> extends Map<string, Value> {
  add(key: string, value: Value): void {
    if (!this.has(key)) this.set(key, value);
  }
}

interface Numbered<Value> {
  value: Value;
  order: number;
}

/** Postal codes and ranges; the first one added wins. */
class PostalIndex<Value> {
  readonly #single = new FirstMap<Numbered<Value>>();
  readonly #ranges: (Numbered<Value> & { from: string; to: string })[] = [];

  add(text: string, entry: Numbered<Value>): void {
    const range = parsePostalRange(text);
    if (!range) return;
    if (range.from === range.to) this.#single.add(range.from, entry);
    else this.#ranges.push({ ...range, ...entry });
  }

  find(code: string): Value | undefined {
    const single = this.#single.get(code);
    const range = this.#ranges.find(({ from, to }) => from.length === code.length && from <= code && code <= to);
    if (!single || !range) return (single ?? range)?.value;
    return single.order < range.order ? single.value : range.value;
  }
}

class CountryIndex<Value> {
  whole: Value | undefined;
  readonly regions = new FirstMap<Value>();
  readonly provinces = new FirstMap<Value>();
  readonly postalCodes = new PostalIndex<Value>();
  readonly places = new FirstMap<Value>();
}

/**
 * Finds the claims on a destination, the closest first: the carrier's own flag, a place, a postal code, a province, a
 * region, a country.
 */
export class PlaceIndex<Value> {
  readonly #countries = new Map<string, CountryIndex<Value>>();
  readonly #said = new FirstMap<Value>();
  readonly #areas: ReadonlyMap<string, Match>;
  #added = 0;

  constructor(areas: ReadonlyMap<string, Match>) {
    this.#areas = areas;
  }

  add(match: Match, value: Value): void {
    const isParted = Boolean(match.regions ?? match.provinces ?? match.postalCodes ?? match.places ?? match.areas);
    for (const country of match.countries ?? [ITALY]) {
      const index = this.#country(country);
      if (!isParted) index.whole ??= value;
      this.#addParts(index, match, value);
      if (country !== ITALY) continue;
      for (const code of match.areas ?? []) {
        this.#said.add(code, value);
        this.#addParts(index, this.#areas.get(code) ?? {}, value);
      }
    }
  }

  find(destination: Destination): Value | undefined {
    const country = destination.countryCode.trim().toUpperCase();
    const index = this.#countries.get(country);
    if (!index) return undefined;
    for (const area of destination.areas ?? []) {
      const said = this.#said.get(area);
      if (said !== undefined) return said;
    }
    const written = (destination.province ?? '').trim().toUpperCase();
    const province = country === ITALY ? provinceOf(written) : null;
    const code = province?.code ?? written;
    return (
      (index.places.size > 0 ? index.places.get(placeKey(destination.city, code)) : undefined) ??
      index.postalCodes.find(comparablePostalCode(destination.zip)) ??
      index.provinces.get(code) ??
      index.regions.get(province?.region.code ?? '') ??
      index.whole
    );
  }

  #country(code: string): CountryIndex<Value> {
    const known = this.#countries.get(code);
    if (known) return known;
    const made = new CountryIndex<Value>();
    this.#countries.set(code, made);
    return made;
  }

  #addParts(index: CountryIndex<Value>, match: Match, value: Value): void {
    for (const region of match.regions ?? []) index.regions.add(region, value);
    for (const province of match.provinces ?? []) index.provinces.add(province, value);
    for (const text of match.postalCodes ?? []) index.postalCodes.add(text, { value, order: this.#added++ });
    for (const text of match.places ?? []) {
      const place = parsePlace(text);
      if (place) index.places.add(placeKey(place.name, place.province), value);
    }
  }
}

function placeKey(city: string, province: string): string {
  return `${comparableName(city)}/${province}`;
}
