import { z } from 'zod';
import { Amount, Flag, List, lenientObject, Prose, Text } from '../lenient.ts';

const Id = z.preprocess(
  (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
  z.int().positive(),
);

const Address = lenientObject({
  first_name: Text,
  last_name: Text,
  company: Text,
  address_1: Text,
  address_2: Text,
  city: Text,
  state: Text,
  postcode: Text,
  country: Text,
  email: Text,
  phone: Text,
});
export type Address = z.infer<typeof Address>;

export const Line = z.object({
  id: Id,
  name: Prose,
  sku: Text,
  quantity: z.coerce.number(),
  total: Amount,
  total_tax: Amount,
});
export type Line = z.infer<typeof Line>;

export const Order = z.object({
  id: Id,
  number: Text,
  status: Text,
  currency: Text,
  date_created_gmt: Text,
  date_modified_gmt: Text,
  shipping_total: Amount,
  /** Not in our own notes of the interface but in every recorded order: looked up 2026-11-21. */
  shipping_tax: Amount,
  total: Amount,
  total_tax: Amount,
  customer_note: Prose,
  billing: Address,
  shipping: Address,
  payment_method: Text,
  payment_method_title: Text,
  line_items: List,
  shipping_lines: List,
  /** `{id, reason, total, total_tax}` each, with negative amounts; the pieces are in the refunds themselves. */
  refunds: List,
  /** False when every line is a virtual download; recorded from WooCommerce 11.0.1, 2026-11-22. */
  needs_processing: Flag.catch(true),
  meta_data: List,
});
export type Order = z.infer<typeof Order>;

/** Every list of the interface. */
export const RawList = z.array(z.unknown());
/** Any element of a list. */
export const Identified = z.object({ id: Id });

export const RefundTotal = z.object({ total: Amount, total_tax: Amount });

const RefundedLine = z.object({
  quantity: z.coerce.number(),
  total: Amount,
  total_tax: Amount,
  meta_data: z.array(z.object({ key: z.string(), value: z.unknown().optional() })),
});
export type RefundedLine = z.infer<typeof RefundedLine>;
export const Refund = z.object({ line_items: z.array(RefundedLine) });

export const RestIndex = z.object({ namespaces: z.array(z.string()) });

export const Note = z.object({ id: Id, note: Text });
export type Note = z.infer<typeof Note>;

export const Fulfillment = z.object({
  id: Id,
  status: Text,
  /** Text everywhere but in the answer to a create; recorded from WooCommerce 11.0.1, 2026-11-22. */
  is_fulfilled: Flag,
  date_deleted: Text,
  meta_data: z.array(z.object({ key: z.string(), value: z.unknown().optional() })),
});
export type Fulfillment = z.infer<typeof Fulfillment>;

/** The answer to a deletion. */
export const Deleted = z.object({ message: z.string() });

export const FulfilledItems = z.array(z.object({ item_id: z.coerce.number(), qty: z.coerce.number() }));

export const Tracking = z.object({
  tracking_id: z.string().min(1),
  tracking_provider: Text,
  tracking_link: Text,
  tracking_number: Text,
});
export type Tracking = z.infer<typeof Tracking>;

/** Region, then name, then the pattern of the link. PHP renders a region without carriers as an empty list. */
export const Providers = z.record(z.string(), z.record(z.string(), z.unknown()).catch({})).catch({});
