import { systemClock } from '../lib/clock.ts';
import { createBrtSandbox } from './brt.ts';
import { createDhlExpressSandbox } from './dhl-express/index.ts';
import { createGlsItSandbox } from './gls-it.ts';
import type { SandboxPartner, SandboxWorld } from './partner.ts';
import { createWoocommerceSandbox } from './woocommerce.ts';

/** Every pretend partner there is. */
export const sandboxPartners: readonly ((world: SandboxWorld) => SandboxPartner)[] = [
  createGlsItSandbox,
  createBrtSandbox,
  createDhlExpressSandbox,
  // A shop lives in real time: an order placed after the parcels' clock was turned must not lie in the importer's future.
  (world) => createWoocommerceSandbox({ ...world, now: systemClock }),
];
