import { z } from 'zod';

const MAX_DECIMALS = 4;
const SCALE = 10 ** MAX_DECIMALS;

/** An amount as a person writes it, `7.5` or `"7.50"`; never negative. */
export const Amount = z
  .union([z.string().trim(), z.number()], { error: 'Write an amount such as 7.50' })
  .superRefine((value, context) => {
    const problem = amountProblem(String(value));
    if (problem) context.addIssue({ code: 'custom', message: problem });
  });
export type Amount = z.infer<typeof Amount>;

/** Returns why a text is no amount; null when it is one. */
export function amountProblem(text: string): string | null {
  if (/^\d{1,7}(\.\d+)?$/.test(text)) {
    const decimals = text.split('.')[1]?.length ?? 0;
    return decimals > MAX_DECIMALS ? `At most ${MAX_DECIMALS} decimals are allowed: ${text}` : null;
  }
  if (/^-/.test(text)) return `An amount must not be negative: ${text}`;
  if (/^[\d.]+,\d+$/.test(text)) return `Write decimals with a point and thousands without a separator: ${text}`;
  return `Not an amount between 0 and 9999999.9999: ${text}`;
}

/** Returns an amount in ten-thousandths, exactly. */
export function tenThousandths(amount: Amount): number {
  const [whole = '0', decimals = ''] = String(amount).split('.');
  return Number(whole) * SCALE + Number(decimals.padEnd(MAX_DECIMALS, '0').slice(0, MAX_DECIMALS));
}

/** Returns the cents of `times` an amount in ten-thousandths, rounded half up once. */
export function centsOf(amount: number, times = 1): number {
  return Math.floor((amount * times + SCALE / 200) / (SCALE / 100));
}

/**
 * Returns a percentage in ten-thousandths of an amount in cents, rounded half up. It computes in whole numbers, because
 * a double cannot hold the largest products.
 */
export function percentOf(cents: number, percent: number): number {
  const product = cents * percent;
  if (product < Number.MAX_SAFE_INTEGER - 100 * SCALE) return Math.floor((product + 50 * SCALE) / (100 * SCALE));
  return Number((BigInt(cents) * BigInt(percent) + BigInt(50 * SCALE)) / BigInt(100 * SCALE));
}

/** Returns `1234` grams as `1.234 kg`. */
export function kilograms(grams: number): string {
  const text = String(grams).padStart(4, '0');
  const decimals = text.slice(-3).replace(/0+$/, '');
  return `${text.slice(0, -3)}${decimals ? `.${decimals}` : ''} kg`;
}
