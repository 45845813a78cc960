/** Platforms with spellings of their own; `woocommerce-plugin` is both tracking plugins' list of names. */
type Platform =
  | 'amazon'
  | 'ebay'
  | 'kaufland'
  | 'magento'
  | 'mirakl'
  | 'shopify'
  | 'woocommerce'
  | 'woocommerce-plugin';

type Spellings = Partial<Record<Platform, readonly string[]>>;

/**
 * Our carrier id to the platforms' spellings, best first. Where a platform hands out its list of carriers (Kaufland, Mirakl and the
 * plugins), only what is in that list is sent. Sources:
 * - amazon: feed schema amzn-base.xsd, as quoted in amzn/selling-partner-api-docs issue 712 (read 2026-11-21); neither BRT nor InPost.
 * - ebay: ShippingCarrierCodeType of the Trading API, version 1423 (read 2026-11-21); no InPost.
 * - magento: codes of its own carrier modules (developer documentation, read 2026-11-21).
 * - shopify: description of `FulfillmentTrackingInfo.company`, API 2026-10; InPost is in it for Poland alone.
 * - woocommerce: `get_key()` of the core's shipping providers (release 11, read 2026-11-22).
 */
const CARRIER_NAMES: Readonly<Record<string, Spellings>> = {
  brt: {
    ebay: ['Bartolini'],
    kaufland: ['BRT', 'Bartolini'],
    mirakl: ['BRT', 'Bartolini', 'BRT Bartolini'],
    shopify: ['BRT'],
    woocommerce: ['bartolini-brt'],
    'woocommerce-plugin': ['BRT (Bartolini)', 'BRT', 'Bartolini'],
  },
  'dhl-express': {
    amazon: ['DHL'],
    ebay: ['DHL'],
    kaufland: ['DHL Express', 'DHL'],
    magento: ['dhl'],
    mirakl: ['DHL Express', 'DHL'],
    shopify: ['DHL Express'],
    woocommerce: ['dhl'],
    'woocommerce-plugin': ['DHL Express', 'DHL'],
  },
  fedex: {
    amazon: ['FedEx'],
    ebay: ['FedEx'],
    kaufland: ['FedEx'],
    magento: ['fedex'],
    mirakl: ['FedEx'],
    shopify: ['FedEx'],
    woocommerce: ['fedex'],
    'woocommerce-plugin': ['FedEx'],
  },
  'gls-it': {
    amazon: ['GLS'],
    ebay: ['GLS'],
    kaufland: ['GLS Italy', 'GLS IT', 'GLS'],
    mirakl: ['GLS', 'GLS Italy', 'GLS Italia'],
    shopify: ['GLS Italy'],
    woocommerce: ['gls'],
    'woocommerce-plugin': ['GLS Italy', 'GLS'],
  },
  'inpost-it': {
    kaufland: ['InPost Italy', 'InPost IT', 'InPost'],
    mirakl: ['InPost', 'InPost Italy', 'InPost Italia'],
    shopify: ['InPost'],
    woocommerce: ['inpost'],
    'woocommerce-plugin': ['InPost Italy', 'InPost'],
  },
  'poste-it': {
    amazon: ['Poste Italiane'],
    ebay: ['PosteItaliane'],
    kaufland: ['Poste Italiane'],
    mirakl: ['Poste Italiane'],
    shopify: ['Poste Italiane'],
    woocommerce: ['poste-italiane'],
    'woocommerce-plugin': ['Poste Italiane'],
  },
  ups: {
    amazon: ['UPS'],
    ebay: ['UPS'],
    kaufland: ['UPS'],
    magento: ['ups'],
    mirakl: ['UPS'],
    shopify: ['UPS'],
    woocommerce: ['ups'],
    'woocommerce-plugin': ['UPS'],
  },
};

/** Returns the platform's spellings of a carrier, best first; none for a carrier that it does not know. */
export function spellingsOf(carrierId: string, platform: Platform): readonly string[] {
  return CARRIER_NAMES[carrierId]?.[platform] ?? [];
}
