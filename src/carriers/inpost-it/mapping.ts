import type { Party, ShipmentDraft } from '../adapter.ts';
import { phoneDigits, composedText as plain } from '../text.ts';
import { notAsked } from './refusals.ts';
import type { Account } from './schema.ts';
import { SERVICE, sizeOf } from './services.ts';

/** Returns the body of the one write, with our reference. Letters of every language are sent as they are, in UTF-8. */
export function createBody(account: Account, draft: ShipmentDraft) {
  const { sender, recipient, cod, currency, note } = draft;
  const size = sizeOf(draft, account);
  if (size === undefined) throw notAsked('the parcel fits into no locker, or its sides are not known');
  const isFetched = account.sendingMethod === 'dispatch_order';
  return {
    reference: draft.reference,
    service: SERVICE,
    receiver: peerOf(recipient),
    sender: { ...peerOf(sender), ...(isFetched ? { address: wholeAddressOf(sender) } : {}) },
    parcels: { template: size.template },
    custom_attributes: { target_point: draft.pickupPointId, sending_method: account.sendingMethod },
    ...(cod ? { cod: { amount: cod.amountCents / 100, currency } } : {}),
    ...(plain(note) === '' ? {} : { comments: plain(note) }),
  };
}

/** Without an address: the parcel goes to a locker, and InPost has no need of where people live. */
function peerOf(party: Party): Record<string, string> {
  const fields = {
    name: plain(party.name),
    company_name: plain(party.company),
    email: party.email.trim(),
    phone: phoneDigits(party.phone),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

export interface ShipxAddress {
  street: string;
  building_number: string;
  city: string;
  post_code: string;
  country_code: string;
}

/**
 * Splits the house number off, as ShipX wants it: at the end of the address, or "snc" where a house has none. Null when
 * there is none.
 */
export function addressOf(party: Party): ShipxAddress | null {
  const [, street = '', number = ''] =
    /^(.*?\D)[\s,]+(\d+(?:\s*(?:bis|ter|[a-z]))?(?:\s*\/\s*\w+)?|s\.?n\.?c\.?)$/i.exec(plain(party.address)) ?? [];
  const address = {
    street: street.replace(/[\s,]+$/, ''),
    building_number: number,
    city: plain(party.city),
    post_code: party.zip.trim(),
    country_code: party.countryCode,
  };
  return Object.values(address).every((value) => value !== '') ? address : null;
}

export const NEEDS_ADDRESS =
  'the sender needs an address that ends with its house number (or "snc"), postcode and city';

export function wholeAddressOf(party: Party): ShipxAddress {
  const address = addressOf(party);
  if (address === null) throw notAsked(NEEDS_ADDRESS);
  return address;
}
