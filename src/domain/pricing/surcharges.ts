import { centsOf, percentOf } from './amount.ts';
import type { CompiledSurcharge, DatedAmount } from './compile.ts';
import type { QuoteInput, QuoteRefusal, Side } from './quote-input.ts';
import type { QuoteParcel } from './weigh.ts';

export interface QuotedSurcharge {
  name: string;
  kind: 'fixed' | 'percent';
  /** Euro, or percent of `baseCents`. */
  rate: string;
  baseCents: number;
  /** Number of times that a fixed one is charged. */
  count: number;
  /** Cents. */
  price: number;
  /** True when the price was raised to the surcharge's minimum. */
  isRaised: boolean;
}

interface SurchargeContext extends QuoteInput {
  zoneCode: string;
  chargeableGrams: number;
  carriageCents: number;
}

/** Returns the surcharges that apply, in the order of the list. Throws when one of them has no amount for the day. */
export function priceSurcharges(side: Side, context: SurchargeContext): QuotedSurcharge[] | QuoteRefusal {
  const priced: QuotedSurcharge[] = [];
  for (const compiled of context.prices.surcharges) {
    if (!applies(compiled, context)) continue;
    const { surcharge } = compiled;
    const dated = amountOn(compiled.amounts, context.day);
    if (!dated) return { refused: `has no amount of "${surcharge.name}" for ${context.day}` };
    const { name, kind } = surcharge;
    const isPercent = kind === 'percent';
    const count = isPercent ? 1 : countOf(compiled, context);
    if (count === 0) continue;
    const baseCents = isPercent ? baseOf(compiled, priced, context.carriageCents) : 0;
    const counted = isPercent ? percentOf(baseCents, dated[side]) : centsOf(dated[side], count);
    const isRaised = counted < compiled.minimum;
    const price = isRaised ? compiled.minimum : counted;
    priced.push({ name, kind, rate: dated.rate[side], baseCents, count, price, isRaised });
  }
  return priced;
}

function applies({ surcharge, areas, postalCodes }: CompiledSurcharge, context: SurchargeContext): boolean {
  const { from, to, when } = surcharge;
  if ((from !== undefined && context.day < from) || (to !== undefined && context.day > to)) return false;
  if (!when) return true;
  if (when.zones && !when.zones.includes(context.zoneCode)) return false;
  if (when.overGrams !== undefined && context.chargeableGrams <= when.overGrams) return false;
  if (when.overParcels !== undefined && context.parcels.length <= when.overParcels) return false;
  if (areas && !areas.find(context.destination)) return false;
  if (postalCodes && !postalCodes.find(context.destination)) return false;
  return context.parcels.some((parcel) => isMeant(surcharge, parcel));
}

function isMeant({ when }: CompiledSurcharge['surcharge'], parcel: QuoteParcel): boolean {
  if (!when) return true;
  if (when.parcelOverGrams !== undefined && parcel.weightGrams <= when.parcelOverGrams) return false;
  if (when.parcelOverMm === undefined && when.parcelGirthOverMm === undefined) return true;
  const sides = [parcel.lengthMm, parcel.widthMm, parcel.heightMm];
  const longest = Math.max(...sides);
  if (when.parcelOverMm !== undefined && longest <= when.parcelOverMm) return false;
  const girth = 2 * sides.reduce((sum, side) => sum + side, 0) - longest;
  return when.parcelGirthOverMm === undefined || girth > when.parcelGirthOverMm;
}

function countOf({ surcharge }: CompiledSurcharge, { parcels, chargeableGrams }: SurchargeContext): number {
  if (surcharge.per === 'kilogram') return Math.ceil(chargeableGrams / 1000);
  if (surcharge.per !== 'parcel' && surcharge.per !== 'further-parcel') return 1;
  const meant = parcels.filter((parcel) => isMeant(surcharge, parcel)).length;
  return surcharge.per === 'parcel' ? meant : meant - 1;
}

function baseOf({ surcharge }: CompiledSurcharge, before: readonly QuotedSurcharge[], carriageCents: number): number {
  const { base = 'transport' } = surcharge;
  if (base === 'transport') return carriageCents;
  const isCounted = ({ name }: QuotedSurcharge) => base === 'transport+surcharges' || base.includes(name);
  const start = base === 'transport+surcharges' || base.includes('transport') ? carriageCents : 0;
  return before.filter(isCounted).reduce((sum, { price }) => sum + price, start);
}

function amountOn(amounts: readonly DatedAmount[], day: string): DatedAmount | undefined {
  const last = amounts.findLast(({ from }) => from <= day);
  return last && day <= last.to ? last : undefined;
}
