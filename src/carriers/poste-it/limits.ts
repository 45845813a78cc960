/** Lengths of the waybill, and what public clients of Poste Delivery Business know of its other services (read on 2026-11-21). */
export const MAX = {
  /** Ours: Poste's own number was not found, and every parcel is one more label to fetch while the shipment waits. */
  parcels: 99,
  /** Ours: Poste's own figure was not found, and what weighs more is a slip of the pen. */
  parcelGrams: 1_000_000,
  reference: 25,
  name: 35,
  address: 40,
  streetNumber: 4,
  city: 30,
  email: 50,
  phoneDigits: 15,
  contents: 30,
  /** Characters of each of the sender's two notes, the only ones that are printed. */
  note: 20,
} as const;

/** The addresses of pickups and of released parcels have lengths of their own. */
export const PLACE_MAX = {
  name: 40,
  streetName: 60,
  streetNumber: 10,
  town: 40,
  phone: 30,
  email: 241,
  pickupNote: 255,
} as const;
