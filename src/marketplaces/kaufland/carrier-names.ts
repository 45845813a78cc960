import type { ShipmentConfirmation } from '../contract.ts';
import { getCarriers, type KauflandContext } from './client.ts';

/** For a carrier that Kaufland does not list (page "Order CSV Files" of sellerapi.kaufland.com, read 2026-11-21). */
const UNLISTED = 'Other';

/** What to look for in Kaufland's own list, best first: only what is in the list is ever sent. */
const WANTED: Readonly<Record<string, readonly string[]>> = {
  brt: ['BRT', 'Bartolini'],
  'dhl-express': ['DHL Express', 'DHL'],
  fedex: ['FedEx'],
  'gls-it': ['GLS Italy', 'GLS IT', 'GLS'],
  'inpost-it': ['InPost Italy', 'InPost IT', 'InPost'],
  'poste-it': ['Poste Italiane'],
  ups: ['UPS'],
};

/** The account's code as it is; else the listed one, case aside, by its usual names or by ours. */
export async function carrierCodeOf(
  context: KauflandContext,
  { carrierId, carrierName }: ShipmentConfirmation,
): Promise<string> {
  const configured = context.account.carrierNames?.[carrierId];
  if (configured) return configured;
  const listed = new Map((await getCarriers(context)).map((name) => [name.toLowerCase(), name]));
  const wanted = [...(WANTED[carrierId] ?? []), carrierName].map((name) => name.toLowerCase());
  return wanted.map((name) => listed.get(name)).find((name) => name !== undefined) ?? UNLISTED;
}
