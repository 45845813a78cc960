import { Big } from '../../lib/decimal.ts';
import type { Line } from './schema.ts';

export interface LineAmounts {
  /** Without the line's share of the shipping, which the order has once. */
  gross: Big;
  net: Big;
  shippingGross: Big;
  /** Goods and shipping together. */
  tax: Big;
}

/**
 * Splits a line's total, which is the sum of its breakdowns (examples of the official description, read
 * 2026-11-21). `TAX` is one of them; the rest counts as net. Null when Amazon gave no total.
 */
export function amountsOf({ proceeds: { proceedsTotal, breakdowns } }: Line): LineAmounts | null {
  if (!proceedsTotal.amount) return null;
  const taxes = breakdowns.filter(({ type }) => type === 'TAX');
  const tax = sum(taxes.map(({ subtotal }) => subtotal));
  const shippingTax = sum(
    taxes.flatMap(({ detailedBreakdowns }) =>
      detailedBreakdowns.filter(({ subtype }) => subtype === 'SHIPPING').map(({ value }) => value),
    ),
  );
  const shipping = sum(breakdowns.filter(({ type }) => type === 'SHIPPING').map(({ subtotal }) => subtotal));
  const shippingGross = shipping.plus(shippingTax);
  const gross = new Big(proceedsTotal.amount).minus(shippingGross);
  return { gross, net: gross.minus(tax).plus(shippingTax), shippingGross, tax };
}

function sum(amounts: { amount: string }[]): Big {
  return amounts.reduce((total, { amount }) => total.plus(amount || 0), new Big(0));
}
