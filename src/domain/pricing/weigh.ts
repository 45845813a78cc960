import { Big } from '../../lib/decimal.ts';
import type { PriceList } from './price-list.ts';

/** 0 means unknown; a parcel without all three measures has no volume. */
export interface QuoteParcel {
  weightGrams: number;
  lengthMm: number;
  widthMm: number;
  heightMm: number;
}

export interface Weights {
  realGrams: number;
  volumetricGrams: number;
  /** The weights that count, one per price. */
  unitGrams: number[];
}

/** Returns whole grams, rounded up, as carriers do. */
export function weigh(
  parcels: readonly QuoteParcel[],
  { list, coefficient }: { list: PriceList; coefficient: number },
): Weights {
  const realGrams = parcels.reduce((sum, parcel) => sum + parcel.weightGrams, 0);
  if (list.parcels === 'together') {
    const volumetricGrams = volumetric(
      parcels.reduce((sum, parcel) => sum + cubicMm(parcel), 0),
      coefficient,
    );
    return { realGrams, volumetricGrams, unitGrams: [roundUp(Math.max(realGrams, volumetricGrams), list.rounding)] };
  }
  const each = parcels.map((parcel) => ({
    real: parcel.weightGrams,
    volumetric: volumetric(cubicMm(parcel), coefficient),
  }));
  const counted = each.map((one) => roundUp(Math.max(one.real, one.volumetric), list.rounding));
  return {
    realGrams,
    volumetricGrams: each.reduce((sum, one) => sum + one.volumetric, 0),
    unitGrams: list.parcels === 'priced-each' ? counted : [counted.reduce((sum, grams) => sum + grams, 0)],
  };
}

function cubicMm({ lengthMm, widthMm, heightMm }: QuoteParcel): number {
  return lengthMm * widthMm * heightMm;
}

/** `coefficient` in kg/m³: a cubic metre is 10⁹ mm³, a kilogram 1,000 g. */
function volumetric(mm3: number, coefficient: number): number {
  const product = mm3 * coefficient;
  if (Number.isSafeInteger(product)) return Math.ceil(product / 1_000_000);
  return new Big(mm3).times(coefficient).div(1_000_000).round(0, Big.roundUp).toNumber();
}

function roundUp(grams: number, step: number): number {
  return Math.ceil(grams / step) * step;
}
