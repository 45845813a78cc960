import type { Marketplace, MarketplaceRegistry } from './adapter.ts';
import { amazon } from './amazon/index.ts';
import { ebay } from './ebay/index.ts';
import { kaufland } from './kaufland/index.ts';
import { magento } from './magento/index.ts';
import { mirakl } from './mirakl/index.ts';
import { prestashop } from './prestashop/index.ts';
import { shopify } from './shopify/index.ts';
import { woocommerce } from './woocommerce/index.ts';

const MARKETPLACES: readonly Marketplace[] = [
  amazon,
  ebay,
  kaufland,
  magento,
  mirakl,
  prestashop,
  shopify,
  woocommerce,
];

export const marketplaces: MarketplaceRegistry = new Map(
  MARKETPLACES.map((marketplace) => [marketplace.id, marketplace]),
);
