import { z } from 'zod';
import type { ShippableOrder } from '../../../engine/shipment-draft.ts';
import { readPacking } from '../../../usecases/shipments/read-packing.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, IdPath, Text } from '../../http/schemas.ts';

const Packing = z
  .object({
    orderId: Id.describe('The order whose shipment carries this one: itself, or the order that leads its join'),
    joinedOrderIds: z.array(Id).describe('The other orders in the shipment; mostly empty'),
    lines: z
      .array(
        z.object({
          itemId: Id.describe('The `id` of an element of orderItems'),
          title: Text,
          codes: z.array(Text).describe('Everything that a scanner may read on the product: SKU and product ids'),
          quantity: z.number().int(),
        }),
      )
      .describe('The lines of all orders in the shipment'),
    parcels: z
      .array(z.object({ weight_kg: z.number(), length_cm: z.number(), width_cm: z.number(), height_cm: z.number() }))
      .describe('The parcels that a label would be bought for now, as `parcels` of order creation'),
    parcelsFrom: z
      .enum(['order', 'products', 'default'])
      .describe(
        'order: the order names them; products: one parcel with the weight of the products; default: no weight is known',
      ),
  })
  .meta({ id: 'Packing' });

export const readPackingRoute = defineRoute({
  method: 'get',
  scope: 'orders:read',
  path: '/orders/{id}/packing',
  tag: 'Orders',
  summary: 'Read what to pack for an order',
  description:
    'An addition to the contract, for a packing station: the lines of everything that travels in the shipment of the order, with the codes of their products, and the parcels. The ETag names the version: `PATCH /orders/{id}` compares it with `If-Match`.',
  params: IdPath,
  responses: { 200: { description: 'Lines and parcels', schema: Packing } },
  async handle(deps, { companyId, params }) {
    const shippable = await readPacking(deps, { companyId, orderId: params.id });
    const { id, revision } = shippable.order;
    return { status: 200, body: packingBody(shippable), revision: `${id}-${revision}` };
  },
});

function packingBody({ order, joined, items, products, parcels }: ShippableOrder) {
  const weighsProducts = products.some((product) => (product?.weightGrams ?? 0) > 0);
  return {
    orderId: order.id,
    joinedOrderIds: joined.map(({ id }) => id).filter((id) => id !== order.id),
    lines: items.map((item, at) => {
      const codes = [item.sku, products[at]?.sku, item.clientProductId, item.productId];
      return {
        itemId: item.id,
        title: item.title,
        codes: [...new Set(codes.filter((code) => code !== undefined && code !== null && code !== ''))] as string[],
        quantity: item.quantity,
      };
    }),
    parcels: parcels.map((parcel) => ({
      weight_kg: parcel.weightGrams / 1000,
      length_cm: parcel.lengthMm / 10,
      width_cm: parcel.widthMm / 10,
      height_cm: parcel.heightMm / 10,
    })),
    parcelsFrom: order.parcels.length > 0 ? 'order' : weighsProducts ? 'products' : 'default',
  };
}
