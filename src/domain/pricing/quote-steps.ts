import { centsToString } from '../../lib/decimal.ts';
import { kilograms } from './amount.ts';
import type { PriceListTransport } from './price-list.ts';
import type { PricedSide, Quote } from './quote.ts';
import type { QuoteInput } from './quote-input.ts';
import type { QuotedSurcharge } from './surcharges.ts';
import type { PricedTransport } from './transport.ts';

/** One line of a sum, with its rule. */
export interface QuoteStep {
  /** For people. */
  rule: string;
  /** Cents; null for a step that only decides. */
  amount: number | null;
}

/** Lists the steps of a price. The amounts add up to the total with VAT. */
export function quoteSteps(input: QuoteInput, quote: Quote): QuoteStep[] {
  const { percent, reason } = input.vat;
  return [
    { rule: `Price list "${input.prices.list.name}" as of ${input.day}`, amount: null },
    { rule: weightRule(input, quote), amount: null },
    { rule: `Zone ${quote.zone.code}, ${quote.zone.name}`, amount: null },
    ...sideSteps(quote, zonePrices(input, quote, 'sale')),
    { rule: reason === '' ? `VAT ${percent} %` : `No VAT: ${reason}`, amount: quote.vatAmount },
  ];
}

/** Lists the steps of the cost; empty where there is no purchase price. */
export function purchaseSteps(input: QuoteInput, quote: Quote): QuoteStep[] {
  return quote.purchase ? sideSteps(quote.purchase, zonePrices(input, quote, 'purchase')) : [];
}

function zonePrices({ prices }: QuoteInput, { zone }: Quote, side: 'sale' | 'purchase') {
  return prices.list.zones.find(({ code }) => code === zone.code)?.[side];
}

function sideSteps(side: PricedSide, prices: PriceListTransport | undefined): QuoteStep[] {
  return [
    ...side.transport.flatMap((unit) => transportSteps(unit, prices, side.transport.length > 1)),
    ...side.surcharges.map((surcharge) => ({ rule: surchargeRule(surcharge), amount: surcharge.price })),
    ...side.options.map(({ name, description, price }) => ({
      rule: description === '' ? name : `${name}: ${description}`,
      amount: price,
    })),
  ];
}

function weightRule({ prices }: QuoteInput, quote: Quote): string {
  const { list } = prices;
  const volumetric =
    quote.volumetricGrams > 0 ? `, ${kilograms(quote.volumetricGrams)} by volume at ${quote.coefficient} kg/m³` : '';
  const rounded = list.rounding > 1 ? `, rounded up to the next ${kilograms(list.rounding)}` : '';
  const each = { together: '', 'weighed-each': ', each parcel by itself', 'priced-each': ', each parcel by itself' };
  const counted = `${kilograms(quote.chargeableGrams)} count${rounded}${each[list.parcels]}`;
  return `Weighs ${kilograms(quote.realGrams)}${volumetric}: ${counted}`;
}

function transportSteps(unit: PricedTransport, prices: PriceListTransport | undefined, isOne: boolean): QuoteStep[] {
  const parcel = isOne ? `Parcel of ${kilograms(unit.chargeableGrams)}: ` : '';
  const raised = unit.raisedBy > 0 ? `, raised to the minimum of ${prices?.minimum}` : '';
  const base = { rule: `${parcel}Up to ${kilograms(unit.upToGrams)}${raised}`, amount: unit.basePrice };
  if (unit.extraSteps === 0) return [base];
  const step = `${kilograms(prices?.stepGrams ?? 0)} beyond, ${prices?.stepPrice} each`;
  return [base, { rule: `${parcel}${unit.extraSteps} steps of ${step}`, amount: unit.extraPrice }];
}

function surchargeRule({ name, kind, rate, baseCents, count, isRaised }: QuotedSurcharge): string {
  const raised = isRaised ? ', raised to its minimum' : '';
  if (kind === 'percent') return `${name}: ${rate} % of ${centsToString(baseCents)}${raised}`;
  return `${name}${count === 1 ? '' : `: ${count} times ${rate}`}${raised}`;
}
