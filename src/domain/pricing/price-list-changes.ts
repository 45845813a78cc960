import { isSame } from '../../lib/canonical.ts';
import { tenThousandths } from './amount.ts';
import type { PriceList, PriceListTransport } from './price-list.ts';
import type { Side } from './quote-input.ts';

/** One price that differs between two price lists. */
export interface PriceChange {
  change: 'added' | 'changed' | 'removed';
  side: Side;
  zone: string;
  /** A bracket up to `grams`, each step of `grams` beyond the last one, or the least that is charged. */
  row: 'bracket' | 'step' | 'minimum';
  grams: number | null;
  before: string | null;
  after: string | null;
}

/** Parts of a price list besides its prices. */
export const LIST_PARTS = ['rules', 'areas', 'zones', 'surcharges', 'options'] as const;
export type ListPart = (typeof LIST_PARTS)[number];

export interface PriceListChanges {
  prices: PriceChange[];
  unchanged: number;
  /** The other parts that differ. */
  parts: ListPart[];
}

interface Price {
  side: Side;
  zone: string;
  row: PriceChange['row'];
  grams: number | null;
  price: string;
}

/** Compares two price lists price by price, in the order of the new one and then of the old one. */
export function priceListChanges(before: PriceList | null, after: PriceList): PriceListChanges {
  const [old, now] = [pricesOf(before), pricesOf(after)];
  const prices: PriceChange[] = [];
  let unchanged = 0;
  for (const [key, { price, ...place }] of now) {
    const known = old.get(key)?.price ?? null;
    if (known !== null && tenThousandths(known) === tenThousandths(price)) unchanged += 1;
    else prices.push({ change: known === null ? 'added' : 'changed', ...place, before: known, after: price });
  }
  for (const [key, { price, ...place }] of old) {
    if (!now.has(key)) prices.push({ change: 'removed', ...place, before: price, after: null });
  }
  const parts = before === null ? [] : LIST_PARTS.filter((part) => !isSame(partOf(before, part), partOf(after, part)));
  return { prices, unchanged, parts };
}

function pricesOf(list: PriceList | null): Map<string, Price> {
  const prices = (list?.zones ?? []).flatMap(({ code, sale, purchase }) => [
    ...transportPrices(code, 'sale', sale),
    ...(purchase ? transportPrices(code, 'purchase', purchase) : []),
  ]);
  return new Map(prices.map((price) => [[price.side, price.zone, price.row, price.grams].join('/'), price]));
}

function transportPrices(zone: string, side: Side, transport: PriceListTransport): Price[] {
  const { brackets, stepGrams, stepPrice, minimum } = transport;
  const at = { zone, side };
  return [
    ...(minimum === undefined ? [] : [{ ...at, row: 'minimum' as const, grams: null, price: String(minimum) }]),
    ...brackets.map(({ upToGrams, price }) => ({
      ...at,
      row: 'bracket' as const,
      grams: upToGrams,
      price: String(price),
    })),
    ...(stepGrams === undefined || stepPrice === undefined
      ? []
      : [{ ...at, row: 'step' as const, grams: stepGrams, price: String(stepPrice) }]),
  ];
}

function partOf(list: PriceList, part: ListPart): unknown {
  if (part === 'rules') return [list.rounding, list.volumetric, list.parcels];
  if (part === 'zones') return list.zones.map(({ code, name, label, match }) => ({ code, name, label, match }));
  return list[part];
}
