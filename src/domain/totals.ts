import { Big, toCents } from '../lib/decimal.ts';

const UNIT_DECIMALS = 4;
const ONE = new Big(1);
/** Rates of VAT have fewer decimals than this leaves them. */
const FACTOR_SCALE = 1_000_000;

export interface TotalsItem {
  quantity: number;
  unitPrice: string | number;
}

export interface TotalsInput {
  items: readonly TotalsItem[];
  /** Applies to unit prices, shipping cost and insurance amount. */
  pricesIncludeVat: boolean;
  /** Percent, such as `"22"`. */
  vatRate: string | number;
  shippingCost: string | number;
  /** The buyer's price for insurance, not the insured value. */
  insuranceAmount: string | number;
}

export interface LineTotals {
  /** At most four decimals. */
  unitPriceGross: number;
  unitPriceNet: number;
  totalGrossCents: number;
  totalNetCents: number;
}

export interface OrderTotals {
  /** In the order of the items. */
  lines: LineTotals[];
  /** Items, shipping and insurance together: the buyer's total. */
  grossCents: number;
  netCents: number;
  vatCents: number;
  shippingGrossCents: number;
  shippingNetCents: number;
  insuranceGrossCents: number;
  insuranceNetCents: number;
}

/**
 * Returns the sums of an order. Each line, the shipping and the insurance are rounded to the cent once, half up. Gross
 * and net are sums of those, and VAT is their difference, so net + VAT = gross always.
 */
export function orderTotals(input: TotalsInput): OrderTotals {
  const { pricesIncludeVat } = input;
  const factor = new Big(input.vatRate).div(100).plus(1);
  const split = (amount: Big) => splitVat(amount, { factor, pricesIncludeVat });
  const lines = input.items.map(({ quantity, unitPrice }) => {
    const { grossCents, netCents } = split(new Big(unitPrice).times(quantity));
    return {
      unitPriceGross: unit(pricesIncludeVat ? new Big(unitPrice) : new Big(unitPrice).times(factor)),
      unitPriceNet: unit(pricesIncludeVat ? new Big(unitPrice).div(factor) : new Big(unitPrice)),
      totalGrossCents: grossCents,
      totalNetCents: netCents,
    };
  });
  const shipping = split(new Big(input.shippingCost));
  const insurance = split(new Big(input.insuranceAmount));
  const accessory = { gross: shipping.grossCents + insurance.grossCents, net: shipping.netCents + insurance.netCents };
  const grossCents = lines.reduce((sum, line) => sum + line.totalGrossCents, accessory.gross);
  const netCents = lines.reduce((sum, line) => sum + line.totalNetCents, accessory.net);
  return {
    lines,
    grossCents,
    netCents,
    vatCents: grossCents - netCents,
    shippingGrossCents: shipping.grossCents,
    shippingNetCents: shipping.netCents,
    insuranceGrossCents: insurance.grossCents,
    insuranceNetCents: insurance.netCents,
  };
}

/** Rounds the given side first; the other one follows from the printed value. */
function splitVat(amount: Big, { factor, pricesIncludeVat }: { factor: Big; pricesIncludeVat: boolean }) {
  const given = toCents(amount);
  return pricesIncludeVat
    ? { grossCents: given, netCents: scaled(given, ONE, factor) }
    : { grossCents: scaled(given, factor, ONE), netCents: given };
}

/** Returns cents times a quotient, rounded half up, in whole numbers: exact, and in a tenth of the time. */
function scaled(cents: number, times: Big, over: Big): number {
  const [numerator, denominator] = [BigInt(cents) * whole(times), whole(over)];
  return Number((2n * numerator + denominator) / (2n * denominator));
}

function whole(factor: Big): bigint {
  return BigInt(factor.times(FACTOR_SCALE).toFixed(0));
}

function unit(price: Big): number {
  return price.round(UNIT_DECIMALS, Big.roundHalfUp).toNumber();
}
