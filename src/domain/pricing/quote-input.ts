import type { CompiledPriceList } from './compile.ts';
import type { Destination } from './place-index.ts';
import type { QuoteParcel } from './weigh.ts';

export interface QuoteInput {
  prices: CompiledPriceList;
  /** YYYY-MM-DD: the day that dated amounts are looked up for. */
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
  /** `percent` such as `"22"`; `reason` where there is none to pay. */
  vat: { percent: string; reason: string };
}

/** Why there is no price, in words a person can act on. */
export interface QuoteRefusal {
  refused: string;
}

export type Side = 'sale' | 'purchase';
