import type { ShipmentConfirmation } from '../contract.ts';
import type { Account } from './account.ts';

/** "Use this code for any carrier not listed here." */
const UNLISTED = 'Other';

/**
 * Our carrier id to eBay's code, from the enumeration ShippingCarrierCodeType of the Trading API (version 1423, read
 * 2026-11-21), all of them for Italy. InPost is not in it.
 */
const CARRIER_CODES: Readonly<Record<string, string>> = {
  brt: 'Bartolini',
  'dhl-express': 'DHL',
  fedex: 'FedEx',
  'gls-it': 'GLS',
  'poste-it': 'PosteItaliane',
  ups: 'UPS',
};

export function carrierCodeOf(account: Account, { carrierId }: ShipmentConfirmation): string {
  return account.carrierNames?.[carrierId] ?? CARRIER_CODES[carrierId] ?? UNLISTED;
}
