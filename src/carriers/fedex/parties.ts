import { Big } from '../../lib/decimal.ts';
import type { DraftParcel, Party } from '../adapter.ts';
import { sidesCm } from '../parcels.ts';
import { streetLines } from '../parties.ts';
import { phoneDigits, latin1Text as plain } from '../text.ts';
import { MAX } from './limits.ts';

/** Elsewhere FedEx wants no state, and our provinces are not always codes. */
const WITH_STATES = new Set(['US', 'CA', 'PR']);

export function hasStates({ countryCode }: Pick<Party, 'countryCode'>): boolean {
  return WITH_STATES.has(countryCode.toUpperCase());
}

/** Returns the part of an address that prices and transit times depend on. */
export function placeOf(party: Pick<Party, 'city' | 'province' | 'zip' | 'countryCode'>) {
  const postcode = plain(party.zip);
  return {
    city: plain(party.city),
    ...(hasStates(party) ? { stateOrProvinceCode: plain(party.province).toUpperCase() } : {}),
    ...(postcode === '' ? {} : { postalCode: postcode }),
    countryCode: party.countryCode.toUpperCase(),
  };
}

/** FedEx would ignore a fourth line. */
export const STREET = { max: MAX.streetLine, lines: MAX.streetLines };

/** Returns the street over up to three lines; null when it does not fit. */
export function streetOf(party: Party): string[] | null {
  return streetLines(party, plain, STREET);
}

/** Digits only, with the country's in front where the number has them. */
export function phoneOf({ phone }: Pick<Party, 'phone'>): string {
  return phoneDigits(phone).replace(/^00/, '').replace(/\D/g, '');
}

export function partyOf(party: Party) {
  const company = plain(party.company);
  const email = plain(party.email);
  return {
    address: { streetLines: streetOf(party) ?? [], ...placeOf(party) },
    contact: {
      personName: plain(party.name) || company,
      ...(company === '' ? {} : { companyName: company }),
      phoneNumber: phoneOf(party),
      // A cut address is of no use, and FedEx only writes to it: a too long one is left out.
      ...(email === '' || email.length > MAX.email ? {} : { emailAddress: email }),
    },
  };
}

/** Kilograms with one decimal, rounded up: too little is charged for afterwards. */
export function kilograms(grams: number): number {
  return new Big(grams).div(1000).round(1, Big.roundUp).toNumber();
}

export function weightOf(grams: number) {
  return { units: 'KG', value: kilograms(grams) };
}

export function dimensionsOf(parcel: DraftParcel) {
  const sides = sidesCm(parcel);
  if (!sides) return {};
  const [length, width, height] = sides;
  // Without units FedEx reads inches.
  return { dimensions: { length, width, height, units: 'CM' } };
}
