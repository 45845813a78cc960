import { Big } from '../../lib/decimal.ts';
import type { DraftParcel, Party } from '../adapter.ts';
import { sidesCm } from '../parcels.ts';
import { streetLines } from '../parties.ts';
import { phoneDigits, latin1Text as plain } from '../text.ts';
import { MAX } from './limits.ts';

export const STREET = { max: MAX.addressLine, lines: MAX.addressLines };

/** Returns the street over up to three lines; null when it does not fit. */
export function streetOf(party: Party): string[] | null {
  return streetLines(party, plain, STREET);
}

export function addressOf(party: Party) {
  const postcode = plain(party.zip);
  return {
    AddressLine: streetOf(party) ?? [],
    City: plain(party.city),
    ...(isProvinceCode(party) ? { StateProvinceCode: plain(party.province).toUpperCase() } : {}),
    ...(postcode === '' ? {} : { PostalCode: postcode }),
    CountryCode: party.countryCode.toUpperCase(),
  };
}

/** UPS has a field for codes only. */
function isProvinceCode({ province }: Party): boolean {
  return /^[A-Za-z0-9-]{1,5}$/.test(plain(province));
}

/** Returns the company and the person, each of which stands in for the other. */
export function namesOf({ name, company }: Party) {
  return { Name: plain(company) || plain(name), AttentionName: plain(name) || plain(company) };
}

/** Digits only: a plus is not among the characters UPS takes. */
export function phoneOf({ phone }: Pick<Party, 'phone'>): string {
  return phoneDigits(phone).replace(/\D/g, '');
}

export function partyOf(party: Party) {
  const phone = phoneOf(party);
  const email = plain(party.email);
  return {
    ...namesOf(party),
    ...(phone === '' ? {} : { Phone: { Number: phone } }),
    // A cut address is of no use, and UPS only writes to it: a too long one is left out.
    ...(email === '' || email.length > MAX.email ? {} : { EMailAddress: email }),
    Address: addressOf(party),
  };
}

/** Tenths of a kilogram, rounded up: too little is charged for afterwards. */
export function kilograms(grams: number): string {
  return new Big(grams).div(1000).round(1, Big.roundUp).toFixed(1);
}

/** Returns whole centimetres, the longest first as UPS wants it; null when one of them is missing. */
export function sidesOf(parcel: DraftParcel): [number, number, number] | null {
  const [length = 0, width = 0, height = 0] = sidesCm(parcel)?.toSorted((a, b) => b - a) ?? [];
  return height > 0 ? [length, width, height] : null;
}

export function dimensionsOf(parcel: DraftParcel) {
  const sides = sidesOf(parcel);
  if (!sides) return {};
  const [Length, Width, Height] = sides.map(String);
  return { Dimensions: { UnitOfMeasurement: { Code: 'CM', Description: 'Centimetres' }, Length, Width, Height } };
}

export function weightOf(grams: number) {
  return { UnitOfMeasurement: { Code: 'KGS', Description: 'Kilograms' }, Weight: kilograms(grams) };
}
