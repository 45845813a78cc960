import type { ImportedAddress } from '../adapter.ts';
import type { Address, Order } from './schema.ts';

/** What the interface calls a country that it does not know. */
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

/** Never the billing address: the shop leaves the other one empty where nothing is sent, such as what is collected. */
export function importShipping(order: Order, problems: string[]): ImportedAddress {
  const own = importAddress(order.shippingAddress);
  if (order.shippingAddress === null) {
    problems.push('The order has no shipping address: it may be collected in the shop, or be digital');
    return own;
  }
  const address = { ...own, phone: own.phone || order.phone || (order.billingAddress?.phone ?? '') };
  if (!address.fullName && !address.company) problems.push('The shipping address has no name');
  if (!address.address) problems.push('The shipping address has no street');
  if (!address.city) problems.push('The shipping address has no city');
  if (!address.zip) problems.push('The shipping address has no postal code');
  if (!address.countryCode) problems.push('The shipping address has no country');
  return address;
}
