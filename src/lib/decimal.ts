import Big from 'big.js';

Big.DP = 20;
Big.RM = Big.roundHalfUp;

export { Big };

/** Cents of a decimal amount, rounded half up. */
export function toCents(amount: string | number | Big): number {
  return new Big(amount).times(100).round(0, Big.roundHalfUp).toNumber();
}

/** `1234` as `"12.34"`. */
export function centsToString(cents: number): string {
  return new Big(cents).div(100).toFixed(2);
}

/** `1234` as `12.34`. */
export function centsToNumber(cents: number): number {
  return new Big(cents).div(100).toNumber();
}
