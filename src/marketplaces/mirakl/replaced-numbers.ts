import type { ShipmentConfirmation } from '../adapter.ts';

/** Whether Mirakl has a number that it was told earlier and that no longer holds. */
export function isReplaced({ trackingNumber, replacedNumbers = [] }: ShipmentConfirmation, number: string): boolean {
  return (
    compact(number) !== compact(trackingNumber) && replacedNumbers.some((each) => compact(each) === compact(number))
  );
}

function compact(trackingNumber: string): string {
  return trackingNumber.replace(/\s+/g, '').toUpperCase();
}
