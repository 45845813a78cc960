import { z } from 'zod';
import { provinceCode, provinceOf } from '../../../domain/addresses/gazetteer.ts';
import type { NewOrder } from '../../../usecases/orders/create-order.ts';
import { COUNTRY_CODE, Id, required, text } from '../../http/schemas.ts';

const MAX_PRICE = 1_000_000;
const MAX_WEIGHT_KG = 2000;
const MAX_SIDE_CM = 1000;

/** Amounts are stored with four decimals, rounded half up. */
const Price = z.number().min(0).max(MAX_PRICE);

/** Lets rules over several fields run although another field is invalid, because one answer lists all faults. */
const EVEN_WHEN_FAULTY = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null };

const CUSTOMER = { full_name: required(120), email: text(254), phone: text(40) };

const BILLING = {
  company: text(120),
  address: text(200),
  city: text(80),
  province: text(40),
  zip: text(16),
  country_code: COUNTRY_CODE.optional(),
  vat_number: text(32),
  tax_code: text(32),
};

const SHIPPING = {
  full_name: required(120),
  company: text(120),
  phone: text(40),
  address: required(200),
  address2: text(200),
  city: required(80),
  province: text(40),
  zip: required(16),
  country_code: COUNTRY_CODE,
};

const ShippingBody = z.object(SHIPPING).superRefine(({ country_code, province, zip }, context) => {
  if (country_code !== 'IT') return;
  if (typeof province === 'string' && provinceOf(province) === null) {
    context.addIssue({
      code: 'custom',
      path: ['province'],
      message: 'must be an Italian province such as BO or Bologna',
    });
  }
  if (typeof zip === 'string' && !/^\d{5}$/.test(zip)) {
    context.addIssue({ code: 'custom', path: ['zip'], message: 'must be a five-digit Italian postal code' });
  }
}, EVEN_WHEN_FAULTY);

const ItemBody = z
  .object({
    product_id: z
      .uuid()
      .nullish()
      .meta({ override: { type: 'string', format: 'uuid' } }),
    sku: text(80),
    name: text(250),
    quantity: z.number().int().min(1).max(100_000),
    price: Price,
  })
  .refine((item) => item.name !== '' || item.sku !== '', { error: 'must have a name or a sku', ...EVEN_WHEN_FAULTY });

const ParcelBody = z.object({
  weight_kg: z.number().gt(0).max(MAX_WEIGHT_KG),
  length_cm: z.number().min(0).max(MAX_SIDE_CM).default(0),
  width_cm: z.number().min(0).max(MAX_SIDE_CM).default(0),
  height_cm: z.number().min(0).max(MAX_SIDE_CM).default(0),
});

export const OrderBody = z
  .object({
    customer: z.object(CUSTOMER),
    billing: z.object(BILLING).nullish(),
    shipping: ShippingBody,
    items: z.array(ItemBody).min(1).max(1000),
    shipping_cost: Price.nullish(),
    insurance: z.boolean().nullish(),
    payment_method: text(50),
    note: text(2000),
    warehouse_id: z
      .union([Id, z.string().trim().min(1).max(100)], { error: 'must be the id or the key of a warehouse' })
      .nullish()
      .meta({ description: 'Its id, or (an addition) its key: see GET /warehouses' }),
    parcels: z.array(ParcelBody).max(99).optional(),
    cod_amount: Price.nullish(),
    order_number: z.string().trim().min(1).max(80).nullish(),
    carrier_company_id: Id.nullish(),
    carrier_options: z.array(z.string().trim().min(1).max(40)).max(20).optional(),
    pickup_point_id: z.string().trim().min(1).max(40).nullish(),
    marketplace: z.object({ connection_id: Id, order_id: required(120), order_number: text(120) }).nullish(),
  })
  .meta({
    id: 'OrderCreation',
    description: 'Fields after warehouse_id are additions to the contract, and all optional.',
  });

/** Lets an absent field stay absent. */
function optional<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  return z.object(shape).partial();
}

const { shape } = OrderBody;
/** The shape of a merge patch. The merged order is judged by `OrderBody`, which knows the rules over several fields. */
export const OrderPatch = z
  .object({
    customer: optional(CUSTOMER).optional(),
    billing: optional({ ...BILLING, country_code: COUNTRY_CODE.nullable() }).nullish(),
    shipping: optional(SHIPPING).optional(),
    items: shape.items.optional(),
    shipping_cost: shape.shipping_cost,
    insurance: shape.insurance,
    payment_method: shape.payment_method,
    note: shape.note,
    warehouse_id: shape.warehouse_id,
    parcels: shape.parcels.nullable(),
    cod_amount: shape.cod_amount,
    carrier_company_id: shape.carrier_company_id,
    carrier_options: shape.carrier_options.nullable(),
    pickup_point_id: shape.pickup_point_id,
  })
  .meta({ id: 'OrderPatch', description: 'A JSON merge patch (RFC 7396): null takes a value away.' });

/** Converts a valid body of order creation to the units that are stored. */
export function newOrderOf(body: z.infer<typeof OrderBody>): NewOrder {
  const { customer, billing, shipping } = body;
  return {
    customer: { fullName: customer.full_name, email: customer.email, phone: customer.phone },
    billing: {
      company: billing?.company ?? '',
      address: billing?.address ?? '',
      city: billing?.city ?? '',
      province: billing?.province ?? '',
      zip: billing?.zip ?? '',
      countryCode: billing?.country_code ?? '',
      vatNumber: billing?.vat_number ?? '',
      taxCode: billing?.tax_code ?? '',
    },
    shipping: {
      fullName: shipping.full_name,
      company: shipping.company,
      phone: shipping.phone,
      address: shipping.address,
      address2: shipping.address2,
      city: shipping.city,
      province: provinceCode({ countryCode: shipping.country_code, province: shipping.province }),
      zip: shipping.zip,
      countryCode: shipping.country_code,
    },
    items: body.items.map((item) => ({
      productId: item.product_id ?? null,
      sku: item.sku,
      name: item.name,
      quantity: item.quantity,
      price: item.price,
    })),
    shippingCost: body.shipping_cost ?? 0,
    insurance: body.insurance ?? false,
    paymentMethod: body.payment_method || 'PREPAID',
    codAmount: body.cod_amount ?? null,
    note: body.note,
    orderNumber: body.order_number ?? null,
    warehouseId: body.warehouse_id ?? null,
    contractId: body.carrier_company_id ?? null,
    carrierOptions: body.carrier_options ?? [],
    pickupPointId: body.pickup_point_id ?? null,
    parcels: (body.parcels ?? []).map((parcel) => ({
      weightGrams: Math.max(1, Math.round(parcel.weight_kg * 1000)),
      lengthMm: Math.round(parcel.length_cm * 10),
      widthMm: Math.round(parcel.width_cm * 10),
      heightMm: Math.round(parcel.height_cm * 10),
    })),
    marketplace: body.marketplace
      ? {
          connectionId: body.marketplace.connection_id,
          orderId: body.marketplace.order_id,
          orderNumber: body.marketplace.order_number,
        }
      : null,
  };
}
