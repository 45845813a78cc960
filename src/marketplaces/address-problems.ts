import type { ImportedAddress } from './adapter.ts';

/** Lists what an address lacks for a parcel. `country` is the platform's own spelling, where ours is derived from it. */
export function addressProblems(address: ImportedAddress, country = address.countryCode): string[] {
  return [
    ...(address.fullName || address.company ? [] : ['The shipping address has no name']),
    ...(address.address ? [] : ['The shipping address has no street']),
    ...(address.city ? [] : ['The shipping address has no city']),
    ...(address.zip ? [] : ['The shipping address has no postal code']),
    ...(country ? [] : ['The shipping address has no country']),
  ];
}
