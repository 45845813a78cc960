import type { ShipmentConfirmation } from '../adapter.ts';
import { spellingsOf } from '../carrier-names.ts';
import type { Account } from './account.ts';

/** The code of a carrier that Amazon does not list: its name is then required. */
const UNLISTED = 'Other';

export interface Carrier {
  carrierCode: string;
  carrierName?: string;
}

/**
 * Returns the carrier's code, which Amazon compares exactly. It publishes no list for this operation (`FedEx` is in
 * its own example).
 */
export function carrierOf(account: Account, { carrierId, carrierName }: ShipmentConfirmation): Carrier {
  const carrierCode = account.carrierNames?.[carrierId] ?? spellingsOf(carrierId, 'amazon')[0];
  return carrierCode ? { carrierCode } : { carrierCode: UNLISTED, carrierName };
}
