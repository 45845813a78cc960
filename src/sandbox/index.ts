import { createGlsItSandbox } from './gls-it.ts';
import type { SandboxPartner, SandboxWorld } from './partner.ts';
import { createWoocommerceSandbox } from './woocommerce.ts';

/** Every pretend partner there is. */
export const sandboxPartners: readonly ((world: SandboxWorld) => SandboxPartner)[] = [
  createGlsItSandbox,
  createWoocommerceSandbox,
];
