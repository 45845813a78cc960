import type { CompiledPriceList } from './compile.ts';
import type { Destination } from './place-index.ts';
import type { QuoteParcel } from './weigh.ts';

export interface QuoteInput {
  prices: CompiledPriceList;
  /** YYYY-MM-DD: the day of the dated amounts. */
  day: string;
  /** `coefficient` in kg/m³; `maxWeightGrams` limits the real weight of the whole shipment. */
  contract: { coefficient: number; maxWeightGrams: number | null };
  destination: Destination;
  parcels: readonly QuoteParcel[];
  cod: { amountCents: number; paymentType: string } | null;
  insuredCents: number | null;
  /** Codes of further options, the list's own such as `SATURDAY` or the carrier's. */
  optionCodes: readonly string[];
  isToPickupPoint: boolean;
  /** `percent` such as `"22"`; `reason` where no VAT is due. */
  vat: { percent: string; reason: string };
}

/** Says why there is no price, so that a person can act on it. */
export interface QuoteRefusal {
  refused: string;
}

export type Side = 'sale' | 'purchase';
