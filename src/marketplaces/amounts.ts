import { Big } from '../lib/decimal.ts';

/** Of amounts as decimal strings; empty counts as nothing. */
export function gross(net: string, tax: string): string {
  return money(new Big(net || 0).plus(tax || 0));
}

/** At least two decimals, more only where the amount has them. */
export function money(amount: string | Big): string {
  const exact = new Big(amount);
  return exact.round(2).eq(exact) ? exact.toFixed(2) : exact.toFixed();
}
