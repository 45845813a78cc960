import Big from 'big.js';

Big.DP = 20;
Big.RM = Big.roundHalfUp;

export { Big };

/** Returns the cents of a decimal amount, rounded half up. */
export function toCents(amount: string | number | Big): number {
  return new Big(amount).times(100).round(0, Big.roundHalfUp).toNumber();
}

/** Returns `1234` as `"12.34"`. */
export function centsToString(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Returns `1234` as `12.34`. */
export function centsToNumber(cents: number): number {
  return cents / 100;
}
