/** Lengths and counts of the MyDHL API 3.1.1 description, read on 2026-11-21. */
export const MAX = {
  parcels: 999,
  /** The largest weight of a shipment in the description's sample of products; that of one parcel was not found. */
  shipmentGrams: 3_030_000,
  lines: 999,
  /** Characters of references and of an invoice's number. */
  reference: 35,
  fullName: 255,
  companyName: 100,
  addressLine: 45,
  addressLines: 3,
  city: 45,
  postcode: 12,
  province: 35,
  phone: 70,
  email: 70,
  contents: 70,
  lineDescription: 512,
  pickupNote: 80,
  pickupNotes: 4,
} as const;
