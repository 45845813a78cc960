import { systemClock } from '../clock.ts';
import type { SandboxPartner, SandboxWorld } from '../partner.ts';
import { createAmazonSandbox } from './amazon/index.ts';
import { createBrtSandbox } from './brt.ts';
import { createDhlExpressSandbox } from './dhl-express/index.ts';
import { createEbaySandbox } from './ebay/index.ts';
import { createFedexSandbox } from './fedex/index.ts';
import { createGlsItSandbox } from './gls-it.ts';
import { createInpostItSandbox } from './inpost-it/index.ts';
import { createKauflandSandbox } from './kaufland/index.ts';
import { createMagentoSandbox } from './magento/index.ts';
import { createMiraklSandbox } from './mirakl/index.ts';
import { createPosteItSandbox } from './poste-it/index.ts';
import { createPrestashopSandbox } from './prestashop/index.ts';
import { createShopifySandbox } from './shopify/index.ts';
import { createUpsSandbox } from './ups/index.ts';
import { createWoocommerceSandbox } from './woocommerce.ts';

/** Every pretend partner there is. */
export const sandboxPartners: readonly ((world: SandboxWorld) => SandboxPartner)[] = [
  createGlsItSandbox,
  createBrtSandbox,
  createDhlExpressSandbox,
  createInpostItSandbox,
  createPosteItSandbox,
  createUpsSandbox,
  createFedexSandbox,
  // A shop lives in real time: an order placed after the parcels' clock was turned must not lie in the importer's future.
  (world) => createAmazonSandbox({ ...world, now: systemClock }),
  (world) => createEbaySandbox({ ...world, now: systemClock }),
  (world) => createKauflandSandbox({ ...world, now: systemClock }),
  (world) => createMagentoSandbox({ ...world, now: systemClock }),
  (world) => createMiraklSandbox({ ...world, now: systemClock }),
  (world) => createPrestashopSandbox({ ...world, now: systemClock }),
  (world) => createShopifySandbox({ ...world, now: systemClock }),
  (world) => createWoocommerceSandbox({ ...world, now: systemClock }),
];
