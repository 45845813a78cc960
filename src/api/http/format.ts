import { Big } from '../../lib/decimal.ts';

export function iso(at: Date): string {
  return at.toISOString();
}

export function isoOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}

/** Kilograms as a decimal string with three places. */
export function kilograms(grams: number): string {
  return new Big(grams).div(1000).toFixed(3);
}

/** Logos are ours to serve. */
export function logoUrl(path: string, publicUrl: string): string {
  return path.startsWith('/') ? `${publicUrl}${path}` : path;
}
