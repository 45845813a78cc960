import type { ShipmentConfirmation } from '../contract.ts';
import type { Account } from './account.ts';

/** What Magento calls a carrier that none of its modules stands for; only the title says then who it is. */
const CUSTOM = 'custom';

/** Our carrier id to the code of Magento's own carrier modules (developer documentation, read 2026-11-21). */
const CARRIER_CODES: Readonly<Record<string, string>> = {
  'dhl-express': 'dhl',
  fedex: 'fedex',
  ups: 'ups',
};

export interface Carrier {
  carrier_code: string;
  title: string;
}

export function carrierOf(account: Account, { carrierId, carrierName }: ShipmentConfirmation): Carrier {
  const carrier_code = account.carrierNames?.[carrierId] ?? CARRIER_CODES[carrierId] ?? CUSTOM;
  return { carrier_code, title: carrierName };
}
