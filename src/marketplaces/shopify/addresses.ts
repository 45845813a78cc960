import type { ImportedAddress } from '../adapter.ts';
import { addressProblems } from '../address-problems.ts';
import type { Address, Order } from './schema.ts';

/** The interface's code of a country that it does not know. */
const UNKNOWN_COUNTRY = 'ZZ';

export function importAddress(address: Address | null): ImportedAddress {
  return {
    fullName: address?.name ?? '',
    company: address?.company ?? '',
    phone: address?.phone ?? '',
    address: address?.address1 ?? '',
    address2: address?.address2 ?? '',
    city: address?.city ?? '',
    province: address?.provinceCode ?? '',
    zip: address?.zip ?? '',
    countryCode: address?.countryCodeV2 === UNKNOWN_COUNTRY ? '' : (address?.countryCodeV2 ?? ''),
  };
}

/**
 * Reads the shipping address. It is never the billing one: the shop leaves it empty where nothing is sent, such as
 * for collection.
 */
export function importShipping(order: Order, problems: string[]): ImportedAddress {
  const own = importAddress(order.shippingAddress);
  if (order.shippingAddress === null) {
    problems.push('The order has no shipping address: it may be collected in the shop, or be digital');
    return own;
  }
  const address = { ...own, phone: own.phone || order.phone || (order.billingAddress?.phone ?? '') };
  problems.push(...addressProblems(address));
  return address;
}
