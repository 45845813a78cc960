import { z } from 'zod';
import { Decimal, Id, Text } from '../../http/schemas.ts';

export const QuoteBody = z
  .object({
    carrier_id: Id,
    carrier_company_id: Id,
    extra_steps: z.number().int(),
    carrier_name: Text,
    zone_label: Text,
    logo_url: Text,
    zone_name: Text,
    contract_label: Text,
    base_price: Decimal,
    coefficient: Decimal,
    chargeable_weight: Decimal,
    real_weight: Decimal,
    volumetric_weight: Decimal,
    surcharge_price: Decimal,
    extra_price: Decimal,
    carrier_options_total: Decimal,
    total_price: Decimal,
    vat_amount: Decimal,
    total_price_with_vat: Decimal,
    is_active: z.boolean(),
    is_connected: z.boolean(),
    delete_flag: z.boolean(),
    carrier_options_detail: z.array(
      z.object({
        name: Text,
        price: Decimal,
        option_id: z.number().int(),
        calculated: z.number().int(),
        description: Text,
      }),
    ),
    purchase: z
      .object({
        base_price: Decimal,
        extra_price: Decimal,
        surcharge_price: Decimal,
        carrier_options_total: Decimal,
        total_price: Decimal,
        margin: Decimal.describe('The sale total minus total_price; negative when sold below cost'),
      })
      .partial()
      .describe('The cost of the same shipment; empty when the price list has no purchase prices for it'),
  })
  .meta({ id: 'Quote' });

export const LiveRates = z
  .array(
    z.object({
      service_code: z.string(),
      service_name: z.string(),
      price: Decimal.describe('The price for this account; VAT as the carrier counts it'),
      currency: z.string(),
      delivery_date: z.string().nullable().describe('YYYY-MM-DD, if the carrier promises one'),
      as_of: z.iso
        .datetime()
        .nullable()
        .describe('When the carrier gave the price; prices are cached for a quarter of an hour'),
    }),
  )
  .meta({ id: 'LiveRates' });
