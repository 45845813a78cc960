import { kilograms, percentOf, tenThousandths } from './amount.ts';
import type { CompiledTransport } from './compile.ts';
import { type ChosenOption, chooseOptions, priceOptions, type QuotedOption } from './options.ts';
import type { Destination } from './place-index.ts';
import type { QuoteInput, QuoteRefusal, Side } from './quote-input.ts';
import { priceSurcharges, type QuotedSurcharge } from './surcharges.ts';
import { type PricedTransport, priceTransport } from './transport.ts';
import { weigh } from './weigh.ts';

/** Our cost of the same shipment. Cents. */
export interface PurchaseQuote extends PricedSide {
  /** Sale total less purchase total; negative when sold below cost. */
  margin: number;
}

/** Cents that add up: base + extra + surcharges + options = total. */
export interface PricedSide {
  transport: PricedTransport[];
  basePrice: number;
  /** Steps beyond the last bracket. */
  extraPrice: number;
  surchargePrice: number;
  /** The parts of the surcharges, in the order of the price list. */
  surcharges: QuotedSurcharge[];
  options: QuotedOption[];
  optionsTotal: number;
  totalPrice: number;
}

/** Total + VAT = total with VAT. */
export interface Quote extends PricedSide {
  zone: { code: string; name: string; label: string };
  coefficient: number;
  realGrams: number;
  volumetricGrams: number;
  chargeableGrams: number;
  extraSteps: number;
  vatAmount: number;
  totalWithVat: number;
  /** Null when the zone has no purchase prices, or none for this weight. */
  purchase: PurchaseQuote | null;
}

/** Prices one shipment. Each line is rounded to the cent once, half up, and sums are sums of those lines. */
export function quote(input: QuoteInput): Quote | QuoteRefusal {
  const { prices, contract, destination } = input;
  const name = `Price list "${prices.list.name}"`;
  const coefficient = prices.list.volumetric ?? contract.coefficient;
  const { unitGrams, ...weights } = weigh(input.parcels, { list: prices.list, coefficient });
  if (unitGrams.length === 0 || unitGrams.includes(0)) {
    return { refused: 'The weight of the shipment is not known: give its parcels a weight' };
  }
  if (contract.maxWeightGrams !== null && weights.realGrams > contract.maxWeightGrams) {
    const [real, most] = [kilograms(weights.realGrams), kilograms(contract.maxWeightGrams)];
    return { refused: `The shipment weighs ${real} and the contract takes up to ${most}` };
  }
  const found = prices.zoneOf(destination);
  if (!found) return { refused: `${name} has no zone for ${placeName(destination)}` };
  const { zone } = found;
  const tooHeavy = overweight(found.sale, unitGrams);
  if (tooHeavy !== null) {
    const last = kilograms(found.sale.brackets.at(-1)?.upToGrams ?? 0);
    return { refused: `${name} has no price above ${last} in zone ${zone.code}: ${kilograms(tooHeavy)} count` };
  }
  const chosen = chooseOptions(input);
  if ('refused' in chosen) return { refused: `${name} ${chosen.refused}` };

  const chargeableGrams = unitGrams.reduce((sum, grams) => sum + grams, 0);
  const context: SideContext = { input, zoneCode: zone.code, unitGrams, chargeableGrams, chosen };
  const sale = priceSide('sale', found.sale, context);
  if ('refused' in sale) return { refused: `${name} ${sale.refused}` };
  const purchase = purchaseSide(found.purchase, context, sale.totalPrice);
  const vatAmount = percentOf(sale.totalPrice, tenThousandths(input.vat.percent));
  return {
    zone: { code: zone.code, name: zone.name, label: zone.label ?? zone.name },
    coefficient,
    ...weights,
    chargeableGrams,
    ...sale,
    extraSteps: sale.transport.reduce((sum, unit) => sum + unit.extraSteps, 0),
    vatAmount,
    totalWithVat: sale.totalPrice + vatAmount,
    purchase,
  };
}

interface SideContext {
  input: QuoteInput;
  zoneCode: string;
  unitGrams: readonly number[];
  chargeableGrams: number;
  chosen: readonly ChosenOption[];
}

function purchaseSide(
  transport: CompiledTransport | null,
  context: SideContext,
  saleCents: number,
): PurchaseQuote | null {
  if (!transport || overweight(transport, context.unitGrams) !== null) return null;
  const side = priceSide('purchase', transport, context);
  return 'refused' in side ? null : { ...side, margin: saleCents - side.totalPrice };
}

function priceSide(side: Side, prices: CompiledTransport, context: SideContext): PricedSide | QuoteRefusal {
  const { input, zoneCode, chargeableGrams, chosen } = context;
  const transport = context.unitGrams.map((grams) => priceTransport(prices, grams));
  const basePrice = transport.reduce((sum, unit) => sum + unit.basePrice, 0);
  const extraPrice = transport.reduce((sum, unit) => sum + unit.extraPrice, 0);
  const carriageCents = basePrice + extraPrice;
  const surcharges = priceSurcharges(side, { ...input, zoneCode, chargeableGrams, carriageCents });
  if ('refused' in surcharges) return surcharges;
  const surchargePrice = surcharges.reduce((sum, { price }) => sum + price, 0);
  const options = priceOptions(side, chosen);
  const optionsTotal = options.reduce((sum, { price }) => sum + price, 0);
  const totalPrice = carriageCents + surchargePrice + optionsTotal;
  return { transport, basePrice, extraPrice, surcharges, surchargePrice, options, optionsTotal, totalPrice };
}

/** Returns the first weight without a price in a list without steps. */
function overweight({ brackets, step }: CompiledTransport, unitGrams: readonly number[]): number | null {
  const last = brackets.at(-1)?.upToGrams ?? 0;
  return step ? null : (unitGrams.find((grams) => grams > last) ?? null);
}

function placeName({ countryCode, province, zip }: Destination): string {
  return [countryCode, zip, province].filter(Boolean).join(' ');
}
