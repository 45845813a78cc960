import type { ShipmentConfirmation } from '../adapter.ts';

/** Tells whether a number at Mirakl is one that no longer holds. */
export function isReplaced({ trackingNumber, replacedNumbers = [] }: ShipmentConfirmation, number: string): boolean {
  return (
    compact(number) !== compact(trackingNumber) && replacedNumbers.some((each) => compact(each) === compact(number))
  );
}

function compact(trackingNumber: string): string {
  return trackingNumber.replace(/\s+/g, '').toUpperCase();
}
