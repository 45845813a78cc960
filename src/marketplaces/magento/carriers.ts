import type { ShipmentConfirmation } from '../adapter.ts';
import { spellingsOf } from '../carrier-names.ts';
import type { Account } from './account.ts';

/** What Magento calls a carrier that none of its modules stands for; only the title says then who it is. */
const CUSTOM = 'custom';

export interface Carrier {
  carrier_code: string;
  title: string;
}

export function carrierOf(account: Account, { carrierId, carrierName }: ShipmentConfirmation): Carrier {
  const [known = CUSTOM] = spellingsOf(carrierId, 'magento');
  return { carrier_code: account.carrierNames?.[carrierId] ?? known, title: carrierName };
}
