import type { ShipmentConfirmation } from '../adapter.ts';
import { spellingsOf } from '../carrier-names.ts';
import type { Account } from './account.ts';

/** "Use this code for any carrier not listed here." */
const UNLISTED = 'Other';

export function carrierCodeOf(account: Account, { carrierId }: ShipmentConfirmation): string {
  return account.carrierNames?.[carrierId] ?? spellingsOf(carrierId, 'ebay')[0] ?? UNLISTED;
}
