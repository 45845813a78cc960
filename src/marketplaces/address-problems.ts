import { addressProblem } from '../domain/addresses/address-problem.ts';
import type { ImportedAddress } from './adapter.ts';

/** Lists what an address lacks for a parcel. `country` is the platform's own spelling, where ours is derived from it. */
export function addressProblems(address: ImportedAddress, country = address.countryCode): string[] {
  return [
    ...(address.fullName || address.company ? [] : [addressProblem('name')]),
    ...(address.address ? [] : [addressProblem('street')]),
    ...(address.city ? [] : [addressProblem('city')]),
    ...(address.zip ? [] : [addressProblem('postal code')]),
    ...(country ? [] : [addressProblem('country')]),
  ];
}
