import type { CarrierService } from '../adapter.ts';
import { collectionModes } from '../collection.ts';

/** Services that can be ordered with a draft, from UPS's public description of the Shipping interface, read on 2026-11-21. */
export const PRODUCTS: readonly CarrierService[] = [
  { code: '11', name: 'UPS Standard' },
  { code: '65', name: 'UPS Express Saver' },
  { code: '07', name: 'UPS Express' },
  { code: '74', name: 'UPS Express 12:00' },
  { code: '54', name: 'UPS Express Plus' },
  { code: '08', name: 'UPS Expedited' },
  { code: '70', name: 'UPS Access Point Economy' },
];
export const SATURDAY = 'SAT';

export const SERVICES: readonly CarrierService[] = [...PRODUCTS, { code: SATURDAY, name: 'Consegna di sabato' }];

/**
 * Recognises a service by its two characters, so that one from live rates can be chosen even if it is not listed here.
 */
export function isProduct(option: string): boolean {
  return /^[0-9A-Z][0-9]$/.test(option);
}

export function productName(code: string): string {
  return PRODUCTS.find((product) => product.code === code)?.name ?? `UPS ${code}`;
}

/**
 * Returns CODFundsCode within the European Union: 1 is cash, 9 a cheque or money order. Undefined for a payment type
 * without a code. The codes are from public answers of users, read on 2026-11-21; UPS's own appendix is not public.
 */
export const fundsCode = collectionModes('1', {
  '1': '1',
  CHEQUE: '9',
  CHECK: '9',
  ASSEGNO: '9',
  '9': '9',
});
