import { comparableName, comparableText } from './gazetteer.ts';

/** Where a parcel goes, and to whom. */
export interface Destination {
  fullName: string;
  address: string;
  address2: string;
  zip: string;
  city: string;
  countryCode: string;
}

const COMPARED: Readonly<Record<string, (to: Destination) => string>> = {
  name: ({ fullName }) => comparableText(fullName),
  street: ({ address, address2 }) => comparableText(`${address} ${address2}`),
  'postal code': ({ zip }) => zip.replace(/[\s-]/g, '').toUpperCase(),
  city: ({ city }) => comparableName(city),
  country: ({ countryCode }) => countryCode.toUpperCase(),
};

/** Names the fields in which two destinations differ by more than spelling: accents, capitals, punctuation, spaces. */
export function differencesOf(one: Destination, other: Destination): string[] {
  return Object.entries(COMPARED).flatMap(([name, of]) => (of(one) === of(other) ? [] : [name]));
}
