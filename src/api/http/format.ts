import { Big } from '../../lib/decimal.ts';

export function iso(at: Date): string {
  return at.toISOString();
}

export function isoOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}

/** Formats grams as kilograms with three decimal places. */
export function kilograms(grams: number): string {
  return new Big(grams).div(1000).toFixed(3);
}

/** Returns the absolute URL of a logo. This service serves those that are paths. */
export function logoUrl(path: string, publicUrl: string): string {
  return path.startsWith('/') ? `${publicUrl}${path}` : path;
}
