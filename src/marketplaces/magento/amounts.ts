import { Big } from '../../lib/decimal.ts';

/** Fields of a line, or of the shipping under other names. */
interface Taxed {
  /** Without tax, before the discount. */
  total: string;
  /** On what is left after the discount. */
  tax: string;
  discount: string;
  /** The tax that a discount on prices with tax holds, which Magento counts apart. */
  discountTax: string;
}

interface Amounts {
  net: Big;
  gross: Big;
}

/** Splits an amount into gross and net; null when Magento gave no total. */
export function amountsOf({ total, tax, discount, discountTax }: Taxed): Amounts | null {
  if (!total) return null;
  const net = new Big(total).minus(discount || 0).plus(discountTax || 0);
  return { net, gross: net.plus(tax || 0) };
}
