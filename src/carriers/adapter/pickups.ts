import type { DraftParcel, Party, ShipmentHandle } from './shipment.ts';

/** Couriers that fetch parcels, and points that parcels are sent to. */

export interface PickupRequest {
  /** Ours, unique for ever, at most 20 characters. */
  reference: string;
  /** Wall-clock date YYYY-MM-DD. */
  date: string;
  /** Wall-clock HH:mm. */
  from: string;
  to: string;
  place: Party;
  parcels: readonly DraftParcel[];
  shipments: readonly ShipmentHandle[];
  note: string;
}

export interface BookedPickup {
  /** How the carrier names it. */
  confirmation: string;
  message: string;
}

/** A locker or shop where parcels can be sent to. */
export interface PickupPoint {
  id: string;
  name: string;
  type: 'locker' | 'shop' | 'office';
  address: string;
  city: string;
  zip: string;
  province: string;
  countryCode: string;
  latitude: number | null;
  longitude: number | null;
  /** In the carrier's words. */
  openingHours: string;
  takesCod: boolean | null;
}

export interface PickupPointQuestion {
  zip: string;
  city: string;
  countryCode: string;
}
