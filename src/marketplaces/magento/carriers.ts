import type { ShipmentConfirmation } from '../adapter.ts';
import { spellingsOf } from '../carrier-names.ts';
import type { Account } from './account.ts';

/** Magento's code for a carrier without a module of its own; only the title then names it. */
const CUSTOM = 'custom';

export interface Carrier {
  carrier_code: string;
  title: string;
}

export function carrierOf(account: Account, { carrierId, carrierName }: ShipmentConfirmation): Carrier {
  const [known = CUSTOM] = spellingsOf(carrierId, 'magento');
  return { carrier_code: account.carrierNames?.[carrierId] ?? known, title: carrierName };
}
