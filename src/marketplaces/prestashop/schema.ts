import { z } from 'zod';
import { Amount, List, lenientObject, Prose, Text } from '../lenient.ts';

/** Numbers and text alike. */
export const Id = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : value),
  z.string().regex(/^[1-9]\d*$/),
);

/** In a shop of several languages a text is a list of `{ id, value }`: the first that says something. */
const LocalText = z
  .unknown()
  .optional()
  .transform((value): unknown => {
    if (!Array.isArray(value)) return value;
    return value.map((each) => (each as { value?: unknown } | null)?.value).find((text) => text);
  })
  .pipe(Text);

const Flag = Text.transform((text) => text === '1');

export const Order = z.object({
  id: Id,
  reference: Text,
  id_address_delivery: Text,
  id_address_invoice: Text,
  id_currency: Text,
  id_customer: Text,
  id_carrier: Text,
  current_state: Text,
  module: Text,
  payment: Text,
  note: Prose,
  date_add: Text,
  date_upd: Text,
  total_paid_tax_incl: Amount,
  total_paid_tax_excl: Amount,
  total_shipping_tax_incl: Amount,
  /** Holds a row for each of the order's details. */
  associations: lenientObject({ order_rows: List }),
});
export type Order = z.infer<typeof Order>;

export const OrderDetail = z.object({
  id: Id,
  id_order: Text,
  product_id: Text,
  product_name: Prose,
  product_reference: Text,
  product_quantity: z.coerce.number().catch(0),
  product_quantity_refunded: z.coerce.number().catch(0),
  product_quantity_return: z.coerce.number().catch(0),
  unit_price_tax_incl: Amount,
  total_price_tax_incl: Amount,
  total_price_tax_excl: Amount,
});
export type OrderDetail = z.infer<typeof OrderDetail>;
/** An order of 500 lines in full is a megabyte. */
export const DETAIL_FIELDS = `[${Object.keys(OrderDetail.shape).join(',')}]`;

export const Product = z.object({ id: Id, is_virtual: Flag });

export const Address = z.object({
  id: Id,
  id_country: Text,
  id_state: Text,
  company: Text,
  firstname: Text,
  lastname: Text,
  vat_number: Text,
  dni: Text,
  address1: Text,
  address2: Text,
  postcode: Text,
  city: Text,
  other: Prose,
  phone: Text,
  phone_mobile: Text,
});
export type Address = z.infer<typeof Address>;

export const Customer = z.object({ id: Id, firstname: Text, lastname: Text, email: Text });
export type Customer = z.infer<typeof Customer>;

/** Countries, states of countries and currencies. */
export const Coded = z.object({ id: Id, iso_code: Text });
export type Coded = z.infer<typeof Coded>;

export const Carrier = z.object({ id: Id, name: Text, url: Text });

/** Every field, because a full update must give back those that it does not change. */
export const OrderCarrier = z.looseObject({ id: Id, id_carrier: Text, tracking_number: Text });
export type OrderCarrier = z.infer<typeof OrderCarrier>;

export const OrderState = z
  .object({ id: Id, name: LocalText, template: LocalText, paid: Flag, shipped: Flag, deleted: Flag })
  .transform((state) => ({ ...state, name: state.name || state.id }));
export type OrderState = z.infer<typeof OrderState>;
