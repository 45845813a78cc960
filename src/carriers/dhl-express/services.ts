import type { CarrierService } from '../adapter.ts';

/**
 * Services of one order: one product (a single letter or digit) and value-added services (two letters). Product names
 * follow the sample reference data of the MyDHL API 3.1.1 description, P its rates sample, read on 2026-11-21. An
 * account has only some of them: live rates say which.
 */
export const PRODUCTS: readonly CarrierService[] = [
  { code: 'N', name: 'Express Domestic' },
  { code: 'I', name: 'Express Domestic 9:00' },
  { code: 'O', name: 'Express Domestic 10:30' },
  { code: '1', name: 'Express Domestic 12:00' },
  { code: 'G', name: 'Economy Select Domestic' },
  { code: 'U', name: 'Express Worldwide (ECX)' },
  { code: 'P', name: 'Express Worldwide nondoc' },
  { code: 'W', name: 'Economy Select' },
  { code: 'D', name: 'Express Worldwide (documents)' },
  { code: 'K', name: 'Express 9:00 (documents)' },
  { code: 'L', name: 'Express 10:30 (documents)' },
  { code: 'T', name: 'Express 12:00 (documents)' },
  { code: 'X', name: 'Express Envelope' },
];

/** Insurance is the insured amount of the draft, and what DHL charges by itself (fuel, remote area) cannot be ordered. */
export const VALUE_ADDED: readonly CarrierService[] = [
  { code: 'AA', name: 'Saturday delivery' },
  { code: 'SF', name: 'Direct signature' },
  { code: 'LX', name: 'Hold for collection' },
  { code: 'DD', name: 'Duties and taxes paid' },
  { code: 'WY', name: 'Paperless trade' },
];
export const INSURANCE = 'II';
export const PAPERLESS = 'WY';

/** Codes of products are one character, so that a code live rates gave can be chosen even if it is not listed here. */
export function isProduct(option: string): boolean {
  return /^[A-Z0-9]$/.test(option);
}

export function isValueAdded(option: string): boolean {
  return VALUE_ADDED.some(({ code }) => code === option);
}
