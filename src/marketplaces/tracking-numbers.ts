import type { ShipmentConfirmation } from './adapter.ts';

/** Returns a tracking number without blanks, in capitals: platforms show it in another spelling than they were given. */
export function compactNumber(trackingNumber: string): string {
  return trackingNumber.replace(/\s/g, '').toUpperCase();
}

export function isSameNumber(a: string, b: string): boolean {
  return compactNumber(a) === compactNumber(b);
}

/** Tells whether a number at the platform is one that no longer holds. */
export function isReplaced({ trackingNumber, replacedNumbers = [] }: ShipmentConfirmation, number: string): boolean {
  return !isSameNumber(number, trackingNumber) && replacedNumbers.some((each) => isSameNumber(each, number));
}
