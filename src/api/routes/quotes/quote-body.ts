import { centsToString } from '../../../lib/decimal.ts';
import type { PricedOffer } from '../../../usecases/quotes/quote-shipment.ts';
import { kilograms, logoUrl } from '../../http/format.ts';

/** Renders a quote as the contract has it: prices in the currency of the price list, weights in kilograms. */
export function quoteBody({ contract, carrier, quote }: PricedOffer, publicUrl: string) {
  const { purchase } = quote;
  return {
    carrier_id: carrier.id,
    carrier_company_id: contract.id,
    extra_steps: quote.extraSteps,
    carrier_name: carrier.name,
    zone_label: quote.zone.label,
    logo_url: logoUrl(carrier.logoUrl, publicUrl),
    zone_name: quote.zone.name,
    contract_label: contract.label,
    base_price: centsToString(quote.basePrice),
    coefficient: String(quote.coefficient),
    chargeable_weight: kilograms(quote.chargeableGrams),
    real_weight: kilograms(quote.realGrams),
    volumetric_weight: kilograms(quote.volumetricGrams),
    surcharge_price: centsToString(quote.surchargePrice),
    extra_price: centsToString(quote.extraPrice),
    carrier_options_total: centsToString(quote.optionsTotal),
    total_price: centsToString(quote.totalPrice),
    vat_amount: centsToString(quote.vatAmount),
    total_price_with_vat: centsToString(quote.totalWithVat),
    is_active: carrier.isActive,
    is_connected: contract.isConnected,
    delete_flag: contract.deleteFlag,
    carrier_options_detail: quote.options.map((option) => ({
      name: option.name,
      price: centsToString(option.price),
      option_id: option.optionId,
      calculated: option.calculated,
      description: option.description,
    })),
    purchase: purchase
      ? {
          base_price: centsToString(purchase.basePrice),
          extra_price: centsToString(purchase.extraPrice),
          surcharge_price: centsToString(purchase.surchargePrice),
          carrier_options_total: centsToString(purchase.optionsTotal),
          total_price: centsToString(purchase.totalPrice),
          margin: centsToString(purchase.margin),
        }
      : {},
  };
}
