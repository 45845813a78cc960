import { z } from 'zod';
import { provinceCode, provinceOf } from '../../../domain/addresses/gazetteer.ts';
import { type CreatedOrder, createOrder } from '../../../usecases/orders/create-order.ts';
import { readOrder } from '../../../usecases/orders/read-orders.ts';
import { BASE_PATH } from '../../http/base-path.ts';
import { defineRoute, type Reply } from '../../http/route.ts';
import { COUNTRY_CODE, Id, ProblemBody, required, text } from '../../http/schemas.ts';
import { addressDoubtsHeader } from './address-doubts-body.ts';
import { createdOrderBody } from './order-body.ts';
import { productDoubtsHeader } from './product-doubts-body.ts';
import { OrderCreated } from './schemas.ts';

const MAX_PRICE = 1_000_000;
const MAX_WEIGHT_KG = 2000;
const MAX_SIDE_CM = 1000;

/** Amounts are stored with four decimals, rounded half up. */
const Price = z.number().min(0).max(MAX_PRICE);

/** Lets rules over several fields run although another field is invalid, because one answer lists all faults. */
const EVEN_WHEN_FAULTY = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null };

const CustomerBody = z.object({ full_name: required(120), email: text(254), phone: text(40) });

const BillingBody = z.object({
  company: text(120),
  address: text(200),
  city: text(80),
  province: text(40),
  zip: text(16),
  country_code: COUNTRY_CODE.optional(),
  vat_number: text(32),
  tax_code: text(32),
});

const ShippingBody = z
  .object({
    full_name: required(120),
    company: text(120),
    phone: text(40),
    address: required(200),
    address2: text(200),
    city: required(80),
    province: text(40),
    zip: required(16),
    country_code: COUNTRY_CODE,
  })
  .superRefine(({ country_code, province, zip }, context) => {
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
    customer: CustomerBody,
    billing: BillingBody.nullish(),
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
  .meta({ id: 'OrderCreation', description: 'Fields after warehouse_id are additions of ours, and all optional.' });

export const createOrderRoute = defineRoute({
  method: 'post',
  path: '/orders',
  tag: 'Orders',
  summary: 'Create an order',
  description:
    'An order with a doubtful shipping address is accepted: the header X-Address-Doubts names the doubtful fields, such as `/shipping/zip`, and `GET /orders/{id}` explains them. In Italy `shipping.province` may be the two letters or the name; the two letters are stored. A `product_id` that the catalogue lacks is kept as your own reference and returned as `companyProductId`; the header X-Product-Doubts names such items.',
  body: OrderBody,
  responses: {
    201: {
      description: 'The stored order with its totals; header X-Address-Doubts when the address is doubtful',
      schema: OrderCreated,
    },
    409: {
      description: 'The company wants unique order numbers and has this one: `orderId` is the order that has it',
      schema: ProblemBody,
    },
    422: { description: 'The warehouse, contract or connection does not exist', schema: ProblemBody },
  },
  async handle(deps, { origin, body }) {
    const { customer, billing, shipping } = body;
    const created = await createOrder(deps, {
      ...origin,
      order: {
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
      },
    });
    return reply(created);
  },
  async recover(deps, { companyId }, orderId) {
    return reply(await readOrder(deps, { companyId, orderId }));
  },
});

function reply(created: CreatedOrder): Reply {
  return {
    status: 201,
    body: createdOrderBody(created),
    headers: {
      Location: `${BASE_PATH}/orders/${created.order.id}`,
      ...addressDoubtsHeader(created),
      ...productDoubtsHeader(created),
    },
  };
}
