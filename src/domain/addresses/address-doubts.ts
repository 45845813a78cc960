import {
  type Comune,
  capBelongs,
  findComuni,
  firstDigitsOf,
  type Province,
  provinceOf,
  provinceOfPlace,
  similarComuni,
} from './gazetteer.ts';
import { cityOfGenericCap } from './generic-caps.ts';
import { hasPostalCodeShape } from './postal-code.ts';
import { hasHouseNumber } from './street.ts';

/** An address as a person wrote it. */
export interface WrittenAddress {
  countryCode: string;
  province: string;
  city: string;
  zip: string;
  /** Street and house number. */
  address: string;
}

/** A probable mistake in an address. It is only a hint: no order is refused for it. */
export interface AddressDoubt {
  field: 'province' | 'city' | 'zip' | 'address';
  /** Says what was written, why it is doubted, and what to do. */
  message: string;
  /** A possible right value of the field. */
  suggestion?: string;
}

const MAX_SUGGESTIONS = 3;

/** Lists the doubts about an address, from the gazetteer and the forms of postal codes. Pure. */
export function addressDoubts(address: WrittenAddress): AddressDoubt[] {
  const country = address.countryCode.trim().toUpperCase();
  if (country !== 'IT') return abroad(address, country);
  const province = provinceOf(address.province);
  return [
    ...provinceDoubts(address, province),
    ...cityDoubts(address, province),
    ...zipDoubts(address, province),
    ...(hasHouseNumber(address.address) ? [] : [HOUSE_NUMBER]),
  ];
}

const HOUSE_NUMBER: AddressDoubt = {
  field: 'address',
  message: 'The street has no house number: add it, or "snc" when there is none',
};

function abroad({ province, city, zip }: WrittenAddress, country: string): AddressDoubt[] {
  if (!hasPostalCodeShape(zip, country)) return [shapeDoubt(zip, country)];
  const written = provinceOf(province);
  const isItalian = written !== null && capBelongs(zip, written) && inProvince(findComuni(city), written).length > 0;
  if (!isItalian) return [];
  return [{ field: 'zip', message: `${zip} ${city} is in Italy and the country is ${country}: check the country` }];
}

function shapeDoubt(zip: string, country: string): AddressDoubt {
  return { field: 'zip', message: `"${zip}" has not the form of a postal code of ${country}: check it` };
}

function provinceDoubts({ province, city, zip }: WrittenAddress, known: Province | null): AddressDoubt[] {
  const there = provinceOfPlace({ city, zip });
  const suggestion = there ? { suggestion: there.code } : {};
  if (known === null) {
    const message =
      province.trim() === ''
        ? 'The province is missing: write its two letters'
        : `There is no Italian province "${province}": write its two letters`;
    return [{ field: 'province', message, ...suggestion }];
  }
  const comuni = findComuni(city);
  if (comuni.length === 0 || inProvince(comuni, known).length > 0 || isCityTheFault(known, { zip, comuni })) return [];
  return [
    {
      field: 'province',
      message: `${comuni[0]?.name ?? city} is in ${provincesOf(comuni)} and not in ${known.code}: correct the province or the city`,
      ...suggestion,
    },
  ];
}

/** Doubts a comune of another province, when the postal code agrees with the written province. */
function isCityTheFault(province: Province, { zip, comuni }: { zip: string; comuni: readonly Comune[] }): boolean {
  return capBelongs(zip, province) && !comuni.some((comune) => capBelongs(zip, comune.province));
}

function cityDoubts({ city, zip }: WrittenAddress, province: Province | null): AddressDoubt[] {
  const comuni = findComuni(city);
  if (comuni.length === 0) return [unknownComune(city, province)];
  if (province === null || inProvince(comuni, province).length > 0 || !isCityTheFault(province, { zip, comuni }))
    return [];
  const message = `${comuni[0]?.name ?? city} is in ${provincesOf(comuni)}, and ${zip} is a postal code of ${province.code}: correct the city or both others`;
  return [{ field: 'city', message }];
}

function unknownComune(city: string, province: Province | null): AddressDoubt {
  const similar = similarComuni(city, { ...(province ? { province } : {}), limit: MAX_SUGGESTIONS });
  const [best] = similar;
  const names = similar.map((comune) => `${comune.name} (${comune.province.code})`).join(', ');
  const message = `There is no comune "${city}": it may be a hamlet, which is fine, or misspelt`;
  if (!best) return { field: 'city', message };
  return { field: 'city', message: `${message}. Similar: ${names}`, suggestion: best.name };
}

function zipDoubts({ zip, city }: WrittenAddress, province: Province | null): AddressDoubt[] {
  const cap = zip.trim();
  if (!hasPostalCodeShape(cap, 'IT')) {
    const padded = cap.padStart(5, '0');
    const hasLostZeros = /^\d{2,4}$/.test(cap) && province !== null && capBelongs(padded, province);
    return [{ ...shapeDoubt(zip, 'IT'), ...(hasLostZeros ? { suggestion: padded } : {}) }];
  }
  const state = cap === '00120' ? 'the Vatican (VA)' : cap.startsWith('4789') ? 'San Marino (SM)' : null;
  if (state)
    return [{ field: 'zip', message: `${cap} is a postal code of ${state} and the country is IT: check the country` }];
  const whole = cityOfGenericCap(cap);
  if (whole) {
    return [
      {
        field: 'zip',
        message: `${cap} stood for all of ${whole} and is not used any more: write the one of the street`,
      },
    ];
  }
  if (!province || capBelongs(cap, province)) return [];
  const isAnothers = inProvince(findComuni(city), province).length === 0 && provinceOfPlace({ city, zip }) !== null;
  // The city and its postal code fit together, so the province is wrong.
  if (isAnothers) return [];
  const message = `${cap} is probably no postal code of ${province.code}, where they begin with ${firstDigitsOf(province)}: check it`;
  return [{ field: 'zip', message }];
}

function inProvince(comuni: readonly Comune[], province: Province): Comune[] {
  return comuni.filter((comune) => comune.province === province);
}

function provincesOf(comuni: readonly Comune[]): string {
  return [...new Set(comuni.map((comune) => comune.province.code))].join(' or ');
}
