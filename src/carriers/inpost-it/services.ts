import type { CarrierService, DraftParcel, ShipmentDraft } from '../adapter.ts';
import type { Account } from './schema.ts';

/** ShipX's name of the only service offered here: to a locker or shop. */
export const SERVICE = 'inpost_locker_standard';

export interface Size extends CarrierService {
  template: 'small' | 'medium' | 'large';
  /** The compartment, longest side first. */
  sidesMm: readonly [number, number, number];
}

/**
 * Compartments and their weight: "Sizes and services" of InPost's documentation (ShipX 1.23.0, marked for PL and IT), read on
 * 2026-11-21.
 */
export const SIZES: readonly Size[] = [
  { code: 'S', name: 'Locker S', template: 'small', sidesMm: [640, 380, 80] },
  { code: 'M', name: 'Locker M', template: 'medium', sidesMm: [640, 380, 190] },
  { code: 'L', name: 'Locker L', template: 'large', sidesMm: [640, 410, 380] },
];
export const MAX_GRAMS = 25_000;
/** A locker shipment is one template, not a list. */
export const MAX_PARCELS = 1;

export function sizeNamed(code: string): Size | undefined {
  return SIZES.find((size) => size.code === code);
}

export function isMeasured({ lengthMm, widthMm, heightMm }: DraftParcel): boolean {
  return lengthMm > 0 && widthMm > 0 && heightMm > 0;
}

export function fits({ lengthMm, widthMm, heightMm }: DraftParcel, { sidesMm }: Size): boolean {
  const sides = [lengthMm, widthMm, heightMm].toSorted((a, b) => b - a);
  return sides.every((side, index) => side <= (sidesMm[index] ?? 0));
}

/**
 * Returns the size that was chosen for the order, else the smallest that the parcel fits into. An unmeasured parcel has
 * the account's.
 */
export function sizeOf(
  { options, parcels }: Pick<ShipmentDraft, 'options' | 'parcels'>,
  { defaultSize }: Pick<Partial<Account>, 'defaultSize'>,
): Size | undefined {
  const chosen = options.map(sizeNamed).find((size) => size !== undefined);
  const [parcel] = parcels;
  if (chosen || !parcel) return chosen;
  return isMeasured(parcel) ? SIZES.find((size) => fits(parcel, size)) : sizeNamed(defaultSize ?? '');
}
