import type { Customer, CustomerAddress } from '../../db/entities/index.ts';

/** Returns the billing columns from the data of an API client or a marketplace. */
export interface Buyer {
  customer: Pick<Customer, 'fullName' | 'email' | 'phone'>;
  billing: {
    company: string;
    address: string;
    city: string;
    province: string;
    zip: string;
    countryCode: string;
    vatNumber: string;
    taxCode: string;
  };
}

/** Returns the shipping address columns. */
export type Destination = Pick<
  CustomerAddress,
  'fullName' | 'company' | 'phone' | 'address' | 'address2' | 'city' | 'zip' | 'countryCode'
> & { province: string };

export function customerFields({ customer, billing }: Buyer) {
  return {
    ...customer,
    billingCompany: billing.company,
    billingAddress: billing.address,
    billingCity: billing.city,
    billingState: billing.province,
    billingZip: billing.zip,
    billingCountry: billing.countryCode,
    billingVat: billing.vatNumber,
    billingCodiceFiscale: billing.taxCode,
  };
}

export function addressFields({ province, countryCode, ...place }: Destination) {
  return { ...place, state: province, country: countryCode, countryCode };
}
