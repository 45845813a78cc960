import type { Party } from '../adapter.ts';
import { streetLines } from '../parties.ts';
import { composedText as plain } from '../text.ts';
import { MAX } from './limits.ts';

export interface PostalAddress {
  postalCode: string;
  cityName: string;
  countryCode: string;
  provinceCode?: string;
  provinceName?: string;
  addressLine1: string;
  addressLine2?: string;
  addressLine3?: string;
}

export const STREET = { max: MAX.addressLine, lines: MAX.addressLines };

/** Returns the street over up to three lines; null when it does not fit. */
export function streetOf(party: Party): string[] | null {
  return streetLines(party, plain, STREET);
}

/** A code where it looks like one; only shipments know the province's name. */
function provinceOf(province: string, named: boolean): Pick<PostalAddress, 'provinceCode' | 'provinceName'> {
  const written = plain(province);
  if (/^[A-Za-z0-9]{2,3}$/.test(written)) return { provinceCode: written.toUpperCase() };
  return named && written !== '' ? { provinceName: written } : {};
}

export function postalAddress(party: Party, { withProvinceName }: { withProvinceName: boolean }): PostalAddress {
  const [addressLine1 = '', addressLine2, addressLine3] = streetOf(party) ?? [];
  return {
    postalCode: plain(party.zip),
    cityName: plain(party.city),
    countryCode: party.countryCode.toUpperCase(),
    ...provinceOf(party.province, withProvinceName),
    addressLine1,
    ...(addressLine2 === undefined ? {} : { addressLine2 }),
    ...(addressLine3 === undefined ? {} : { addressLine3 }),
  };
}

export interface Contact {
  fullName: string;
  companyName: string;
  phone: string;
  email?: string;
}

/** Returns a person and a company, both of which DHL wants: each stands in for the other. */
export function contactOf({ name, company, phone, email }: Party): Contact {
  const address = plain(email);
  return {
    fullName: plain(name) || plain(company),
    companyName: plain(company) || plain(name),
    phone: plain(phone),
    ...(address === '' ? {} : { email: address }),
  };
}
