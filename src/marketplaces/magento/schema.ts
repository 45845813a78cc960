import { z } from 'zod';
import { Amount, List, lenientObject, Prose, Text } from '../lenient.ts';

const Id = z.preprocess(
  (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
  z.int().positive(),
);

/** Nothing counts as 0. */
const Pieces = Amount.transform((amount) => Number(amount || 0));

/** Magento gives switches as numbers, plugins as truth values. */
const Flag = z
  .unknown()
  .optional()
  .transform((value) => value === true || value === 1 || value === '1');

/** Magento means UTC and does not say so. */
const Instant = z.string().transform((text, context) => {
  const at = new Date(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? `${text.replace(' ', 'T')}Z` : text);
  if (!Number.isNaN(at.getTime())) return at;
  context.addIssue({ code: 'custom', message: `"${text}" is no date` });
  return z.NEVER;
});

/** Most plugins keep Magento's list of lines, some make one text of it. */
const Street = z
  .unknown()
  .optional()
  .transform((value) => (Array.isArray(value) ? value : [value]).flatMap((line) => Text.parse(line).split('\n')));

export const Address = lenientObject({
  firstname: Text,
  lastname: Text,
  company: Text,
  street: Street,
  city: Text,
  region: Text,
  region_code: Text,
  postcode: Text,
  country_id: Text,
  telephone: Text,
  vat_id: Text,
});
export type Address = z.infer<typeof Address>;

export const Line = z.object({
  item_id: Id,
  /** The line of the configurable product or bundle that this one is a part of. */
  parent_item_id: Id.nullish().catch(null),
  sku: Text,
  name: Prose,
  product_type: Text,
  is_virtual: Flag,
  qty_ordered: z.coerce.number(),
  qty_shipped: Pieces,
  qty_canceled: Pieces,
  qty_refunded: Pieces,
  row_total: Amount,
  tax_amount: Amount,
  discount_amount: Amount,
  discount_tax_compensation_amount: Amount,
});
export type Line = z.infer<typeof Line>;

const ShippingAssignments = z.preprocess(
  (value) => (Array.isArray(value) ? value : []),
  z.array(lenientObject({ shipping: lenientObject({ address: Address, method: Text }) })),
);

export const Order = z.object({
  entity_id: Id,
  increment_id: Text,
  state: Text,
  status: Text,
  created_at: Instant,
  updated_at: Instant,
  is_virtual: Flag,
  order_currency_code: Text,
  grand_total: Amount,
  tax_amount: Amount,
  total_due: Amount,
  total_refunded: Amount,
  total_canceled: Amount,
  tax_refunded: Amount,
  tax_canceled: Amount,
  shipping_amount: Amount,
  shipping_tax_amount: Amount,
  shipping_discount_amount: Amount,
  shipping_discount_tax_compensation_amount: Amount,
  customer_email: Text,
  customer_firstname: Text,
  customer_lastname: Text,
  customer_taxvat: Text,
  customer_note: Prose,
  billing_address: Address,
  payment: lenientObject({ method: Text }),
  items: List,
  extension_attributes: lenientObject({ shipping_assignments: ShippingAssignments }),
});
export type Order = z.infer<typeof Order>;

/** Every list of the interface. */
export const SearchAnswer = z.object({ items: z.array(z.unknown()), total_count: z.coerce.number() });
export type SearchAnswer = z.infer<typeof SearchAnswer>;

export const Identified = z.object({ entity_id: Id });

export const Shipment = z.object({
  entity_id: Id,
  total_weight: Pieces,
  total_qty: Pieces,
  items: z
    .array(z.object({ order_item_id: Id, qty: Pieces }))
    .nullish()
    .transform((items) => items ?? []),
  tracks: z
    .array(z.object({ entity_id: Id.optional().catch(undefined), track_number: Text, title: Text, carrier_code: Text }))
    .nullish()
    .transform((tracks) => tracks ?? []),
});
export type Shipment = z.infer<typeof Shipment>;

export const ShipmentList = z.object({ items: z.array(z.unknown()) });

/** The answer to a deletion. */
export const Deleted = z.literal(true);

/** A bare number, which some releases quote. */
export const ShipmentId = z.union([z.int().positive(), z.string().regex(/^[1-9]\d*$/)]).transform(String);
