import { Big } from '../../lib/decimal.ts';
import type { DraftParcel, Party } from '../adapter.ts';
import { linesOf, phoneDigits } from '../text.ts';
import { MAX } from './limits.ts';
import { plain } from './text.ts';

/** Elsewhere FedEx wants no state, and our provinces are not always codes. */
const WITH_STATES = new Set(['US', 'CA', 'PR']);

export function hasStates({ countryCode }: Pick<Party, 'countryCode'>): boolean {
  return WITH_STATES.has(countryCode.toUpperCase());
}

/** What prices and transit times depend on. */
export function placeOf(party: Pick<Party, 'city' | 'province' | 'zip' | 'countryCode'>) {
  const postcode = plain(party.zip);
  return {
    city: plain(party.city),
    ...(hasStates(party) ? { stateOrProvinceCode: plain(party.province).toUpperCase() } : {}),
    ...(postcode === '' ? {} : { postalCode: postcode }),
    countryCode: party.countryCode.toUpperCase(),
  };
}

/** The street over up to three lines; null when it does not fit. FedEx would ignore a fourth one. */
export function streetOf({ address, address2 }: Party): string[] | null {
  const parts = [plain(address), plain(address2)].filter((part) => part !== '');
  return linesOf(parts, { max: MAX.streetLine, lines: MAX.streetLines });
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
      // An address is of no use cut, and nobody misses one that FedEx only writes to: where it is too long it is left out.
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

/** Whole centimetres, rounded up; null when somebody left one out. */
export function sidesOf({ lengthMm, widthMm, heightMm }: DraftParcel): [number, number, number] | null {
  const [length = 0, width = 0, height = 0] = [lengthMm, widthMm, heightMm].map((side) => Math.ceil(side / 10));
  return length > 0 && width > 0 && height > 0 ? [length, width, height] : null;
}

export function dimensionsOf(parcel: DraftParcel) {
  const sides = sidesOf(parcel);
  if (!sides) return {};
  const [length, width, height] = sides;
  // Without units FedEx reads inches.
  return { dimensions: { length, width, height, units: 'CM' } };
}
