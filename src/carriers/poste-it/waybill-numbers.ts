import type { ShipmentHandle } from '../adapter.ts';

const AND = ',';

/** All numbers of a shipment as one `carrierReference`: every parcel has its own waybill. */
export function joined(numbers: readonly string[]): string {
  return numbers.join(AND);
}

/** Of a shipment booked here, or of a label that a person brought, which has its one number only. */
export function numbersOf({ carrierReference, trackingNumber }: ShipmentHandle): string[] {
  return (carrierReference || trackingNumber).split(AND);
}
