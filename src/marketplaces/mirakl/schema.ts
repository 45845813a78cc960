import { z } from 'zod';
import { Amount, List, lenientObject, Prose, Text } from '../lenient.ts';

/** Empty where there is no list. */
function listOf<Item extends z.ZodType>(item: Item) {
  return z.preprocess((value) => (Array.isArray(value) ? value : []), z.array(item));
}

const Id = z.string().trim().min(1);
const Instant = z.string().pipe(z.coerce.date());
const Taxes = listOf(lenientObject({ amount: Amount }));

export const Address = lenientObject({
  firstname: Text,
  lastname: Text,
  company: Text,
  company_2: Text,
  street_1: Text,
  street_2: Text,
  additional_info: Prose,
  zip_code: Text,
  city: Text,
  state: Text,
  country_iso_code: Text,
  phone: Text,
  phone_secondary: Text,
});
export type Address = z.infer<typeof Address>;

export const Line = z.object({
  order_line_id: Id,
  order_line_state: Text,
  /** The shop's own. */
  offer_sku: Text,
  product_title: Prose,
  quantity: z.coerce.number(),
  price_unit: Amount,
  /** Price of all pieces, without shipping. */
  price: Amount,
  taxes: Taxes,
  shipping_taxes: Taxes,
  cancelations: listOf(z.unknown()),
});
export type Line = z.infer<typeof Line>;

export const Order = z.object({
  order_id: Id,
  created_date: Instant,
  last_updated_date: Instant,
  order_state: Text,
  order_tax_mode: Text,
  can_shop_ship: z.unknown().optional(),
  currency_iso_code: Text,
  /** With shipping and fees. */
  total_price: Amount,
  shipping_price: Amount,
  payment_type: Text,
  customer: lenientObject({
    firstname: Text,
    lastname: Text,
    /** Both null until the order is to be shipped, or is accepted: the operator decides. */
    shipping_address: Address,
    billing_address: Address,
    organization: lenientObject({ name: Text, tax_identification_number: Text }),
  }),
  customer_notification_email: Text,
  shipping_pudo_id: Text,
  shipping_carrier_code: Text,
  shipping_company: Text,
  shipping_tracking: Text,
  shipping_tracking_url: Text,
  order_lines: List,
});
export type Order = z.infer<typeof Order>;

export const OrderPageAnswer = z.object({ orders: z.array(z.unknown()), total_count: z.int().min(0) });

export const CarriersAnswer = z.object({
  carriers: z.array(lenientObject({ code: Text, label: Text, standard_code: Text })),
});

export const Shipment = z.object({
  id: Id,
  tracking: lenientObject({ carrier_code: Text, carrier_name: Text, tracking_number: Text, tracking_url: Text }),
  shipment_lines: listOf(z.object({ order_line_id: Id, quantity: z.number() })),
});
export type Shipment = z.infer<typeof Shipment>;

export const ShipmentPageAnswer = z.object({ data: z.array(z.unknown()), next_page_token: Text });

export const CorrectedAnswer = z.object({
  shipment_success: listOf(lenientObject({ id: Text })),
  shipment_errors: listOf(lenientObject({ id: Text, message: Text })),
});

/** One shipment was sent: either list has it. */
export const CreatedAnswer = z.object({
  shipment_success: listOf(Shipment),
  shipment_errors: listOf(lenientObject({ order_id: Text, message: Text })),
});
