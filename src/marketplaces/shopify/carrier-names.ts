/**
 * Our carrier id to the name in Shopify's list of tracking companies (description of `FulfillmentTrackingInfo.company`,
 * API 2026-10): spelt exactly so, the shop links the number by itself. InPost is in it for Poland alone, and goes by its own name.
 */
export const CARRIER_NAMES: Readonly<Record<string, string>> = {
  'gls-it': 'GLS Italy',
  brt: 'BRT',
  'poste-it': 'Poste Italiane',
  'dhl-express': 'DHL Express',
  ups: 'UPS',
  fedex: 'FedEx',
  'inpost-it': 'InPost',
};
