import type { ShipmentConfirmation } from '../adapter.ts';
import { spellingsOf } from '../carrier-names.ts';
import type { Account } from './account.ts';

/** Makes a `FulfillmentTrackingInput`: one number with its link, or, beside other numbers, a list of each. */
export function trackingInfoOf(
  account: Account,
  { carrierId, carrierName, trackingNumber: number, trackingUrl: url }: ShipmentConfirmation,
  others: readonly { number: string; url: string }[] = [],
): Record<string, unknown> {
  const company = account.carrierNames?.[carrierId] ?? spellingsOf(carrierId, 'shopify')[0] ?? carrierName;
  if (others.length === 0) {
    // Without a link the shop makes its own, for the companies that it knows.
    return { company, number, ...(url ? { url } : {}) };
  }
  const all = [{ number, url }, ...others];
  const hasLinks = all.every((each) => each.url !== '');
  return {
    company,
    numbers: all.map((each) => each.number),
    ...(hasLinks ? { urls: all.map((each) => each.url) } : {}),
  };
}
