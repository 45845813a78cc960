import type { ShipmentConfirmation } from '../adapter.ts';
import { spellingsOf } from '../carrier-names.ts';
import { getCarriers, type KauflandContext } from './client.ts';

/** For a carrier that Kaufland does not list (page "Order CSV Files" of sellerapi.kaufland.com, read 2026-11-21). */
const UNLISTED = 'Other';

/** Returns the account's code as it is, else the listed one by its usual names or by ours, whatever their case. */
export async function carrierCodeOf(
  context: KauflandContext,
  { carrierId, carrierName }: ShipmentConfirmation,
): Promise<string> {
  const configured = context.account.carrierNames?.[carrierId];
  if (configured) return configured;
  const listed = new Map((await getCarriers(context)).map((name) => [name.toLowerCase(), name]));
  const wanted = [...spellingsOf(carrierId, 'kaufland'), carrierName].map((name) => name.toLowerCase());
  return wanted.map((name) => listed.get(name)).find((name) => name !== undefined) ?? UNLISTED;
}
