import type { Place } from './places.ts';

export interface Shipment {
  /** Depot, series and number: how the tracking services name it. */
  id: string;
  customer: string;
  /** First number of its parcels. */
  parcelFrom: number;
  parcels: number;
  numeric: number;
  alphanumeric: string;
  generic: string;
  name: string;
  address: string;
  zip: string;
  city: string;
  province: string;
  country: string;
  notes: string;
  pudoId: string;
  weightKg: number;
  volumeM3: number;
  contents: string;
  codCents: number;
  codType: string;
  insuredCents: number;
  serviceType: string;
  place: Place;
  createdAt: number;
  confirmedAt: number | null;
  deletedAt: number | null;
  /** The decision in the portal about its giacenza; absent in older books. */
  decision?: { name: string; at: number } | null;
}

const DEPOT_LENGTH = 3;
const NUMBER_LENGTH = 7;
export const SERIES = '01';

/** Returns the number that the tracking service expects: 15 digits. */
export function trackingIdOf(shipment: Shipment, place: number): string {
  const number = String(shipment.parcelFrom + place - 1).padStart(NUMBER_LENGTH, '0');
  return `${shipment.id.slice(0, DEPOT_LENGTH)}${SERIES}${number}000`;
}

/** Returns the text of the label's barcode: 18 characters. */
export function barcodeOf(shipment: Shipment, place: number): string {
  return `${trackingIdOf(shipment, place)}${shipment.place.depot}`;
}

export function shipmentIdOf(depot: string, number: number): string {
  return `${depot.padStart(DEPOT_LENGTH, '0')}${SERIES}${String(number).padStart(NUMBER_LENGTH, '0')}`;
}
