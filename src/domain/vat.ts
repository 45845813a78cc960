import { isDeclarable, type Place } from './customs-territory.ts';

export interface VatRules {
  /** Percent, such as `"22"`. */
  vatRate: string;
  /** Percent by country of destination, for a company that is registered there or in the one-stop shop. */
  vatRates: Readonly<Record<string, string>>;
}

/** `reason` says why no VAT is due; empty when it is. */
export interface Vat {
  percent: string;
  reason: string;
}

/**
 * Returns the VAT on carrying goods. Goods that leave the VAT area, or never were in it, are carried without VAT.
 * Otherwise the destination's rate applies where the company has one. Source: article 146 of the VAT directive
 * 2006/112/EC; in Italy article 9 of DPR 633/1972.
 */
export function transportVat(rules: VatRules, { from, to }: { from: Place; to: Place }): Vat {
  const country = to.countryCode.toUpperCase();
  if (isDeclarable(from, to)) return { percent: '0', reason: `the goods leave the VAT area for ${country} ${to.zip}` };
  const percent = rules.vatRates[country] ?? rules.vatRate;
  return { percent, reason: Number(percent) === 0 ? 'the rate of the company is 0 %' : '' };
}
