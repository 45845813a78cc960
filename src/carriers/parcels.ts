import type { DraftParcel, ShipmentHandle } from './adapter.ts';

export function totalGrams(parcels: readonly Pick<DraftParcel, 'weightGrams'>[]): number {
  return parcels.reduce((sum, { weightGrams }) => sum + weightGrams, 0);
}

/** Divides an amount of the shipment over its parcels; the first one has the odd cents. */
export function shareOf(cents: number, parcels: number, index: number): number {
  const share = Math.floor(cents / parcels);
  return index === 0 ? cents - share * (parcels - 1) : share;
}

/** Returns length, width and height in whole centimetres, rounded up; null when one of them is missing. */
export function sidesCm({ lengthMm, widthMm, heightMm }: DraftParcel): [number, number, number] | null {
  const [length = 0, width = 0, height = 0] = [lengthMm, widthMm, heightMm].map((side) => Math.ceil(side / 10));
  return length > 0 && width > 0 && height > 0 ? [length, width, height] : null;
}

const AND = ',';

/** Writes several numbers as one `carrierReference`. */
export function joined(numbers: readonly string[]): string {
  return numbers.join(AND);
}

/** Returns the numbers of a handle. A label that a person brought has its tracking number only. */
export function numbersOf({
  carrierReference,
  trackingNumber,
}: Pick<ShipmentHandle, 'carrierReference' | 'trackingNumber'>): string[] {
  return (carrierReference || trackingNumber).split(AND);
}
