/** Past and alternative cost of a zone's shipments in a month. Cents without VAT. */
export interface PriceDifference {
  zone: string;
  /** YYYY-MM. */
  month: string;
  shipments: number;
  nowCents: number;
  otherCents: number;
}

/** Adds up prices of the same shipments under two price lists. */
export class PriceDifferences {
  readonly #sums = new Map<string, PriceDifference>();

  add({ zone, month, nowCents, otherCents }: Omit<PriceDifference, 'shipments'>): void {
    const key = `${month}/${zone}`;
    const sum = this.#sums.get(key) ?? { zone, month, shipments: 0, nowCents: 0, otherCents: 0 };
    sum.shipments += 1;
    sum.nowCents += nowCents;
    sum.otherCents += otherCents;
    this.#sums.set(key, sum);
  }

  /** Sorts by month, then by zone. */
  rows(): PriceDifference[] {
    return [...this.#sums.values()].toSorted((a, b) => a.month.localeCompare(b.month) || a.zone.localeCompare(b.zone));
  }

  total(): PriceDifference {
    const total = { zone: '', month: '', shipments: 0, nowCents: 0, otherCents: 0 };
    for (const row of this.#sums.values()) {
      total.shipments += row.shipments;
      total.nowCents += row.nowCents;
      total.otherCents += row.otherCents;
    }
    return total;
  }
}

/** Returns the difference to the other price in percent with one decimal, such as `-12.5`; negative is cheaper. */
export function percentDifference({ nowCents, otherCents }: PriceDifference): string {
  if (nowCents === 0) return '';
  const tenths = Math.round(((otherCents - nowCents) * 1000) / nowCents);
  return (tenths / 10).toFixed(1);
}
