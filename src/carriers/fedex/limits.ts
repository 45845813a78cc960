/**
 * Limits of FedEx's public descriptions of its Ship, Rates and Track APIs, read on 2026-11-21, unless another source is
 * named.
 */
export const MAX = {
  /** Above it only an answer that comes later would do. */
  parcels: 30,
  /**
   * The limit of one parcel of FedEx Express, as FedEx's refusal MAXIMUMWEIGHT.TYPE.ERROR words it (quoted in public
   * clients).
   */
  parcelGrams: 68_000,
  sideCm: 999,
  /** Amounts have five digits before the point. */
  amountCents: 9_999_999,
  reference: 40,
  orderNumber: 30,
  name: 70,
  company: 35,
  streetLine: 35,
  streetLines: 3,
  city: 35,
  postcode: 10,
  email: 80,
  contents: 50,
  /** Limits of an invoice for customs. */
  lines: 99,
  lineDescription: 450,
  quantity: 9999,
} as const;

export const PHONE_DIGITS = { min: 10, max: 15 } as const;

/** How far back FedEx searches for a reference, the first and the last day included. */
export const SEARCH_DAYS = 30;
