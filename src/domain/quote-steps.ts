import { Big, centsToString, toCents } from '../lib/decimal.ts';
import type { PriceListZone } from './price-list.ts';
import { findZone, type Quote, type QuoteInput } from './quote.ts';

/** One line of a sum, with the rule that made it. */
export interface QuoteStep {
  /** For people. */
  rule: string;
  /** Cents; null for a step that decides and does not add. */
  amount: number | null;
}

/** How a price came about. The amounts add up to the total with VAT. */
export function quoteSteps(input: QuoteInput, quote: Quote): QuoteStep[] {
  const zone = findZone(input.priceList, input.destination);
  return [
    { rule: weightRule(input, quote), amount: null },
    { rule: `Zone ${quote.zone.code}, ${quote.zone.name}`, amount: null },
    ...(zone ? transportSteps(zone, quote) : []),
    ...quote.surcharges.map(({ name, kind, rate, baseCents, price }) => ({
      rule: kind === 'fixed' ? name : `${name}: ${rate} % of ${centsToString(baseCents)}`,
      amount: price,
    })),
    ...quote.options.map(({ name, description, price }) => ({
      rule: description === '' ? name : `${name}: ${description}`,
      amount: price,
    })),
    { rule: input.vatApplies ? `VAT ${input.vatRate} %` : 'No VAT', amount: quote.vatAmount },
  ];
}

function weightRule({ priceList }: QuoteInput, quote: Quote): string {
  const volumetric =
    quote.volumetricGrams > 0 ? `, ${kg(quote.volumetricGrams)} by volume at ${quote.coefficient} kg/m³` : '';
  const rounded = priceList.rounding > 1 ? `, rounded up to the next ${kg(priceList.rounding)}` : '';
  return `Weighs ${kg(quote.realGrams)}${volumetric}: ${kg(quote.chargeableGrams)} count${rounded}`;
}

function transportSteps({ sale }: PriceListZone, quote: Quote): QuoteStep[] {
  const bracket = sale.brackets.find(({ upToGrams }) => quote.chargeableGrams <= upToGrams) ?? sale.brackets.at(-1);
  const isRaised = bracket !== undefined && quote.basePrice > toCents(bracket.price);
  return [
    {
      rule: `Up to ${kg(bracket?.upToGrams ?? 0)}${isRaised ? `, raised to the minimum of ${sale.minimum}` : ''}`,
      amount: quote.basePrice,
    },
    ...(quote.extraSteps > 0
      ? [
          {
            rule: `${quote.extraSteps} steps of ${kg(sale.stepGrams ?? 0)} beyond, ${sale.stepPrice} each`,
            amount: quote.extraPrice,
          },
        ]
      : []),
  ];
}

function kg(grams: number): string {
  return `${new Big(grams).div(1000).toString()} kg`;
}
