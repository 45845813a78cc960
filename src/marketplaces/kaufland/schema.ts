import { z } from 'zod';
import { List, lenientObject, Prose, Text } from '../lenient.ts';

/** A moment with its zone: without one it might be anybody's wall clock. */
const Instant = z
  .string()
  .regex(/(Z|[+-]\d\d:?\d\d)$/, 'has no time zone')
  .pipe(z.coerce.date());

/** Cents of the order's currency; null where Kaufland gave none. */
const Cents = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'number' && Number.isInteger(value) ? value : null));

const Address = lenientObject({
  first_name: Text,
  last_name: Text,
  company_name: Text,
  street: Text,
  house_number: Text,
  additional_field: Text,
  postcode: Text,
  city: Text,
  phone: Text,
  country: Text,
});
export type Address = z.infer<typeof Address>;

/** One piece. */
export const Unit = z.object({
  /** Beyond the safe integers its last digits would be lost. */
  id_order_unit: z
    .int()
    .positive()
    .transform((id) => String(id)),
  ts_updated_iso: Instant,
  status: Text,
  id_offer: Text,
  currency: Text,
  price: Cents,
  shipping_rate: Cents,
  /** Per cent; null where Kaufland says nothing of it. */
  vat: z
    .unknown()
    .optional()
    .transform((value) => (typeof value === 'number' && value >= 0 ? value : null)),
  product: lenientObject({ title: Prose }),
});
export type Unit = z.infer<typeof Unit>;

const OrderId = z.string().trim().min(1);

export const Order = z.object({
  id_order: OrderId,
  ts_created_iso: Instant,
  fulfillment_type: Text,
  order_units: List,
  billing_address: Address,
  shipping_address: Address,
  buyer: lenientObject({ email: Text }),
  delivery: lenientObject({
    pickup_location: lenientObject({ pickup_location_id: Text, provider: Text }),
  }),
});
export type Order = z.infer<typeof Order>;

export const OrderAnswer = z.object({ data: z.unknown() });

/** The list holds only an order's number and the time of its units' last change. */
export const ListedOrder = z.object({ id_order: OrderId, ts_units_updated_iso: Instant.nullable().catch(null) });

export const OrderPageAnswer = z.object({
  data: z.array(z.unknown()),
  pagination: lenientObject({ total: z.int().min(0).nullable().catch(null) }),
});

export const Carrier = z.object({ name: z.string() });

export const CarriersAnswer = z.object({
  data: z.object({ carriers: z.array(z.unknown()) }),
});
