import { centsOf } from './amount.ts';
import type { CompiledTransport } from './compile.ts';

/** One priced weight: the whole shipment, or one parcel of it. Prices in cents. */
export interface PricedTransport {
  chargeableGrams: number;
  /** Upper weight of its bracket; of the last one when it weighs more. */
  upToGrams: number;
  basePrice: number;
  /** Cents that the base price lacked to the minimum. */
  raisedBy: number;
  extraSteps: number;
  extraPrice: number;
}

/** Prices a weight. One beyond the last bracket needs steps: the caller has checked. */
export function priceTransport({ brackets, step, minimum }: CompiledTransport, grams: number): PricedTransport {
  const bracket = bracketOf(brackets, grams);
  const beyond = Math.max(0, grams - bracket.upToGrams);
  const extraSteps = step ? Math.ceil(beyond / step.grams) : 0;
  const extraPrice = step ? centsOf(step.price, extraSteps) : 0;
  const raisedBy = Math.max(0, minimum - bracket.price - extraPrice);
  return {
    chargeableGrams: grams,
    upToGrams: bracket.upToGrams,
    basePrice: bracket.price + raisedBy,
    raisedBy,
    extraSteps,
    extraPrice,
  };
}

/**
 * Returns the first bracket that holds the weight, else the last. It is a binary search, since some lists have a
 * bracket per kilogram.
 */
function bracketOf(brackets: CompiledTransport['brackets'], grams: number): { upToGrams: number; price: number } {
  let low = 0;
  let high = brackets.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((brackets[middle]?.upToGrams ?? 0) < grams) low = middle + 1;
    else high = middle;
  }
  return brackets[low] ?? { upToGrams: 0, price: 0 };
}
