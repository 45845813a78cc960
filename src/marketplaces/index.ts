import type { Marketplace, MarketplaceRegistry } from './contract.ts';
import { woocommerce } from './woocommerce/index.ts';

const MARKETPLACES: readonly Marketplace[] = [woocommerce];

export const marketplaces: MarketplaceRegistry = new Map(
  MARKETPLACES.map((marketplace) => [marketplace.id, marketplace]),
);
