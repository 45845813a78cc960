import type { ShipmentConfirmation } from '../contract.ts';
import type { Account } from './account.ts';

/** The code of a carrier that Amazon does not list: its name is then required. */
const UNLISTED = 'Other';

/**
 * Our carrier id to Amazon's code. Amazon compares exactly and publishes no list for this operation (`FedEx` is in its own
 * example); these are the codes of its feed schema amzn-base.xsd, as quoted in amzn/selling-partner-api-docs issue 712 (read
 * 2026-11-21). Neither BRT nor InPost is among them.
 */
const CARRIER_CODES: Readonly<Record<string, string>> = {
  'dhl-express': 'DHL',
  fedex: 'FedEx',
  'gls-it': 'GLS',
  'poste-it': 'Poste Italiane',
  ups: 'UPS',
};

export interface Carrier {
  carrierCode: string;
  carrierName?: string;
}

export function carrierOf(account: Account, { carrierId, carrierName }: ShipmentConfirmation): Carrier {
  const carrierCode = account.carrierNames?.[carrierId] ?? CARRIER_CODES[carrierId];
  return carrierCode ? { carrierCode } : { carrierCode: UNLISTED, carrierName };
}
