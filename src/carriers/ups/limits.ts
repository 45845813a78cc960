/** Lengths and counts of UPS's public descriptions of its Shipping, Rating and Pickup interfaces, read on 2026-11-21. */
export const MAX = {
  parcels: 200,
  returnParcels: 20,
  /** The field holds five characters; what UPS itself carries per parcel was not found. */
  parcelGrams: 999_900,
  lengthCm: 270,
  /** Length and twice width and height. */
  girthCm: 330,
  /** Characters of references and of an invoice's number. */
  reference: 35,
  name: 35,
  addressLine: 35,
  addressLines: 3,
  city: 30,
  province: 5,
  postcode: 9,
  phone: 15,
  email: 50,
  contents: 50,
  packageContents: 35,
  /** Limits of an invoice for customs. */
  lines: 100,
  lineDescription: 35,
  lineDescriptions: 3,
  partNumber: 35,
  quantity: 9_999_999,
  pickupCompany: 27,
  pickupContact: 22,
  pickupStreet: 73,
  pickupPhone: 25,
  pickupNote: 57,
  pickupPieces: 999,
} as const;
