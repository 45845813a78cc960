import { Big } from '../lib/decimal.ts';

/** Adds two amounts; an empty one counts as nothing. */
export function gross(net: string, tax: string): string {
  return money(new Big(net || 0).plus(tax || 0));
}

/** Returns at least two decimals, and more only where the amount has them. */
export function money(amount: string | Big): string {
  const exact = new Big(amount);
  return exact.round(2).eq(exact) ? exact.toFixed(2) : exact.toFixed();
}

/** Enough for a price that does not divide by its quantity, such as 10.00 for 3 pieces. */
const UNIT_PRICE_DECIMALS = 4;

/** Returns the price of one piece of a line; `0.00` for a line without pieces. */
export function unitPrice(total: string | Big, pieces: number): string {
  return pieces > 0 ? money(new Big(total).div(pieces).round(UNIT_PRICE_DECIMALS)) : '0.00';
}
